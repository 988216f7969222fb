"""Encoding: every event is one line of valid UTF-8 JSON, whatever its texts hold. No files here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axstream.spec.catalogue import Catalogue
from axstream.trace.encode import to_json, to_line
from axstream.trace.events import Committed, Element, Ended, Executed, Failed, Note, Observation, Started
from axstream.trace.line import encode_line
from axstream.wire.events import Narration
from axstream.wire.jsonform import to_json as check_json
from axstream.wire.reader import ResponseReader

CATALOGUE = Catalogue()


def test_event_and_t_come_first_and_t_is_rounded_to_the_microsecond() -> None:
    value = to_json(1.23456789, Note(text="hello"), CATALOGUE)
    assert list(value)[:2] == ["event", "t"]
    assert value == {"event": "note", "t": 1.234568, "text": "hello"}


def test_the_parsers_events_are_those_of_check_with_t() -> None:
    """Issue: ``exec --json`` prints those of ``check``."""
    reader = ResponseReader(catalogue=CATALOGUE)
    text = 'hi\n```json\n{"op":"wait","ms":5,"zap":1}\n{"op":"zzz"}\n```\n```\n{"op":"wa'
    events = reader.feed(text) + reader.close()
    assert len(events) == 7
    for event in events:
        value = to_json(2.0, event, CATALOGUE)
        assert value.pop("t") == 2.0
        assert value == check_json(event, CATALOGUE)


def test_with_raw_an_action_keeps_its_line_as_it_came() -> None:
    """W12: unknown fields are kept in the raw line of the trace."""
    line = '{"op":"wait", "ms":5, "zap":1}'
    reader = ResponseReader(catalogue=CATALOGUE)
    action = next(event for event in reader.feed(f"```\n{line}\n") if hasattr(event, "action"))
    assert to_json(0, action, CATALOGUE, raw=True)["raw"] == line
    assert "raw" not in to_json(0, action, CATALOGUE)


def test_ended_always_holds_status_and_reason() -> None:
    value = to_json(3, Ended(stop="exhausted", status=None, reason=None), CATALOGUE)
    assert value["status"] is None
    assert value["reason"] is None
    assert "result" not in value


def test_a_result_of_null_is_told_from_no_result() -> None:
    """N1."""
    value = to_json(3, Ended(stop="done", status="success", reason=None, result=None), CATALOGUE)
    assert "result" in value


def test_executed_always_holds_ms_element_and_effect() -> None:
    value = to_json(1, Executed(line=4), CATALOGUE)
    assert value == {"event": "executed", "t": 1, "line": 4, "burst": 1, "ms": 0.0, "element": None, "effect": ""}


def test_an_element_is_an_object_without_its_empty_fields() -> None:
    event = Executed(line=4, ms=1.5, element=Element(role="button", name="Save", id="e3", box=(1, 2, 3, 4)))
    assert to_json(1, event, CATALOGUE)["element"] == {
        "role": "button",
        "name": "Save",
        "id": "e3",
        "box": (1, 2, 3, 4),
    }


@pytest.mark.parametrize(
    "event",
    [
        Note(text="a\udc80b\ud800"),
        Narration(1, "a\udc80b"),
        Started(version="1", spec="0.2", computer="memory", risky="deny", task="\ud83d"),
        Committed(line=1, action={"op": "act", "\udcff": ["\udcff"]}),
        Observation(burst=1, outline="\udc00", width=1, height=1, elements=(Element(role="text", name="\udfff"),)),
        Failed(line=1, error="TargetNotFound", message="\ud834 gone"),
    ],
)
def test_a_lone_surrogate_never_breaks_a_line(event: Any) -> None:
    line = to_line(0.5, event, CATALOGUE)
    assert line.count(b"\n") == 1
    assert "\ufffd" in json.dumps(json.loads(line.decode("utf-8")), ensure_ascii=False)


def test_text_is_written_as_itself_and_line_separators_as_escapes() -> None:
    line = encode_line({"text": "日本 🙂 \u2028\u2029\u0085\v\f"})
    assert "日本 🙂".encode() in line
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["text"] == "日本 🙂 \u2028\u2029\u0085\v\f"


def test_numbers_that_json_does_not_have_become_null_and_large_ones_stand() -> None:
    line = encode_line({"a": float("inf"), "b": 10**40, "\ud800": float("nan")})
    assert json.loads(line) == {"a": None, "b": 10**40, "\ufffd": None}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None, exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_every_value_is_one_line_of_utf8_json(value: object) -> None:
    line = encode_line(value)
    assert line.endswith(b"\n")
    assert len(line.decode("utf-8").splitlines()) == 1
    json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
