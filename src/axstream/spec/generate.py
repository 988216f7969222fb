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


def main(arguments: Sequence[str]) -> None:
    """Write the artefacts to the folder given, or to the package's own."""
    folder = Path(arguments[0]) if arguments else DATA
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in artefacts().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
