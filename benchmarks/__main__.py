"""Runs every benchmark and prints its table; ``python -m benchmarks overlap parse`` runs only those."""

from __future__ import annotations

import argparse
import sys
import time

from benchmarks import browser, changes, footprint, overlap, parsing, tokens

PARTS = {
    "overlap": overlap.main,
    "parse": parsing.main,
    "footprint": footprint.main,
    "tokens": tokens.main,
    "changes": changes.main,
    "browser": browser.main,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    wanted = parser.parse_args().parts or list(PARTS)
    unknown = [part for part in wanted if part not in PARTS]
    if unknown:
        parser.error(f"no benchmark is called {unknown[0]}; they are {', '.join(PARTS)}")
    for part in wanted:
        begun = time.monotonic()
        print(f"\n== {part}", flush=True)
        PARTS[part]()
        print(f"   ({part}: {time.monotonic() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
