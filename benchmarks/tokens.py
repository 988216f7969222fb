"""o200k tokens of the fixed prompt and of a burst, counted offline."""

from __future__ import annotations

from bpe_openai import get_encoding

from axstream.spec.catalogue import Catalogue
from axstream.spec.manual import manual
from benchmarks.parsing import PLAN
from benchmarks.table import show


def main() -> None:
    count = get_encoding("o200k_base").encode
    long_form = [line.replace('{"op":"', '{"op":"act","do":"', 1) for line in PLAN if '"assert"' not in line]
    short = [line for line in PLAN if '"assert"' not in line]
    show(
        ("o200k tokens", "tokens", "aim"),
        [
            ("the prompt's fixed part", len(count(manual(Catalogue()))), "at most 600"),
            (f"{len(short)} actions, shorthand", len(count("\n".join(short))), ""),
            ("the same, long form", len(count("\n".join(long_form))), ""),
        ],
    )
