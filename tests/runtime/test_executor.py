"""The executor against a memory desktop: barriers, order, failure, hold, caution, release (E1-E9, R1-R4, Z)."""

from __future__ import annotations

import anyio
import pytest

from axstream.errors import Disconnected, StreamBroken
from axstream.models.base import Chunk
from axstream.policy import ApprovalRequest, Policy
from axstream.runtime.burst import QUEUE_LIMIT, Limits
from axstream.trace.events import Committed, Denied, Discarded, Executed, Failed, Held
from tests.runtime.stage import DONE, OBSERVE, Stage, click, into, lines


async def test_a_line_runs_at_its_newline_and_not_before() -> None:
    """E1, §2: the effect is there before the stream goes on; half a line does nothing."""
    stage = Stage()
    seen: list[int] = []

    async def look() -> None:
        await stage.settled()
        seen.append(stage.computer.counts.get("save", 0))

    text = '{"op":"click","target":{"ax":{"title":"Save"}}}'
    result = await stage.play("```\n", text, look, "\n", look, text, look, '\n{"op":"done","status":"success"}\n', look)
    assert seen == [0, 1, 1]
    assert (result.stop, result.status, stage.computer.counts["save"]) == ("done", "success", 2)


async def test_an_unterminated_last_line_never_runs_on_a_clean_end_either() -> None:
    """W8."""
    stage = Stage()
    result = await stage.play("```\n" + '{"op":"click","target":{"ax":{"title":"Save"}}}')
    assert stage.computer.counts == {}
    assert result.stop == "exhausted"
    assert "middle of a line" in (result.reason or "")


async def test_identical_lines_all_run_in_order() -> None:
    """E9."""
    stage = Stage()
    await stage.play(lines(*[click("Save")] * 5, DONE))
    assert stage.computer.counts == {"save": 5}


async def test_an_invalid_line_is_skipped_and_the_stream_goes_on() -> None:
    """§6.4, upstream: a string for ms is a rejected line and no abort."""
    stage = Stage()
    result = await stage.play(lines('{"op":"wait","ms":"300"}', click("Save"), "not json", click("Save"), DONE))
    assert stage.computer.counts == {"save": 2}
    assert (result.stop, result.rejected) == ("done", 2)


async def test_a_failed_act_ends_the_burst_and_closes_the_stream() -> None:
    """E2: what was planned on its success is discarded."""
    stage = Stage()
    result = await stage.play(lines(click("Off"), click("Save"), DONE, close=""), "more\n")
    assert stage.ends() == {2: "failed:TargetNotActionable", 3: "discarded", 4: "discarded"}
    assert result.stop == "aborted"
    assert stage.closed == 1
    assert stage.computer.counts == {}


async def test_on_failure_continue_goes_on_behind_an_act_but_not_behind_an_assert() -> None:
    """E2."""
    stage = Stage(on_failure="continue")
    missing = {"op": "assert", "target": {"ax": {"title": "Nowhere"}}}
    result = await stage.play(lines(click("Off"), click("Save"), missing, click("Save"), DONE))
    assert stage.ends()[3] == "executed"
    assert stage.ends()[4] == "failed:AssertFailed"
    assert stage.ends()[5] == "discarded"
    assert result.stop == "aborted"


async def test_a_committed_barrier_closes_the_stream_before_slow_acts_have_ended() -> None:
    """E3, Z20: closed when it commits; its end takes effect in order."""
    stage = Stage(action_ms=1000)
    closed_at: list[int] = []

    async def after() -> None:
        raise AssertionError("the stream was read past its barrier")

    async def source_end() -> None:
        closed_at.append(stage.computer.counts.get("save", 0))

    result = await stage.play(
        "```\n", source_end, lines(click("Save"), click("Save"), OBSERVE, fence="", close=""), after
    )
    assert result.stop == "observe"
    assert stage.computer.counts == {"save": 2}
    assert stage.closed == 1


async def test_nothing_runs_behind_a_barrier_of_the_same_response() -> None:
    """W10."""
    stage = Stage()
    await stage.play(lines(click("Save"), DONE) + "text\n" + lines(click("Save"), DONE))
    assert stage.computer.counts == {"save": 1}
    assert stage.ends()[7] == "discarded"


async def test_several_fences_run_until_a_barrier() -> None:
    """W10."""
    stage = Stage()
    await stage.play(lines(click("Save")) + "and now\n" + lines(click("Save"), DONE))
    assert stage.computer.counts == {"save": 2}


async def test_a_stream_without_a_barrier_is_exhausted_and_a_broken_one_interrupted() -> None:
    """E4, Z20: committed lines run in both."""
    stage = Stage()
    assert (await stage.play(lines(click("Save")))).stop == "exhausted"
    result = await stage.play(lines(click("Save"), close=""), StreamBroken("connection reset"))
    assert (result.stop, result.reason) == ("interrupted", "connection reset")
    assert stage.computer.counts == {"save": 2}


async def test_a_stream_that_raises_anything_is_a_broken_one() -> None:
    """E4: the caller's own iterable may raise what it likes."""
    stage = Stage()
    result = await stage.play(lines(click("Save"), close=""), ValueError("surprise"))
    assert (result.stop, result.reason) == ("interrupted", "surprise")


async def test_no_fence_is_said_and_the_first_json_quoted() -> None:
    """Z21."""
    stage = Stage()
    result = await stage.play('sure:\n{"op":"click"}\n')
    assert result.fences == 0
    assert result.first_json == '{"op":"click"}'
    assert "no fenced block" in (result.reason or "")


async def test_a_target_that_appears_later_is_waited_for() -> None:
    """T6."""
    stage = Stage()
    result = await stage.play(lines(click("Later"), DONE))
    assert (result.stop, stage.computer.counts) == ("done", {"later": 1})


async def test_a_target_that_never_appears_fails_within_the_wait() -> None:
    """T6."""
    stage = Stage()
    result = await stage.play(lines(click("Nowhere"), DONE))
    assert stage.ends()[2] == "failed:TargetNotFound"
    assert 2.0 <= stage.clock.now() < 3.0
    assert result.stop == "aborted"


async def test_equal_candidates_are_refused_with_their_ids() -> None:
    """T5: never a coin flip."""
    stage = Stage()
    await stage.play(lines(click("Twin"), DONE))
    (failed,) = stage.all(Failed)
    assert failed.error == "TargetAmbiguous"
    assert stage.id_of("twin1") in failed.message
    assert stage.id_of("twin2") in failed.message
    assert stage.computer.counts == {}


async def test_a_button_that_moved_after_the_observation_is_hit_where_it_is_now() -> None:
    """§6.5, T2."""
    stage = Stage()
    await stage.see()
    target = {"op": "click", "target": {"ax": {"id": stage.id_of("save")}}}
    await stage.play("```\n", lambda: stage.computer.move("save", 300, 200), lines(target, DONE, fence=""))
    assert stage.computer.counts == {"save": 1}


async def test_an_id_never_comes_to_mean_another_element() -> None:
    """T2, Z2: the element is gone, another stands in its place."""
    stage = Stage()
    await stage.see()
    number = stage.id_of("save")
    stage.computer.remove("save")
    result = await stage.play(lines({"op": "click", "target": {"ax": {"id": number}}}, DONE))
    assert (result.stop, stage.computer.counts) == ("aborted", {})


async def test_a_replaced_element_of_the_same_look_is_found_by_its_id() -> None:
    """T2: handle dead, one element with that fingerprint."""
    stage = Stage()
    await stage.see()
    number = stage.id_of("save")
    stage.computer.replace("save")
    await stage.play(lines({"op": "click", "target": {"ax": {"id": number}}}, DONE))
    assert stage.computer.counts == {"save": 1}


async def test_assert_on_a_vanished_element_fails_and_what_follows_is_discarded() -> None:
    """E3."""
    stage = Stage()
    stage.computer.remove("save")
    check = {"op": "assert", "target": {"ax": {"role": "button", "title": "Save"}}}
    result = await stage.play(lines(check, click("Delete"), DONE))
    assert stage.ends() == {2: "failed:AssertFailed", 3: "discarded", 4: "discarded"}
    assert result.stop == "aborted"


async def test_assert_gone_and_wait_until_gone_hold_when_none_is_left() -> None:
    """N4, Z12."""
    stage = Stage()
    stage.computer.remove("twin1")
    gone = {"op": "assert", "target": {"ax": {"title": "Twin"}}, "gone": True}
    result = await stage.play(lines(gone, DONE))
    assert result.stop == "aborted"
    stage.computer.remove("twin2")
    wait = {"op": "wait_until", "target": {"ax": {"title": "Twin"}}, "gone": True}
    assert (await stage.play(lines(gone, wait, DONE))).stop == "done"


async def test_assert_and_wait_until_hold_where_several_match() -> None:
    """Z12."""
    stage = Stage()
    target = {"ax": {"title": "Twin"}}
    assert (
        await stage.play(lines({"op": "assert", "target": target}, {"op": "wait_until", "target": target}, DONE))
    ).stop == "done"


async def test_wait_until_fails_when_its_time_is_over() -> None:
    """A5."""
    stage = Stage()
    await stage.play(lines({"op": "wait_until", "target": {"ax": {"title": "Nowhere"}}, "timeout_ms": 700}, DONE))
    assert stage.ends()[2] == "failed:TargetNotFound"
    assert 0.7 <= stage.clock.now() < 1.0


async def test_a_long_wait_is_cut_to_the_policys_cap_and_says_so() -> None:
    """A4, Z24."""
    stage = Stage(policy=Policy(risky="allow", max_wait_ms=1000))
    await stage.play(lines({"op": "wait", "ms": 600000}, DONE))
    assert stage.clock.now() == pytest.approx(1.0)
    assert "cap" in stage.all(Executed)[0].notes[0]


async def test_typing_goes_to_its_target_and_clears_first() -> None:
    """N2."""
    stage = Stage()
    await stage.play(lines(into("Name", "old"), into("Name", "Zoë 😀", clear=True), DONE))
    assert stage.computer.value("name") == "Zoë 😀"


async def test_typing_where_no_text_is_taken_fails_and_names_what_has_the_focus() -> None:
    """A1, Z18."""
    stage = Stage()
    await stage.play(lines(click("Save"), {"op": "type", "text": "hello"}, DONE))
    (failed,) = stage.all(Failed)
    assert (failed.error, failed.line) == ("TargetNotActionable", 3)
    assert "Save" in failed.message


async def test_a_point_outside_fails_and_names_the_bounds() -> None:
    """Z22."""
    stage = Stage()
    await stage.play(lines({"op": "click", "target": {"x": 5000, "y": 10}}, DONE))
    (failed,) = stage.all(Failed)
    assert failed.error == "TargetNotActionable"
    assert "1279" in failed.message


async def test_a_point_is_judged_by_what_lies_under_it() -> None:
    """Z22, R3."""
    stage = Stage(risky="deny")
    box = stage.computer.node("delete").box
    assert box is not None
    x, y = box.centre
    result = await stage.play(lines({"op": "click", "target": {"x": x, "y": y}}, DONE))
    assert (result.stop, stage.computer.counts) == ("denied", {})


# -- risk ------------------------------------------------------------------------------------------------------


async def test_risky_acts_are_denied_by_mark_and_by_our_judgement() -> None:
    """R1, R3, R4: `Risky` is risky too."""
    for act in (click("Save", risk="risky"), click("Save", risk="Risky"), click("Save", risk=5), click("Delete")):
        stage = Stage(risky="deny")
        result = await stage.play(lines(act, click("Save"), DONE))
        assert (result.stop, stage.computer.counts) == ("denied", {})
        assert stage.ends() == {2: "denied", 3: "discarded", 4: "discarded"}


async def test_ask_without_anybody_to_ask_is_a_deny() -> None:
    """R4."""
    stage = Stage(risky="ask")
    assert (await stage.play(lines(click("Delete"), DONE))).stop == "denied"


async def test_the_asked_one_gets_the_resolved_element_and_order_holds() -> None:
    """R2."""
    asked: list[ApprovalRequest] = []

    async def approve(request: ApprovalRequest) -> bool:
        asked.append(request)
        assert stage.computer.counts == {"save": 1}
        return True

    stage = Stage(risky="ask", approve=approve)
    await stage.play(lines(click("Save"), click("Delete"), click("Save"), DONE))
    assert stage.computer.counts == {"save": 2, "delete": 1}
    assert asked[0].element is not None
    assert (asked[0].element.role, asked[0].element.name) == ("button", "Delete")
    assert [event.mode for event in stage.all(Held)] == ["ask"]


@pytest.mark.parametrize("answer", [False, None, "yes", 1])
async def test_anything_but_true_is_a_no(answer: object) -> None:
    """R2."""
    stage = Stage(risky="ask", approve=lambda request: answer)
    assert (await stage.play(lines(click("Delete"), DONE))).stop == "denied"
    assert stage.computer.counts == {}


async def test_an_unanswered_ask_is_a_deny_after_its_time() -> None:
    """R2."""

    async def never(request: ApprovalRequest) -> bool:
        await anyio.sleep_forever()
        return True

    stage = Stage(policy=Policy(risky="ask", ask_timeout_s=0.01), approve=never)
    await stage.play(lines(click("Delete"), DONE))
    assert "nobody answered" in stage.all(Denied)[0].message


async def test_another_element_under_the_same_words_is_asked_for_anew() -> None:
    """Z7: what was approved is what is performed."""
    asked: list[str] = []

    def approve(request: ApprovalRequest) -> bool:
        assert request.element is not None
        asked.append(request.element.handle)
        if len(asked) == 1:
            stage.computer.replace("delete")
        return True

    stage = Stage(risky="ask", approve=approve)
    await stage.play(lines(click("Delete"), DONE))
    assert len(asked) == 2
    assert asked[0] != asked[1]
    assert stage.computer.counts == {"delete": 1}


async def test_a_target_that_changes_after_every_yes_is_given_up() -> None:
    """Z7."""

    def approve(request: ApprovalRequest) -> bool:
        stage.computer.replace("delete")
        return True

    stage = Stage(risky="ask", approve=approve)
    await stage.play(lines(click("Delete"), DONE))
    assert stage.ends()[2] == "failed:TargetNotActionable"
    assert stage.computer.counts == {}


async def test_a_held_act_runs_once_the_stream_is_complete_and_not_before() -> None:
    """R2: at a committed done."""
    stage = Stage(risky="hold")
    seen: list[dict[str, int]] = []

    async def look() -> None:
        while not stage.all(Held):
            await stage.clock.sleep(0.01)
        await stage.clock.sleep(1.0)
        seen.append(stage.computer.counts)

    result = await stage.play(lines(click("Delete"), click("Save"), close=""), look, lines(DONE, fence="", close=""))
    assert seen == [{}]
    assert stage.computer.counts == {"delete": 1, "save": 1}
    assert result.stop == "done"


async def test_a_held_act_runs_at_a_clean_end_with_the_fence_closed() -> None:
    """Z7."""
    stage = Stage(risky="hold")
    assert (await stage.play(lines(click("Delete")))).stop == "exhausted"
    assert stage.computer.counts == {"delete": 1}


@pytest.mark.parametrize(
    "end",
    [
        pytest.param([lines(click("Delete"), close="")], id="the fence stayed open"),
        pytest.param([lines(click("Delete"), close='{"op":"cl')], id="a later line was truncated"),
        pytest.param([lines(click("Delete"), close=""), StreamBroken("gone")], id="the stream broke"),
        pytest.param([lines(click("Delete")), StreamBroken("gone")], id="broken behind the fence"),
        pytest.param([lines(click("Delete")), Chunk(finish="length")], id="a length stop"),
    ],
)
async def test_a_held_act_does_not_run_where_the_answer_is_not_whole(end: list[object]) -> None:
    """R2, Z7."""
    stage = Stage(risky="hold")
    result = await stage.play(*end)  # type: ignore[arg-type]
    assert stage.computer.counts == {}
    assert stage.ends() == {2: "discarded"}
    assert result.stop in ("exhausted", "interrupted")


async def test_more_lines_than_may_wait_behind_a_held_one_abort_the_burst() -> None:
    """Z1, E1."""
    stage = Stage(risky="hold")
    many = [click("Save")] * (QUEUE_LIMIT + 10)
    result = await stage.play(lines(click("Delete"), *many, close=""), lines(DONE, fence=""))
    assert result.stop == "aborted"
    assert stage.computer.counts == {}
    assert set(stage.ends().values()) == {"discarded"}


async def test_more_lines_than_the_queue_holds_all_run_where_nothing_is_held() -> None:
    """E1: nothing is ever dropped for being too much."""
    stage = Stage()
    await stage.play(lines(*[click("Save")] * (QUEUE_LIMIT * 2), DONE), limits=Limits())
    assert stage.computer.counts == {"save": QUEUE_LIMIT * 2}


# -- caution behind a rejected line ------------------------------------------------------------------------------

LOST = '{"op":"click","target":{"ax":{"title":"Name"}'
TYPE = {"op": "type", "text": "x"}


async def test_typing_without_a_target_behind_a_lost_line_fails_where_nobody_can_be_asked() -> None:
    """E7, Z6: failed, not denied."""
    for act in (TYPE, {"op": "key", "keys": "a"}):
        stage = Stage(risky="ask")
        result = await stage.play(lines(into("Note", "a"), LOST, act, DONE))
        assert stage.ends()[4] == "failed:TargetNotActionable"
        assert result.stop == "aborted"
        assert stage.computer.value("note") == "a"


async def test_the_caution_is_asked_for_where_somebody_can_be() -> None:
    """E7: they count as risky, with that reason."""
    asked: list[tuple[str, ...]] = []

    def approve(request: ApprovalRequest) -> bool:
        asked.append(request.why)
        return True

    stage = Stage(risky="ask", approve=approve)
    await stage.play(lines(into("Note", "a"), LOST, TYPE, DONE))
    assert "rejected" in asked[0][0]
    assert stage.computer.value("note") == "ax"


@pytest.mark.parametrize(
    "between",
    [[click("Save"), into("Note", "b")], [into("Note", "b")], [{"op": "click", "target": {"ax": {"title": "Note"}}}]],
)
async def test_the_caution_ends_when_a_targeted_act_succeeds(between: list[dict[str, object]]) -> None:
    """Z6."""
    stage = Stage(risky="deny")
    result = await stage.play(lines(LOST, *between, TYPE, DONE))
    assert result.stop == "done"


async def test_the_caution_ends_at_the_closing_fence() -> None:
    """Z6."""
    stage = Stage(risky="deny")
    result = await stage.play(lines(into("Note", "a"), LOST) + lines(TYPE, DONE))
    assert (result.stop, stage.computer.value("note")) == ("done", "ax")


async def test_a_rejected_line_that_is_no_object_raises_no_caution() -> None:
    """Z6."""
    stage = Stage(risky="deny")
    assert (await stage.play(lines(into("Note", "a"), "oh well", TYPE, DONE))).stop == "done"


async def test_behind_a_lost_barrier_every_act_counts_as_risky() -> None:
    """Z6."""
    for lost in ('{"op":"assert","target":{}}', '{"op":"observe"', '{"op":"done"}'):
        stage = Stage(risky="deny")
        await stage.play(lines(lost, click("Save"), DONE))
        assert stage.ends()[3] == "denied"
        assert stage.computer.counts == {}


# -- ends from outside -------------------------------------------------------------------------------------------


async def test_cancelling_in_the_middle_of_a_drag_leaves_no_button_down() -> None:
    """E5."""
    stage = Stage(action_ms=1000)
    drag = {"op": "drag", "from": {"ax": {"title": "Card"}}, "to": {"ax": {"title": "Slot"}}}
    downs: list[frozenset[str]] = []

    async def cut() -> None:
        while not stage.computer.pressed:
            await stage.clock.sleep(0.001)
        downs.append(stage.computer.pressed)
        stage.executor.cancel("enough")

    result = await stage.play(lines(drag, click("Save"), close=""), cut, "x")
    assert downs[0]
    assert stage.computer.pressed == frozenset()
    assert (result.stop, result.reason) == ("cancelled", "enough")
    assert stage.ends() == {2: "failed:Cancelled", 3: "discarded"}
    assert stage.computer.counts == {}


async def test_cancelling_the_task_itself_passes_through_after_release() -> None:
    """E5."""
    stage = Stage(key_ms=50)
    with anyio.CancelScope() as scope:

        async def cut() -> None:
            while not stage.computer.value("note"):
                await stage.clock.sleep(0.001)
            scope.cancel()

        await stage.play(lines(into("Note", "x" * 10_000), close=""), cut, "x")
        raise AssertionError("the cancellation was swallowed")
    assert scope.cancelled_caught
    assert stage.computer.pressed == frozenset()
    assert 0 < len(stage.computer.value("note")) < 10_000
    assert stage.closed == 1


async def test_the_budget_of_actions_ends_the_burst() -> None:
    """E6."""
    stage = Stage()
    result = await stage.play(lines(*[click("Save")] * 5, DONE), limits=Limits(actions=3))
    assert (result.stop, stage.computer.counts) == ("budget", {"save": 3})
    assert list(stage.ends().values()).count("discarded") == 3


async def test_the_budget_of_seconds_ends_a_stream_that_hangs() -> None:
    """E6: bounded by real time."""
    stage = Stage()
    result = await stage.play("```\n", anyio.sleep_forever, limits=Limits(seconds=0.05))
    assert result.stop == "budget"
    assert stage.closed == 1


async def test_a_computer_that_fails_ends_the_burst_as_an_error() -> None:
    """Z14."""
    stage = Stage()

    async def broken(command: object) -> None:
        raise Disconnected("the screen went away")

    stage.computer.perform = broken  # type: ignore[method-assign, assignment]
    result = await stage.play(lines(click("Save"), DONE))
    assert (result.stop, result.reason) == ("error", "the screen went away")


async def test_every_committed_line_has_exactly_one_end() -> None:
    """The record: committed, then executed, failed, denied or discarded."""
    stage = Stage(risky="deny")
    await stage.play(
        lines(click("Save"), into("Name", "x"), click("Delete"), click("Save"), DONE) + lines(click("Save"))
    )
    committed = [event.line for event in stage.all(Committed)]
    ended = [event.line for kind in (Executed, Failed, Denied, Discarded) for event in stage.all(kind)]
    assert sorted(committed) == sorted(ended) == [2, 3, 4, 5, 6, 9]


async def test_lines_that_the_reader_had_not_queued_yet_are_recorded_as_discarded() -> None:
    """E2: the lines already in are recorded, however many came in one chunk."""
    stage = Stage()
    await stage.play(lines(click("Off"), *[click("Save")] * (QUEUE_LIMIT + 50), DONE))
    ends = list(stage.ends().values())
    assert ends.count("discarded") == QUEUE_LIMIT + 51
    assert len(stage.all(Committed)) == QUEUE_LIMIT + 52
