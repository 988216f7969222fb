"""The parser's invariants (W1, W7-W9, Z26); single behaviours are the vectors'."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from axstream.spec import Catalogue
from axstream.spec.actions import Wait
from axstream.wire import (
    ActionLine,
    Event,
    FenceClosed,
    FenceOpened,
    Narration,
    Rejected,
    ResponseReader,
    StreamParser,
    Truncated,
    to_json,
)

CATALOGUE = Catalogue()
PIECES = (
    "```jsonl\n",
    "```\n",
    "```",
    "``",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\ufeff",
    "\u2028",
    "é",
    "😀",
    "hello",
    "<think>",
    "</think>",
    "<thi",
    '{"op":"observe"}\n',
    '{"op":"wait","ms":5}\r\n',
    '{"op":"type","text":"😀 \\ud83d\\ude00"}\n',
    '{"op":"wait","ms":"5"}\n',
    '{"op":"obs',
    "x" * 40 + "\n",
)
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
streams = st.one_of(
    texts.map(str.encode),
    st.binary(max_size=60),
    st.lists(texts.map(str.encode) | st.binary(max_size=4), max_size=6).map(b"".join),
)
options = st.fixed_dictionaries(
    {},
    optional={
        "max_line_bytes": st.integers(1, 50),
        "bare": st.booleans(),
        "tags": st.sampled_from((frozenset({"jsonl"}), frozenset({""}))),
    },
)


def cut_at(data: str | bytes, places: list[int]) -> list[str | bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(edges)]


def run(reader: StreamParser | ResponseReader, chunks: list[str | bytes]) -> list[Event]:
    return [event for chunk in chunks for event in reader.feed(chunk)] + reader.close()


@given(data=streams, places=st.lists(st.integers(0, 200)), setup=options)
@example(data=b"\xef\xbb\xbf```\n```", places=[1, 2], setup={})
@example(data=b"```\n" + b"x" * 9 + b"\r\n", places=[13], setup={"max_line_bytes": 9})
def test_any_cut_of_the_bytes_gives_the_same_events(data: bytes, places: list[int], setup: dict[str, object]) -> None:
    whole = run(StreamParser(**setup), [data])  # type: ignore[arg-type]
    assert run(StreamParser(**setup), cut_at(data, places)) == whole  # type: ignore[arg-type]
    assert run(StreamParser(**setup), [data[at : at + 1] for at in range(len(data))]) == whole  # type: ignore[arg-type]


@given(data=streams, places=st.lists(st.integers(0, 200)), setup=options)
@example(data=b"\xff\xff<think>", places=[1], setup={"max_line_bytes": 3})
def test_any_cut_of_a_response_gives_the_same_events(data: bytes, places: list[int], setup: dict[str, object]) -> None:
    whole = run(ResponseReader(**setup), [data])  # type: ignore[arg-type]
    assert run(ResponseReader(**setup), cut_at(data, places)) == whole  # type: ignore[arg-type]
    assert run(ResponseReader(**setup), [data[at : at + 1] for at in range(len(data))]) == whole  # type: ignore[arg-type]


@given(text=st.text() | texts, places=st.lists(st.integers(0, 200)), setup=options)
def test_any_cut_of_the_text_gives_the_events_of_its_bytes(
    text: str, places: list[int], setup: dict[str, object]
) -> None:
    for kind in (StreamParser, ResponseReader):
        assert run(kind(**setup), cut_at(text, places)) == run(kind(**setup), [text.encode()])  # type: ignore[arg-type]


surrogates = st.lists(st.sampled_from(("\ud83d", "\ude00", "a", "\n", "```\n", '{"op":"type","text":"\ud83d', '"}\n')))


@given(text=surrogates.map("".join), places=st.lists(st.integers(0, 200)))
def test_any_cut_of_text_with_surrogates_gives_the_same_events(text: str, places: list[int]) -> None:
    whole = run(StreamParser(), [text])
    assert run(StreamParser(), cut_at(text, places)) == whole
    assert run(ResponseReader(), cut_at(text, places)) == whole
    for event in whole:
        json.dumps(to_json(event, CATALOGUE), ensure_ascii=False).encode()


@given(chunks=st.lists(st.binary() | st.text(st.characters()) | texts | st.sampled_from(("\ud800", b"\xff"))))
def test_no_input_raises(chunks: list[str | bytes]) -> None:  # W1
    for reader in (StreamParser(), ResponseReader(), ResponseReader(reasoning=False)):
        for event in run(reader, chunks):
            json.dumps(to_json(event, CATALOGUE), ensure_ascii=False).encode()


lines = st.lists(
    st.sampled_from(
        (
            b'{"op":"observe"}',
            b'{"op":"wait","ms":7}\r',
            b'{"op":"wait"}',
            "é```".encode(),
            b"```",
            b"",
            b"```jsonl",
            b"\xff",
        )
    ),
    max_size=8,
)


@given(lines=lines)
def test_for_every_prefix_exactly_the_complete_valid_lines_are_actions(lines: list[bytes]) -> None:  # W8, Z26
    data = b"```\n" + b"".join(line + b"\n" for line in lines)
    whole = [event for event in run(StreamParser(), [data]) if isinstance(event, ActionLine)]
    ends = [at + 1 for at in range(len(data)) if data[at : at + 1] == b"\n"]
    for length in range(len(data) + 1):
        got = [event for event in run(StreamParser(), [data[:length]]) if isinstance(event, ActionLine)]
        complete = sum(end <= length for end in ends)
        assert got == [event for event in whole if event.line <= complete]


@given(data=streams, place=st.integers(0, 200))
def test_an_action_is_out_as_soon_as_its_newline_is_in(data: bytes, place: int) -> None:
    parser = StreamParser()
    seen: list[Event] = []
    for at in range(len(data)):
        events = parser.feed(data[at : at + 1])
        if any(isinstance(event, ActionLine) for event in events):
            assert data[at : at + 1] == b"\n"
        seen += events
    assert seen + parser.close() == run(StreamParser(), [data])


def work_for(data: bytes, size: int) -> int:
    parser = StreamParser()
    for at in range(0, len(data), size):
        parser.feed(data[at : at + size])
    parser.close()
    return parser.work


@pytest.mark.parametrize("size", [50, 4096, 1 << 20])
def test_a_line_of_a_megabyte_costs_its_bytes_whatever_the_chunks(size: int) -> None:  # W9, by counted work
    line = b'```\n{"op":"type","text":"' + b"a" * (1 << 20) + b'"}\n```\n'
    assert work_for(line, size) <= 2 * len(line)


def test_a_million_bytes_one_at_a_time_cost_their_bytes() -> None:
    data = b"```\n" + b'{"op":"wait","ms":5}\n' * 2000
    assert work_for(data, 1) <= 2 * len(data)


def test_memory_stays_bounded_within_a_line_that_never_ends() -> None:  # W7
    parser = StreamParser(max_line_bytes=1000)
    parser.feed("```\n")
    events = [event for _ in range(1000) for event in parser.feed(b"x" * 1000)]
    assert events == [Rejected(2, "line_too_long", events[0].message, "x" * 200)]  # type: ignore[union-attr]
    assert parser.work < 1000 * 1000 + 3000
    assert parser.close() == []


def test_the_line_that_is_too_long_is_reported_at_once() -> None:
    parser = StreamParser(max_line_bytes=4, bare=True)
    assert parser.feed("1234") == []
    assert parser.feed("\r") == []  # it may belong to the line end
    assert [type(event) for event in parser.feed("\r")] == [Rejected]
    assert parser.feed("more\n") == []
    assert parser.line == 2


def test_a_message_names_the_limit() -> None:
    (event,) = StreamParser(bare=True, max_line_bytes=1000).feed("x" * 1001)
    assert isinstance(event, Rejected)
    assert "1,000 bytes" in event.message


def test_raw_keeps_the_line_as_it_came() -> None:
    (event,) = StreamParser(bare=True).feed(' {"op":"wait","ms":5,"z":1}\r\n')
    assert event == ActionLine(1, Wait(ms=5), ' {"op":"wait","ms":5,"z":1}', ("z",))


def test_any_buffer_of_bytes_will_do() -> None:
    data = b"```\n```\n"
    assert StreamParser().feed(bytearray(data)) == StreamParser().feed(memoryview(data)) == StreamParser().feed(data)


def test_after_the_close_input_is_ignored() -> None:
    for reader in (StreamParser(), ResponseReader()):
        reader.feed("a")
        assert reader.close() == [Narration(1, "a")]
        assert reader.feed("b\n") == []
        assert reader.close() == []


def test_the_beginning_of_a_bom_alone_is_text() -> None:  # W1
    assert run(StreamParser(), [b"\xef", b"\xbb"]) == [Narration(1, "\ufffd")]


def test_in_fence_and_fences_follow_the_input() -> None:
    reader = ResponseReader()
    assert (reader.in_fence, reader.fences) == (False, 0)
    reader.feed("```\n")
    assert (reader.in_fence, reader.fences) == (True, 1)
    reader.feed("```\n```\n")
    assert (reader.in_fence, reader.fences) == (True, 2)
    reader.feed("```")
    assert reader.close() == [FenceClosed(4)]
    assert (reader.in_fence, reader.fences) == (False, 2)


def test_bare_input_counts_its_implied_fence() -> None:  # Z21: no fence opened means that none could have executed
    parser = StreamParser(bare=True)
    assert (parser.in_fence, parser.fences) == (True, 1)


def test_halves_of_a_character_in_two_text_chunks_are_whole() -> None:  # W1
    parser = StreamParser(bare=True)
    parser.feed('{"op":"type","text":"\ud83d')
    (event,) = parser.feed('\ude00"}\n')
    assert isinstance(event, ActionLine)
    assert event.raw == '{"op":"type","text":"😀"}'


def test_a_lone_half_is_not_json_and_shown_as_a_replacement() -> None:  # Z24
    (event,) = StreamParser(bare=True).feed('{"op":"type","text":"\ud83d"}\n')
    assert isinstance(event, Rejected)
    assert (event.reason, event.text) == ("not_json", '{"op":"type","text":"\ufffd"}')


def test_a_lone_half_beside_bytes_that_are_not_utf8_is_not_json_either() -> None:
    parser = StreamParser(bare=True)
    parser.feed('{"op":"type","text":"\ud83d')
    (event,) = parser.feed(b'\xff"}\n')
    assert isinstance(event, Rejected)
    assert event.reason == "not_json"


def test_surrogates_in_one_line_do_not_taint_the_next() -> None:
    events = StreamParser().feed("\ud83d\na\n")
    assert events == [Narration(1, "\ufffd"), Narration(2, "a")]


def test_a_tag_with_half_a_character_is_shown_as_a_replacement() -> None:
    assert StreamParser().feed("```\ud83d\n") == [FenceOpened(1, "\ufffd")]


def test_truncated_is_reported_in_the_line_where_it_stands() -> None:
    assert run(StreamParser(), ["```\n\n", '{"op"']) == [FenceOpened(1, ""), Truncated(3, '{"op"')]


def test_json_forms_leave_out_what_is_empty() -> None:
    (event,) = StreamParser(bare=True).feed('{"op":"observe"}\n')
    assert to_json(event, CATALOGUE) == {"event": "action", "line": 1, "action": {"op": "observe"}}
