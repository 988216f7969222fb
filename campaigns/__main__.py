"""Runs one campaign, with its own options: ``python -m campaigns drift --actions 300``."""

from __future__ import annotations

import sys
from importlib import import_module

#: Each is a module with ``main(arguments) -> exit code``; imported only when it runs.
PARTS = {
    "drift": "campaigns.drift",
    "hostile": "campaigns.hostile",
    "todomvc": "campaigns.todomvc",
    "miniwob": "campaigns.miniwob",
}


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
        print(f"usage: python -m campaigns {'|'.join(PARTS)} [options]", file=sys.stderr)
        return 2
    run: int = import_module(PARTS[sys.argv[1]]).main(sys.argv[2:])
    return run


if __name__ == "__main__":
    sys.exit(main())
