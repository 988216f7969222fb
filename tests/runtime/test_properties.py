"""Properties of execution: prefixes, chunkings, and nothing pressed wherever it is cut (Z26, W9, E5)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from axstream.computer.memory import VirtualClock
from axstream.trace.events import BurstEnded, Committed
from tests.runtime.stage import FORM, Stage, into, lines

# -- streams -----------------------------------------------------------------------------------------------------
# Each line comes with what it does to the trail when it runs, None where it must not run. The trail is the text of
# one field, so that what ran, and in which order, is read from the screen and not from the record.

TRAIL: dict[str, Any] = {
    "screen": [
        {
            "role": "window",
            "name": "Trail",
            "children": [
                {"role": "textbox", "id": "trail", "name": "Trail", "multiline": True, "autofocus": True},
                {"role": "button", "name": "Off", "enabled": False},
            ],
        }
    ]
}
LETTERS = "abcdefgh éß語😀"
Line = tuple[str, str | None, bool]  # the text, its mark on the trail, whether it is a barrier


def marks() -> st.SearchStrategy[Line]:
    def typed(letter: str) -> Line:
        act = {"op": "type", "target": {"ax": {"title": "Trail"}}, "text": letter}
        return (json.dumps(act, ensure_ascii=False), letter, False)

    return st.sampled_from(LETTERS).map(typed)


INVALID = [
    '{"op":"type","text":"z"',
    '{"op":"typo","text":"z"}',
    '{"op":"wait","ms":"300"}',
    "type z",
    "[]",
    '{"op":"type","target":{"ax":{"title":"Trail"}},"text":"z","op":"type"}',
    "``` z",
    "",
    "   ",
]
BARRIERS = ['{"op":"observe"}', '{"op":"done","status":"success"}', '{"op":"assert","target":{"x":-1,"y":0}}']

one_line = st.one_of(
    marks(),
    marks(),
    marks(),
    st.sampled_from(INVALID).map(lambda text: (text, None, False)),
    st.sampled_from(BARRIERS).map(lambda text: (text, None, True)),
)
ENDS = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def streams(draw: st.DrawFn) -> list[Line]:
    """Whole lines with their ends, narration and fences around them; outside a fence nothing has a mark."""
    whole: list[Line] = []
    for _ in range(draw(st.integers(1, 2))):
        whole += [
            (text + draw(ENDS), None, False)
            for text in draw(st.lists(st.sampled_from(["I type.", '{"op":"observe"}']), max_size=2))
        ]
        whole.append(("```" + draw(st.sampled_from(["", "json", "jsonl"])) + draw(ENDS), None, False))
        whole += [(text + draw(ENDS), mark, stops) for text, mark, stops in draw(st.lists(one_line, max_size=8))]
        whole.append(("```" + draw(ENDS), None, False))
    return whole


def expected(whole: list[Line], size: int) -> str:
    """The trail that the first ``size`` bytes must leave: the valid lines whose newline is in, up to a barrier."""
    trail, end = "", 0
    for text, mark, stops in whole:
        end += len(text.encode())
        if end > size or stops:
            return trail
        trail += mark or ""
    return trail


async def perform(chunks: list[bytes]) -> Stage:
    stage = Stage(TRAIL, resolve_wait=0.05)
    await stage.play(*chunks)
    return stage


@settings(max_examples=25, deadline=None)
@given(streams(), st.data())
def test_what_ran_of_any_prefix_is_its_complete_valid_lines_up_to_the_first_barrier(
    whole: list[Line], data: st.DataObject
) -> None:
    """Z26, W8."""
    text = "".join(line for line, _, _ in whole).encode()
    ends = [0]
    for line, _, _ in whole:
        ends.append(ends[-1] + len(line.encode()))
    near = st.sampled_from(ends).flatmap(lambda end: st.integers(max(end - 2, 0), min(end + 2, len(text))))
    sizes = {len(text), *data.draw(st.lists(st.one_of(near, st.integers(0, len(text))), min_size=4, max_size=8))}

    async def main() -> None:
        for size in sizes:
            stage = await perform([text[:size]])
            assert stage.computer.value("trail") == expected(whole, size)

    asyncio.run(main())


def test_every_byte_prefix_of_one_stream_runs_exactly_its_complete_lines() -> None:
    """Z26, W8: each of them, for one stream with a bit of everything."""
    acts: list[Line] = [
        (
            json.dumps({"op": "type", "target": {"ax": {"title": "Trail"}}, "text": mark}, ensure_ascii=False),
            mark,
            False,
        )
        for mark in ("a", "語", "😀")
    ]
    inner = [acts[0], (INVALID[0], None, False), acts[1], (INVALID[2], None, False), acts[2]]
    whole: list[Line] = [("First.\n", None, False), ("```json\n", None, False)]
    whole += [(text + "\r\n", mark, stops) for text, mark, stops in inner]
    whole += [(BARRIERS[0] + "\n", None, True), (acts[0][0] + "\n", "a", False), ("```\n", None, False)]
    text = "".join(line for line, _, _ in whole).encode()

    async def main() -> None:
        for size in range(len(text) + 1):
            stage = await perform([text[:size]])
            assert stage.computer.value("trail") == expected(whole, size), text[:size]

    asyncio.run(main())


@settings(max_examples=25, deadline=None)
@given(streams(), st.data())
def test_any_chunking_performs_the_same(whole: list[Line], data: st.DataObject) -> None:
    """W9, and its inputs arrive in the same order."""
    text = "".join(line for line, _, _ in whole).encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, max(len(text) - 1, 1)), max_size=12)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    async def main() -> None:
        one, other = await perform([text]), await perform(chunks)
        assert one.computer.value("trail") == other.computer.value("trail") == expected(whole, len(text))
        assert [type(i) for i in one.computer.inputs] == [type(i) for i in other.computer.inputs]
        ran = [line for line, end in one.ends().items() if end == "executed"]
        assert ran == [line for line, end in other.ends().items() if end == "executed"]

    asyncio.run(main())


# -- cancellation ------------------------------------------------------------------------------------------------


class Cut(Exception):
    """Raised out of a step, as a crash of anything would be."""


class CountingClock(VirtualClock):
    """Virtual time that calls ``at_step`` when it is slept on for the ``limit``-th time."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.steps = 0
        self.limit = limit
        self.at_step: Any = None

    async def sleep(self, seconds: float) -> None:
        self.steps += 1
        if self.steps == self.limit:
            self.at_step()
        await super().sleep(seconds)


BURST = lines(
    {"op": "drag", "from": {"ax": {"title": "Card"}}, "to": {"ax": {"title": "Slot"}}},
    into("Note", "aB\n😀"),
    {"op": "key", "keys": ["ctrl", "shift", "x"]},
    {"op": "double_click", "target": {"ax": {"title": "Name"}}},
    {"op": "click", "target": {"ax": {"title": "Later"}}},
    {"op": "done", "status": "success"},
)


async def cut_after(steps: int, how: str) -> tuple[bool, Stage]:
    """Perform the burst and cut it at a step; True if the cut came before its end."""
    clock = CountingClock(steps)
    stage = Stage(FORM, action_ms=11, key_ms=3, clock=clock)
    await stage.open()
    scope = anyio.CancelScope()

    def cut() -> None:
        if how == "crash":
            raise Cut
        if how == "cancel":
            stage.executor.cancel("cut")
        else:
            scope.cancel()

    clock.at_step = cut

    async def source() -> AsyncIterator[str]:
        yield BURST

    with scope:
        try:
            await stage.executor.run_burst(source())
        except Cut:
            return True, stage
    return clock.steps >= steps, stage


def test_wherever_a_burst_is_cut_no_key_and_no_button_stays_down() -> None:
    """E5: at every step of a drag, a text, a chord, a double click and a wait; whoever cuts, however."""

    async def main() -> int:
        for how in ("cancel", "scope", "crash"):
            for step in range(1, 500):
                reached, stage = await cut_after(step, how)
                computer = stage.computer
                assert computer.pressed == frozenset(), (how, step)
                downs = [i for i in computer.inputs if type(i).__name__ in ("KeyDown", "ButtonDown")]
                ups = [i for i in computer.inputs if type(i).__name__ in ("KeyUp", "ButtonUp")]
                assert len(downs) == len(ups), (how, step)
                committed = [event.line for event in stage.all(Committed)]
                assert sorted(stage.ends()) == committed or how == "crash", (how, step)
                assert not stage.all(BurstEnded)
                if not reached:
                    break
            else:
                raise AssertionError("the burst never came to its end")
        return step

    assert asyncio.run(main()) > 25
