"""Reading the record back (X1, X2): torn ends are left out, anything else that is wrong is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from axstream.errors import TraceCorrupt, TraceError
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import (
    BurstEnded,
    ChunkReceived,
    Committed,
    Denied,
    Discarded,
    Element,
    Ended,
    Executed,
    Failed,
    Held,
    Note,
    Observation,
    PromptSent,
    RunEvent,
    Started,
)
from axstream.trace.reader import read_events, read_trace
from axstream.trace.writer import TraceWriter
from axstream.wire.reader import ResponseReader

BUTTON = Element(role="button", name="Save", id="e1", box=(1.0, 2.0, 3.0, 4.0))

OTHERS: list[RunEvent] = [
    Started(version="1", spec="0.2", computer="memory", risky="deny", model="script", task="save", notes=("a", "b")),
    Observation(burst=1, outline="e1 button Save", width=10, height=20, elements=(BUTTON,)),
    PromptSent(burst=1, messages=(("system", "s"), ("user", "u"))),
    ChunkReceived(burst=1, text="hi", reasoning="hm"),
    Committed(line=2, action={"op": "observe"}),
    Executed(line=2, burst=2, ms=1.5, element=BUTTON, effect="clicked", risky=True),
    Failed(line=3, error="TargetNotFound", message="gone"),
    Held(line=4, mode="ask", why=("delete",), element=BUTTON),
    Denied(line=4, message="no"),
    Discarded(line=5, why="behind"),
    Note(text="a wait was cut"),
    BurstEnded(burst=1, stop="aborted", reason="gone", executed=1),
    Ended(stop="done", status="success", reason=None, result={"total": [1, None, "x"]}),
    Ended(stop="done", status="success", reason=None, result=None),
    Ended(stop="cancelled", status=None, reason="SIGINT"),
]


def parsed() -> list[RunEvent]:
    reader = ResponseReader(catalogue=Catalogue())
    text = (
        'words\n```spec\n{"op":"click","target":{"ax":{"title":"Save"}},"risk":"risky","zap":1}\n'
        '{"op":"drag","from":{"x":1,"y":2},"to":{"ax":{"id":"e2"}}}\n{"op":"done","status":"success","result":[1]}\n'
        'oops\n```\n```\n{"op":'
    )
    return [*reader.feed(text), *reader.close()]


def test_every_event_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    events = parsed() + OTHERS
    with TraceWriter(path) as trace:
        for number, event in enumerate(events):
            trace.write(number / 8, event)
    assert list(read_events(path)) == [(number / 8, event) for number, event in enumerate(events)]


LINE = '{"event":"note","t":1,"text":"a"}'


@pytest.mark.parametrize("torn", ['{"event":"no', "{", '{"event":"note","t":2,"text":"\\ud8', "\0\0\0", "\ufffd"])
def test_a_torn_last_line_is_left_out(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{LINE}\n{torn}")
    assert [t for t, _ in read_trace(path)] == [1.0]


def test_a_last_line_that_lacks_only_its_newline_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{LINE}\n{LINE}")
    assert len(list(read_trace(path))) == 2


@pytest.mark.parametrize(
    "bad", ["oops", "", "[]", '{"t":1}', '{"event":"note"}', '{"event":"note","t":true}', '{"event":3,"t":1}']
)
def test_any_other_bad_line_is_named(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{LINE}\n{bad}\n{LINE}\n")
    with pytest.raises(TraceCorrupt, match=r"run\.jsonl, line 2: "):
        list(read_trace(path))


@pytest.mark.parametrize(
    "bad",
    ['{"event":"zap","t":1}', '{"event":"action","t":1,"line":1,"action":{"op":"zap"}}', '{"event":"held","t":1}'],
)
def test_an_unknown_event_is_corrupt_for_a_replay(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{LINE}\n{bad}\n")
    assert len(list(read_trace(path))) == 2
    with pytest.raises(TraceCorrupt, match="line 2: "):
        list(read_events(path))


def test_a_file_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"cannot read the trace .*: no such file or directory"):
        list(read_trace(tmp_path / "none.jsonl"))


def test_an_empty_record_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"")
    assert list(read_trace(path)) == []
