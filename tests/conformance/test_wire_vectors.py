"""Runs ``conformance/framing`` and ``conformance/actions`` against the reader, however the input is cut (W9)."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from axstream.spec import Catalogue
from axstream.wire import ResponseReader, to_json

ROOT = Path(__file__).resolve().parents[2] / "conformance"
FILES = sorted([*ROOT.glob("framing/*.json"), *ROOT.glob("actions/*.json")])
CASES: list[dict[str, Any]] = [case for file in FILES for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]
KEYS = {"id", "contract", "title", "input", "chunks", "input_base64", "options", "events"}
OPTIONS = {"spec", "tags", "max_line_bytes", "bare", "reasoning"}


def chunkings(case: dict[str, Any]) -> Iterable[list[bytes] | list[str]]:
    if "input_base64" in case:
        data = base64.b64decode(case["input_base64"])
    else:
        texts: list[str] = case["chunks"] if "chunks" in case else [case["input"]]
        yield texts
        yield list("".join(texts))
        data = "".join(texts).encode()
    yield [data]
    yield [data[at : at + 1] for at in range(len(data))]
    yield [data[at : at + 7] for at in range(0, len(data), 7)]


def read(case: dict[str, Any], chunks: list[bytes] | list[str]) -> list[dict[str, Any]]:
    options = dict(case.get("options", {}))
    catalogue = Catalogue(spec=options.pop("spec", "0.2"))
    if "tags" in options:
        options["tags"] = frozenset(options["tags"])
    reader = ResponseReader(catalogue=catalogue, **options)
    events = [event for chunk in chunks for event in reader.feed(chunk)] + reader.close()
    forms = [to_json(event, catalogue) for event in events]
    for form in forms:
        message = form.pop("message", "…")
        assert isinstance(message, str)
        assert message
        assert "\n" not in message
    return forms


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_vector(case: dict[str, Any]) -> None:
    for chunks in chunkings(case):
        assert read(case, chunks) == case["events"], case["title"]


def test_vectors_are_well_formed_and_many() -> None:
    assert len(CASES) >= 110
    assert len({case["id"] for case in CASES}) == len(CASES)
    for case in CASES:
        assert case.keys() <= KEYS, case["id"]
        assert len(case.keys() & {"input", "chunks", "input_base64"}) == 1, case["id"]
        assert case.get("options", {}).keys() <= OPTIONS, case["id"]
        assert case["contract"], case["id"]


def test_vectors_hold_every_row_of_the_wire() -> None:
    held = {row for case in CASES for row in case["contract"]}
    assert {f"W{row}" for row in range(1, 16)} <= held
    assert {"Z9", "Z10", "Z11", "Z15", "Z18", "Z20", "Z21", "Z23", "Z24", "T1", "R1", "N1", "N2", "N3", "N4"} <= held
