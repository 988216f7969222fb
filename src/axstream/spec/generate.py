"""``python -m axstream.spec.generate``: writes what is made from the catalogue to ``src/axstream/data``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from axstream.spec.catalogue import Catalogue
from axstream.spec.grammar import make_grammar
from axstream.spec.manual import manual
from axstream.spec.schema import json_schema

DATA = Path(__file__).resolve().parent.parent / "data"


def artefacts() -> dict[str, str]:
    """The file names and texts that are committed."""
    catalogue = Catalogue()
    grammars = make_grammar(catalogue)
    return {
        "axstream.schema.json": json.dumps(json_schema(catalogue), indent=2, ensure_ascii=False) + "\n",
        "axstream.gbnf": grammars.gbnf,
        "axstream.lark": grammars.lark,
        "manual.md": manual(catalogue),
    }


def main(arguments: Sequence[str]) -> int:
    """Write the artefacts to the folder given, or to the package's own; with ``--check`` only compare them.

    Returns the exit code: 1 where a committed file differs, which is named.
    """
    if list(arguments) == ["--check"]:
        stale = [name for name, text in artefacts().items() if _read(DATA / name) != text]
        if stale:
            sys.stderr.write(f"not what the catalogue makes: {', '.join(stale)}; run: make generate\n")
        return 1 if stale else 0
    folder = Path(arguments[0]) if arguments else DATA
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in artefacts().items():
        (folder / name).write_text(text, encoding="utf-8")
    return 0


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
