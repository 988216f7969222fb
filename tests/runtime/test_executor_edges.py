"""The executor where two things meet: full queues, changing targets, callers' own code that fails (E1-E5, R2, Z)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from axstream.errors import Disconnected, UsageError
from axstream.policy import ApprovalRequest
from axstream.runtime import performing, pieces
from axstream.runtime.burst import QUEUE_LIMIT
from axstream.spec.catalogue import Catalogue
from axstream.spec.custom import CustomAct
from axstream.trace.events import Committed, Denied, Failed, Held
from tests.runtime.stage import DONE, OBSERVE, Stage, click, into, lines, until

# -- the queue ---------------------------------------------------------------------------------------------------


async def test_a_risky_line_that_takes_its_time_to_be_found_is_never_waited_for_in_vain() -> None:
    """Z1, E1: the queue was full before the line was known to be held; nobody would ever make room."""
    stage = Stage(risky="hold")
    many = [click("Save")] * (QUEUE_LIMIT * 2)
    with anyio.fail_after(10):
        result = await stage.play(lines(click("Later", risk="risky"), *many, close=""), lines(DONE, fence=""))
    assert result.stop == "aborted"
    assert "wait behind a held one" in (result.reason or "")
    assert stage.computer.counts == {}


@pytest.mark.parametrize("waiting", [QUEUE_LIMIT - 2, QUEUE_LIMIT - 1])
async def test_a_barrier_that_still_fits_behind_a_held_line_lets_it_run(waiting: int) -> None:
    """Z1, R2: reading is over at a barrier, so nothing needs to pause."""
    stage = Stage(risky="hold")
    with anyio.fail_after(10):
        result = await stage.play(lines(click("Delete"), *[click("Save")] * waiting, DONE))
    assert (result.stop, stage.computer.counts) == ("done", {"delete": 1, "save": waiting})


async def test_a_barrier_closes_the_stream_though_the_queue_is_full() -> None:
    """Z20: closed when it commits, not when there is room for it."""
    stage = Stage(action_ms=1)
    at_close: list[int] = []

    async def source() -> AsyncIterator[str]:
        try:
            yield lines(*[click("Save")] * (QUEUE_LIMIT + 1), OBSERVE)
        finally:
            at_close.append(stage.computer.counts.get("save", 0))

    await stage.open()
    result = await stage.executor.run_burst(source())
    assert (result.stop, stage.computer.counts) == ("observe", {"save": QUEUE_LIMIT + 1})
    assert at_close == [0]


async def test_a_stream_that_never_pauses_does_not_keep_its_lines_waiting() -> None:
    """E1: each line is started as soon as it is in, also when the source has everything ready."""
    stage = Stage()
    seen: list[int] = []

    async def source() -> AsyncIterator[str]:
        yield lines(click("Save"), close="")
        for _ in range(100):
            seen.append(stage.computer.counts.get("save", 0))
            yield "\n"

    await stage.open()
    await stage.executor.run_burst(source())
    assert seen[50] == 1


async def test_a_stream_that_never_pauses_and_says_nothing_can_be_cancelled() -> None:
    """E5, E6."""
    stage = Stage()

    async def source() -> AsyncIterator[str]:
        for number in range(100_000):
            if number == 1000:
                stage.executor.cancel("enough")
            yield "words"
        raise AssertionError("it was read to its end")

    await stage.open()
    assert (await stage.executor.run_burst(source())).stop == "cancelled"


# -- the caller's iterable ---------------------------------------------------------------------------------------


class Pieces:
    """An async iterable without ``aclose`` whose iterator has one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[str]:
        try:
            yield self.text
            await anyio.sleep_forever()
        finally:
            self.closed = True


async def test_the_iterator_of_an_iterable_is_closed_at_a_barrier() -> None:
    """E3."""
    stage = Stage()
    await stage.open()
    source = Pieces(lines(DONE))
    assert (await stage.executor.run_burst(source)).stop == "done"
    assert source.closed


async def test_a_stream_that_fails_while_it_is_closed_changes_nothing() -> None:
    """E3: the barrier has been committed."""
    stage = Stage()

    async def source() -> AsyncIterator[str]:
        try:
            yield lines(click("Save"), DONE)
        finally:
            raise ConnectionError("reset while closing")

    await stage.open()
    result = await stage.executor.run_burst(source())
    assert (result.stop, stage.computer.counts) == ("done", {"save": 1})


@pytest.mark.parametrize("chunks", [["a"], "text", None])
async def test_what_is_no_async_iterable_is_refused_with_the_fix(chunks: Any) -> None:
    stage = Stage()
    await stage.open()
    with pytest.raises(UsageError, match="async iterable"):
        await stage.executor.run_burst(chunks)


async def test_a_piece_of_another_type_is_refused_with_the_fix() -> None:
    stage = Stage()
    with pytest.raises(UsageError, match="int"):
        await stage.play(7)  # type: ignore[arg-type]
    assert stage.closed == 1


# -- the computer ------------------------------------------------------------------------------------------------


async def test_a_computer_that_cannot_even_let_go_ends_the_burst_as_an_error() -> None:
    """E5, Z14."""
    stage = Stage()

    async def broken() -> None:
        raise Disconnected("the screen went away")

    stage.computer.release_all = broken  # type: ignore[method-assign]
    result = await stage.play(lines(click("Save"), DONE))
    assert (result.stop, result.reason) == ("error", "the screen went away")


# -- targets -----------------------------------------------------------------------------------------------------


async def test_an_id_that_was_never_issued_fails_an_assert_and_a_wait_at_once() -> None:
    """Z2: waiting is of no use; and what never was is not gone either."""
    target = {"ax": {"id": "e999"}}
    for op in ("assert", "wait_until"):
        for gone in (False, True):
            stage = Stage()
            result = await stage.play(lines({"op": op, "target": target, "gone": gone}, DONE))
            assert result.stop == "aborted"
            assert "never given" in (result.reason or "")
            assert stage.clock.now() == 0


async def test_a_wait_ends_whatever_the_clock_rounds_to() -> None:
    """A5: every wait is bounded."""
    for start in (1e6 + 0.1, 3.3, 123456.789):
        stage = Stage()
        stage.clock.advance(start)
        with anyio.fail_after(10):
            for act in ({"op": "wait_until", "timeout_ms": 700.1}, {"op": "assert"}, {"op": "click"}):
                result = await stage.play(lines({**act, "target": {"ax": {"title": "Nowhere"}}}))
                assert result.stop == "aborted"


async def test_typing_at_a_point_goes_to_what_the_click_there_focused() -> None:
    """N2, T: a label's point focuses its field; no element was named that would have to have the focus."""
    stage = Stage(
        {
            "screen": [
                {
                    "role": "window",
                    "name": "W",
                    "box": [0, 0, 400, 400],
                    "children": [
                        {"role": "text", "name": "City", "label_for": "city", "box": [10, 10, 100, 20]},
                        {"role": "textbox", "id": "city", "box": [10, 50, 100, 20]},
                    ],
                }
            ]
        }
    )
    result = await stage.play(lines({"op": "type", "target": {"x": 20, "y": 15}, "text": "Porto"}, DONE))
    assert (result.stop, stage.computer.value("city")) == ("done", "Porto")


async def test_enter_and_tab_may_be_typed_where_no_text_is_taken() -> None:
    """A1, Z8: a line feed on a button is a click on it."""
    stage = Stage()
    result = await stage.play(lines(click("Save"), {"op": "type", "text": "\n\t"}, DONE))
    assert (result.stop, stage.computer.counts) == ("done", {"save": 2})


async def test_a_line_feed_typed_on_a_risky_button_is_risky() -> None:
    """Z8."""
    stage = Stage(risky="deny")
    result = await stage.play(lines({"op": "key", "keys": "tab"}, *[{"op": "key", "keys": "tab"}] * 3, OBSERVE))
    focus = await stage.computer.focus()
    assert focus.node is not None
    assert focus.node.name == "Delete"
    result = await stage.play(lines({"op": "type", "text": "\n"}, DONE))
    assert (result.stop, stage.computer.counts) == ("denied", {})


LIST = {
    "screen": [
        {
            "role": "window",
            "name": "List",
            "box": [0, 0, 400, 400],
            "children": [
                {
                    "role": "list",
                    "id": "list",
                    "box": [0, 0, 200, 300],
                    "scrolls": True,
                    "content": [200, 2000],
                    "children": [
                        {"role": "listitem", "id": "near", "name": "Near", "draggable": True, "box": [0, 0, 200, 40]},
                        {
                            "role": "listitem",
                            "id": "other",
                            "name": "Other",
                            "draggable": True,
                            "box": [0, 250, 200, 40],
                        },
                        {
                            "role": "group",
                            "id": "bin",
                            "name": "Bin",
                            "box": [0, 330, 200, 40],
                            "on_drop": {"other": [{"count": "other"}], "*": [{"count": "wrong"}]},
                        },
                    ],
                }
            ],
        }
    ]
}


def drag(start: str, end: str) -> dict[str, Any]:
    return {"op": "drag", "from": {"ax": {"title": start}}, "to": {"ax": {"title": end}}}


async def test_a_drag_whose_end_had_to_be_scrolled_to_never_picks_up_another_thing() -> None:
    """A7, T7: both ends are on the screen at the moment the button goes down, or it does not."""
    stage = Stage(LIST)
    result = await stage.play(lines(drag("Near", "Bin"), DONE))
    assert (result.stop, stage.computer.counts) == ("aborted", {})
    assert "at the same time" in (result.reason or "")
    result = await stage.play(lines(drag("Other", "Bin"), DONE))
    assert (result.stop, stage.computer.counts) == ("done", {"other": 1})


# -- risk --------------------------------------------------------------------------------------------------------


async def test_an_approver_that_fails_is_a_no() -> None:
    """R2: anything but a yes."""

    def approve(request: ApprovalRequest) -> bool:
        raise RuntimeError("the dialog could not be shown")

    stage = Stage(risky="ask", approve=approve)
    result = await stage.play(lines(click("Delete"), DONE))
    assert (result.stop, stage.computer.counts) == ("denied", {})
    assert "the dialog could not be shown" in stage.all(Denied)[0].message


async def test_what_was_allowed_is_not_swapped_for_its_double_at_the_last_moment() -> None:
    """Z7: another element of the same look, after the second look and before the click, was not decided on."""
    stage = Stage(risky="ask", approve=lambda request: True)
    prepare = stage.computer.prepare
    swapped: list[str] = []

    async def swap(handle: str, *rest: Any) -> tuple[float, float]:
        if not swapped:
            swapped.append(stage.computer.replace("delete"))
        return await prepare(handle, *rest)

    stage.computer.prepare = swap  # type: ignore[method-assign]
    result = await stage.play(lines(click("Delete"), DONE))
    assert swapped
    assert (result.stop, stage.computer.counts) == ("aborted", {})


async def test_an_element_that_is_replaced_while_it_is_made_ready_is_found_again() -> None:
    """T2, T7: where nothing had to be allowed."""
    stage = Stage()
    prepare = stage.computer.prepare
    swapped: list[str] = []

    async def swap(handle: str, *rest: Any) -> tuple[float, float]:
        if not swapped:
            swapped.append(stage.computer.replace("save"))
        return await prepare(handle, *rest)

    stage.computer.prepare = swap  # type: ignore[method-assign]
    result = await stage.play(lines(click("Save"), DONE))
    assert (result.stop, stage.computer.counts) == ("done", {"save": 1})


@pytest.mark.parametrize(
    "lost",
    [
        '{"op":"assert","target":{}}',
        '{"op":"act","do":"observe"',
        '{"op" : "Done"}',
        "{'op':'assert','target':{'ax':{'title':'Save'}}}",
        "{op: 'observe'}",
    ],
)
async def test_a_lost_barrier_is_known_by_its_op_however_it_is_written(lost: str) -> None:
    """Z6."""
    stage = Stage(risky="deny")
    result = await stage.play(lines(lost, click("Save"), DONE))
    assert (result.stop, stage.computer.counts) == ("denied", {})


async def test_behind_a_lost_barrier_typing_into_a_target_is_denied_and_not_failed() -> None:
    """Z6: only what goes to wherever the focus is fails for doubt alone."""
    stage = Stage(risky="deny")
    result = await stage.play(lines('{"op":"observe"', into("Name", "x"), DONE))
    assert (result.stop, stage.computer.value("name")) == ("denied", "")


# -- the embedder's own acts -------------------------------------------------------------------------------------


def with_acts(*functions: Any) -> Stage:
    return Stage(catalogue=Catalogue(acts=[CustomAct.from_function(function) for function in functions]))


async def test_an_act_that_fails_with_an_error_of_ours_is_told_to_the_model() -> None:
    """N5: whatever it raises, the run goes on."""

    def look_up(word: str) -> str:
        """Look a word up."""
        raise UsageError("no dictionary is installed")

    stage = with_acts(look_up)
    result = await stage.play(lines({"op": "look_up", "word": "x"}, DONE))
    (failed,) = stage.all(Failed)
    assert (result.stop, failed.error) == ("aborted", "ActionError")
    assert "no dictionary" in failed.message


async def test_an_act_whose_answer_is_no_json_is_told_as_it_is() -> None:
    """N5."""

    def tangle(kind: str) -> Any:
        """Give back something odd."""
        if kind == "circle":
            circle: list[Any] = []
            circle.append(circle)
            return circle
        return {(1, 2): "pair"}

    for kind in ("circle", "keys"):
        stage = with_acts(tangle)
        assert (await stage.play(lines({"op": "tangle", "kind": kind}, DONE))).stop == "done"


async def test_a_held_custom_act_waits_like_any_other() -> None:
    """N5, R2."""
    calls: list[int] = []

    def pay(cents: int) -> None:
        """Pay an amount."""
        calls.append(cents)

    stage = Stage(risky="hold", catalogue=Catalogue(acts=[CustomAct.from_function(pay, risk="risky")]))
    seen: list[int] = []

    async def look() -> None:
        while not stage.all(Held):
            await stage.clock.sleep(0.01)
        seen.append(len(calls))

    await stage.play(lines({"op": "pay", "cents": 5}, close=""), look, lines(DONE, fence=""))
    assert (seen, calls) == ([0], [5])
    assert [event.line for event in stage.all(Committed)] == [2, 3]


# -- bounds ------------------------------------------------------------------------------------------------------


async def test_lines_that_come_while_one_is_held_abort_the_burst_when_they_are_too_many() -> None:
    """Z1: the queue fills while the line is already held."""
    stage = Stage(risky="hold")

    async def held() -> None:
        await until(lambda: stage.all(Held))

    many = [click("Save")] * (QUEUE_LIMIT + 1)
    with anyio.fail_after(10):
        result = await stage.play(lines(click("Delete"), close=""), held, lines(*many, DONE, fence=""))
    assert (result.stop, stage.computer.counts) == ("aborted", {})
    assert set(stage.ends().values()) == {"discarded"}


async def test_a_computer_that_never_delivers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A5, E5: every wait is bounded."""
    monkeypatch.setattr(performing, "PERFORM_LIMIT_S", 0.01)
    stage = Stage()

    async def hang(command: object) -> None:
        await anyio.sleep_forever()

    stage.computer.perform = hang  # type: ignore[method-assign, assignment]
    result = await stage.play(lines(click("Save"), DONE))
    assert (result.stop, stage.ends()) == ("error", {2: "failed:ComputerTimeout", 3: "discarded"})


async def test_an_act_of_ones_own_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """N5, A5."""
    monkeypatch.setattr(performing, "CUSTOM_LIMIT_S", 0.01)

    async def hang() -> None:
        """Hang."""
        await anyio.sleep_forever()

    stage = with_acts(hang)
    result = await stage.play(lines({"op": "hang"}, DONE))
    assert (result.stop, stage.ends()[2]) == ("aborted", "failed:TargetNotActionable")


async def test_a_stream_that_does_not_close_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """E3: closing is bounded."""
    monkeypatch.setattr(pieces, "RELEASE_LIMIT_S", 0.01)
    stage = Stage()

    async def source() -> AsyncIterator[str]:
        try:
            yield lines(click("Save"), DONE)
        finally:
            await anyio.sleep_forever()

    await stage.open()
    assert (await stage.executor.run_burst(source())).stop == "done"


@pytest.mark.parametrize(
    ("act", "summary"),
    [
        (click("Save"), 'click button "Save"'),
        (drag("Card", "Slot"), 'drag "Card" to "Slot"'),
        (into("Name", "a\nb"), 'type "a b" into textbox "Name"'),
        ({"op": "key", "keys": ["cmd", "n"]}, "key cmd+n"),
        ({"op": "scroll", "direction": "down"}, "scroll down 1"),
        ({"op": "open", "target": "Notes"}, "open Notes"),
        ({"op": "wait", "ms": 5}, "wait 5 ms"),
        ({"op": "wait_until", "target": {"ax": {"title": "Save"}}}, 'wait_until "Save"'),
        ({"op": "look_up", "word": "x"}, 'look_up {"word": "x"}'),
    ],
)
async def test_whoever_is_asked_reads_the_act_in_a_few_words(act: dict[str, Any], summary: str) -> None:
    """R2: on one line, whatever is in it."""

    def look_up(word: str) -> None:
        """Look a word up."""

    asked: list[str] = []

    def no(request: ApprovalRequest) -> bool:
        asked.append(request.summary)
        return False

    acts = Catalogue(acts=[CustomAct.from_function(look_up)])
    stage = Stage(risky="ask", approve=no, catalogue=acts)
    await stage.play(lines({**act, "risk": "risky"}, DONE))
    assert asked == [summary]


async def test_points_may_be_asserted_and_waited_for() -> None:
    """Z22, N4."""
    stage = Stage()
    await stage.open()
    box = stage.computer.node("save").box
    assert box is not None
    x, y = box.centre
    there, bare, outside = {"x": x, "y": y}, {"x": 1279, "y": 799}, {"x": 5000, "y": 0}
    for target, gone, stop in [
        (there, False, "done"),
        (there, True, "aborted"),
        (bare, False, "aborted"),
        (bare, True, "done"),
        (outside, False, "aborted"),
        (outside, True, "done"),
    ]:
        assert (await stage.play(lines({"op": "assert", "target": target, "gone": gone}, DONE))).stop == stop


async def test_a_lost_barrier_is_recognised_however_late_in_the_line_its_op_stands() -> None:
    """Z6: the quoted text is cut at 200 characters, the judgement is not."""
    stage = Stage(risky="deny")
    lost = '{"note":"' + "x" * 500 + '","op":"assert","target":{}}'
    await stage.play(lines(lost, click("Save"), DONE))
    assert stage.ends()[3] == "denied"


async def test_enter_in_a_field_is_judged_as_a_click_on_the_button_that_it_presses() -> None:
    """Z8."""
    form = {
        "screen": [
            {
                "role": "window",
                "name": "Pay",
                "children": [
                    {"role": "textbox", "id": "sum", "name": "Amount", "on_enter": [{"click": "go"}]},
                    {"role": "button", "id": "go", "name": "Transfer", "on_click": [{"count": "paid"}]},
                ],
            }
        ]
    }
    for last in ({"op": "key", "keys": "enter"}, {"op": "type", "text": "\n"}):
        stage = Stage(form, risky="deny")
        result = await stage.play(lines(into("Amount", "12"), last, DONE))
        assert (result.stop, stage.computer.counts) == ("denied", {})
