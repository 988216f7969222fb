"""``axstream spec``: print what is made from the catalogue: the manual, the JSON Schema, the grammar."""

from __future__ import annotations

import argparse
import json

from axstream.cli.output import Output
from axstream.errors import UsageError
from axstream.spec.catalogue import Catalogue

#: What each WHAT can be printed as; the first is the default.
FORMATS = {"prompt": ("text", "json"), "schema": ("json",), "grammar": ("gbnf", "lark", "json")}


def spec(args: argparse.Namespace) -> int:
    """Print it on standard output; return 0."""
    fitting = FORMATS[args.what]
    chosen = args.format or fitting[0]
    if chosen not in fitting:
        names = " or ".join(name for name in fitting if name != "text") or "no --format"
        raise UsageError(f"axstream spec {args.what} has no format {chosen}; give {names}")
    text = _made(args.what, chosen, Catalogue(spec=args.spec))
    Output(encoding="utf-8").text(text if text.endswith("\n") else text + "\n")
    return 0


def _made(what: str, chosen: str, catalogue: Catalogue) -> str:
    if what == "prompt":
        from axstream.spec.manual import manual

        text = manual(catalogue)
        return _json({"prompt": text}) if chosen == "json" else text
    if what == "schema":
        from axstream.spec.schema import json_schema

        return _json(json_schema(catalogue))
    from axstream.spec.grammar import make_grammar

    grammar = make_grammar(catalogue)
    if chosen == "json":
        return _json({"gbnf": grammar.gbnf, "lark": grammar.lark})
    return grammar.gbnf if chosen == "gbnf" else grammar.lark


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
