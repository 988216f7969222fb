"""The loop: what the model is told, budgets, ends, retries, the answer's shape (E4, E6, N1, O5, Z13, Z14)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import msgspec
import pytest

from axstream.computer.memory import MemoryComputer, VirtualClock, parse_scene
from axstream.errors import Disconnected, ModelError, RateLimited, StreamBroken
from axstream.models.base import Chunk, Prompt, Usage
from axstream.policy import Policy
from axstream.runtime.history import MAX_LINES
from axstream.runtime.session import MODEL_TRIES, Budgets, Outcome, Session
from axstream.trace.events import BurstEnded, Ended, Note, Observation, PromptSent, RunEvent, Started
from tests.runtime.stage import DONE, FORM, OBSERVE, click, into, lines

Piece = str | Chunk | Exception | Callable[[], Awaitable[object]]


class Answers:
    """A model that gives prepared answers, the last one for ever; ``prompts`` is all that it was asked."""

    name = "answers"
    few_shot = False
    takes_grammar = False

    def __init__(self, *answers: Sequence[Piece] | Exception) -> None:
        self._answers = answers
        self.prompts: list[Prompt] = []
        self.closed = 0

    @asynccontextmanager
    async def stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[Chunk]]:
        answer = self._answers[min(len(self.prompts), len(self._answers) - 1)]
        self.prompts.append(prompt)
        if isinstance(answer, Exception):
            raise answer
        try:
            yield self._pieces(answer)
        finally:
            self.closed += 1

    async def _pieces(self, answer: Sequence[Piece]) -> AsyncIterator[Chunk]:
        for piece in answer:
            await anyio.lowlevel.checkpoint()
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, str):
                yield Chunk(text=piece)
            elif isinstance(piece, Chunk):
                yield piece
            else:
                await piece()

    async def aclose(self) -> None:
        return

    def told(self, number: int) -> str:
        """What the prompt of a burst says, from 0."""
        return self.prompts[number].messages[-1].content


class Loop:
    def __init__(self, model: Answers, **options: Any) -> None:
        self.clock = VirtualClock()
        self.computer = MemoryComputer(parse_scene(json.dumps(FORM), "scene"), clock=self.clock)
        self.events: list[RunEvent] = []
        self.model = model
        self.slept: list[float] = []
        policy = options.pop("policy", None) or Policy(risky=options.pop("risky", "allow"))
        self.session = Session(
            "Fill in the form",
            self.computer,
            model,
            policy=policy,
            emit=lambda seconds, event: self.events.append(event),
            clock=self.clock.now,
            sleep=self.sleep,
            jitter=lambda: 1.0,
            **options,
        )

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await self.clock.sleep(seconds)

    async def run(self) -> Outcome:
        async with self.computer:
            with anyio.fail_after(20):
                return await self.session.run()

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


async def run(*answers: Sequence[Piece] | Exception, **options: Any) -> tuple[Loop, Outcome]:
    loop = Loop(Answers(*answers), **options)
    return loop, await loop.run()


# -- the way of a task -------------------------------------------------------------------------------------------


async def test_a_task_is_observed_prompted_performed_and_ended() -> None:
    loop, outcome = await run([lines(click("Save"), OBSERVE)], [lines(into("Name", "Ada"), DONE)])
    assert (outcome.stop, outcome.status, outcome.bursts, outcome.actions) == ("done", "success", 2, 2)
    assert loop.computer.counts == {"save": 1}
    kinds = [type(event).__name__ for event in loop.events]
    assert kinds[:3] == ["Started", "Observation", "PromptSent"]
    assert kinds[-2:] == ["BurstEnded", "Ended"]
    assert kinds.count("Observation") == 2
    assert [event.stop for event in loop.all(BurstEnded)] == ["observe", "done"]
    assert (loop.all(Started)[0].task, loop.all(Started)[0].model) == ("Fill in the form", "answers")


async def test_failure_that_the_model_declares_is_the_outcome_with_its_reason() -> None:
    """§3.4."""
    _, outcome = await run([lines({"op": "done", "status": "failure", "reason": "no export here"})])
    assert (outcome.stop, outcome.status, outcome.reason) == ("done", "failure", "no export here")


async def test_ids_run_on_and_an_element_keeps_its_id() -> None:
    """O7, T2."""
    loop = Loop(Answers([lines(OBSERVE)], [lines(DONE)]))

    async def swap() -> None:
        loop.computer.replace("save")

    loop.model._answers = ([lines(click("Save"), close=""), swap, lines(OBSERVE, fence="")], [lines(DONE)])
    await loop.run()
    first, second = ({e.name: e.id for e in event.elements} for event in loop.all(Observation))
    assert first["Name"] == second["Name"]
    assert second["Save"] not in first.values()


async def test_history_tells_what_ran_what_failed_what_was_rejected_and_no_old_screen() -> None:
    """O5, Z6."""
    broken = '{"op":"click","target":'
    loop, _ = await run([lines(click("Save"), broken, click("Off"), click("Save"), DONE)], [lines(DONE)])
    told = loop.model.told(1)
    assert 'ok: {"op":"click","target":{"ax":{"role":"button","title":"Save"}}} on button "Save" -> clicked' in told
    assert "REJECTED (not_json)" in told
    assert '{\\"op\\":\\"click\\",\\"target\\":' in told or broken in told
    assert "FAILED:" in told
    assert "disabled" in told
    assert "not run: 2 action(s)" in told
    assert told.count("Screen (data") == 1
    assert told.count('button "Twin"') == 2


async def test_history_stays_bounded_over_a_long_run() -> None:
    """O5."""
    loop, _ = await run(
        [lines(*[click("Save")] * 40, OBSERVE)],
        [lines(*[click("Save")] * 40, OBSERVE)],
        [lines(DONE)],
    )
    told = loop.model.told(2)
    assert told.count("- ok: ") <= MAX_LINES
    assert "20 earlier lines left out" in told


async def test_a_cut_off_line_is_told() -> None:
    """O5, W8."""
    loop, _ = await run([lines(click("Save"), close='{"op":"cl')], [lines(DONE)])
    assert "CUT OFF" in loop.model.told(1)


async def test_the_grammar_goes_with_the_prompt_where_the_model_takes_one() -> None:
    model = Answers([lines(DONE)])
    loop = Loop(model)
    await loop.run()
    assert model.prompts[0].grammar is None
    for wanted in (True, False):
        model = Answers([lines(DONE)])
        model.takes_grammar = True
        loop = Loop(model, grammar=wanted)
        await loop.run()
        assert (model.prompts[0].grammar is not None) == wanted
        if wanted:
            assert "Save" in model.prompts[0].grammar.gbnf  # type: ignore[union-attr]


async def test_seed_temperature_and_the_bound_of_one_answer_reach_the_model() -> None:
    model = Answers([lines(DONE)])
    await Loop(model, seed=7, temperature=0.5, budgets=Budgets(answer_tokens=99)).run()
    (prompt,) = model.prompts
    assert (prompt.seed, prompt.temperature, prompt.max_tokens) == (7, 0.5, 99)


# -- budgets (E6) ------------------------------------------------------------------------------------------------


async def test_the_budget_of_bursts_ends_the_run() -> None:
    loop, outcome = await run([lines(click("Save"), OBSERVE)], budgets=Budgets(bursts=4))
    assert (outcome.stop, outcome.bursts) == ("budget", 4)
    assert "4 bursts" in (outcome.reason or "")
    assert loop.computer.counts == {"save": 4}


async def test_the_budget_of_actions_ends_the_run_over_bursts() -> None:
    loop, outcome = await run([lines(click("Save"), click("Save"), OBSERVE)], budgets=Budgets(actions=3))
    assert (outcome.stop, loop.computer.counts) == ("budget", {"save": 3})
    assert "action" in (outcome.reason or "")


async def test_the_budget_of_seconds_ends_the_run() -> None:
    _, outcome = await run([lines({"op": "wait", "ms": 1000}, OBSERVE)], budgets=Budgets(seconds=2.5))
    assert (outcome.stop, outcome.bursts) == ("budget", 3)
    assert "2.5 seconds" in (outcome.reason or "")


async def test_the_budget_of_seconds_ends_an_answer_that_hangs() -> None:
    loop, outcome = await run(["```\n", anyio.sleep_forever], budgets=Budgets(seconds=0.05))
    assert outcome.stop == "budget"
    assert loop.model.closed == 1


async def test_the_budget_of_tokens_counts_prompts_and_answers() -> None:
    usage = Chunk(usage=Usage(prompt_tokens=600, completion_tokens=400))
    _, outcome = await run([usage, lines(click("Save"), OBSERVE)], budgets=Budgets(tokens=1500))
    assert (outcome.stop, outcome.bursts) == ("budget", 2)
    assert "1500 tokens" in (outcome.reason or "")
    assert outcome.usage == Usage(prompt_tokens=1200, completion_tokens=800)


async def test_tokens_are_estimated_where_no_provider_counts_them() -> None:
    _, outcome = await run([lines(DONE)])
    assert not outcome.usage.exact
    assert outcome.usage.prompt_tokens > outcome.usage.completion_tokens > 0


async def test_no_budget_is_no_limit() -> None:
    none = Budgets(bursts=None, actions=None, seconds=None, tokens=None)
    answers = [[lines(click("Save"), OBSERVE)]] * 30
    _, outcome = await run(*answers, [lines(DONE)], budgets=none)
    assert (outcome.stop, outcome.bursts) == ("done", 31)


# -- what ends a run (Z13) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        pytest.param([lines(OBSERVE)], "aborted", id="observe"),
        pytest.param(["no actions at all\n"], "exhausted", id="no fence"),
        pytest.param([lines(click("Off"))], "aborted", id="failed acts"),
        pytest.param([lines({"op": "assert", "target": {"ax": {"title": "Save"}}}, OBSERVE)], "aborted", id="asserts"),
    ],
)
async def test_three_bursts_without_an_executed_act_end_the_run(answer: list[str], stop: str) -> None:
    _, outcome = await run(answer)
    assert (outcome.stop, outcome.bursts) == (stop, 3)
    assert "executed no action" in (outcome.reason or "")


async def test_an_executed_act_starts_the_count_of_idle_bursts_anew() -> None:
    idle: list[Piece] = [lines(OBSERVE)]
    _, outcome = await run(idle, idle, [lines(click("Save"), OBSERVE)], idle, idle, [lines(DONE)])
    assert (outcome.stop, outcome.bursts) == ("done", 6)


async def test_the_same_denial_twice_ends_the_run_as_denied() -> None:
    save = lines(click("Save"), click("Delete"), DONE)
    loop, outcome = await run([save], risky="deny")
    assert (outcome.stop, outcome.bursts) == ("denied", 2)
    assert "denied 2 times" in (outcome.reason or "")
    assert loop.computer.counts == {"save": 2}
    assert "DENIED" in loop.model.told(1)


async def test_a_denial_may_be_got_round_by_another_way() -> None:
    _, outcome = await run([lines(click("Delete"))], [lines(click("Save"), DONE)], risky="deny")
    assert (outcome.stop, outcome.status) == ("done", "success")


async def test_three_idle_bursts_end_the_run_as_aborted_though_the_last_was_denied() -> None:
    """Z13: exit 3; each denial was another one."""
    answers = [[lines(click("Save", risk="risky"))], [lines(click("Delete"))], [lines(into("Name", "x", risk="risky"))]]
    _, outcome = await run(*answers, risky="deny")
    assert (outcome.stop, outcome.bursts) == ("aborted", 3)


async def test_aborted_exhausted_interrupted_and_denied_bursts_are_followed_by_another() -> None:
    """Z13, E2, E4."""
    answers: list[list[Piece]] = [
        [lines(click("Save"), click("Off"))],
        [lines(click("Save"))],
        [lines(click("Save"), close=""), StreamBroken("reset by peer")],
        [lines(click("Save"), click("Delete"))],
        [lines(DONE)],
    ]
    loop, outcome = await run(*answers, risky="deny")
    assert [e.stop for e in loop.all(BurstEnded)] == ["aborted", "exhausted", "interrupted", "denied", "done"]
    assert outcome.stop == "done"
    assert loop.computer.counts == {"save": 4}
    assert "reset by peer" in loop.model.told(3)


# -- the answer (N1) ---------------------------------------------------------------------------------------------


class Invoice(msgspec.Struct):
    number: str
    total: float


def answered(result: object) -> list[Piece]:
    return [lines({**DONE, "result": result})]


async def test_the_answer_is_read_as_the_callers_type() -> None:
    loop, outcome = await run(answered({"number": "A-7", "total": 12.5}), result=Invoice)
    assert outcome.result == Invoice("A-7", 12.5)
    assert loop.all(Ended)[0].result == {"number": "A-7", "total": 12.5}
    assert '"total"' in loop.model.told(0)


async def test_an_answer_that_does_not_fit_is_told_once_and_may_be_mended() -> None:
    loop, outcome = await run(answered({"number": "A-7"}), answered({"number": "A-7", "total": 1}), result=Invoice)
    assert (outcome.status, outcome.bursts) == ("success", 2)
    assert "total" in loop.model.told(1)
    assert "send done again" in loop.model.told(1)


@pytest.mark.parametrize("second", [answered({"number": 7}), [lines(DONE)]])
async def test_an_answer_that_does_not_fit_twice_is_a_failure(second: list[Piece]) -> None:
    loop, outcome = await run(answered({"number": "A-7"}), second, result=Invoice)
    assert (outcome.stop, outcome.status, outcome.result, outcome.bursts) == ("done", "failure", None, 2)
    assert outcome.reason
    assert loop.all(Ended)[0].status == "failure"


async def test_a_json_schema_is_held_too() -> None:
    schema = {"type": "object", "required": ["total"], "properties": {"total": {"type": "number"}}}
    loop, outcome = await run(answered({"total": "12"}), answered({"total": 12}), result=schema)
    assert (outcome.status, outcome.result) == ("success", {"total": 12})
    assert "result.total" in loop.model.told(1)


async def test_declared_failure_needs_no_answer() -> None:
    _, outcome = await run([lines({"op": "done", "status": "failure", "reason": "none"})], result=Invoice)
    assert (outcome.status, outcome.bursts) == ("failure", 1)


async def test_an_answer_without_a_schema_is_any_json() -> None:
    _, outcome = await run(answered([1, None, "x"]))
    assert outcome.result == [1, None, "x"]


# -- providers that fail (E4, Z14) -------------------------------------------------------------------------------


async def test_an_answer_is_asked_for_again_with_back_off_while_nothing_of_it_came() -> None:
    loop, outcome = await run(ModelError("503"), [StreamBroken("reset")], [lines(DONE)])
    assert outcome.stop == "done"
    assert [second for second in loop.slept if second >= 1] == [1.0, 2.0]
    assert [("503" in note.text, "reset" in note.text) for note in loop.all(Note)] == [(True, False), (False, True)]
    assert len(loop.all(PromptSent)) == 1


async def test_what_the_provider_asks_to_wait_is_waited() -> None:
    loop, outcome = await run(RateLimited("slow down", retry_after=7.0), [lines(DONE)])
    assert (outcome.stop, 7.0 in loop.slept) == ("done", True)


async def test_a_provider_that_asks_for_longer_than_we_wait_is_told_to_the_caller() -> None:
    """E4: never earlier than Retry-After says."""
    loop, outcome = await run(RateLimited("quota used up", retry_after=3600.0), [lines(DONE)])
    assert outcome.stop == "error"
    assert "quota used up" in (outcome.reason or "")
    assert "3600" in (outcome.reason or "")
    assert len(loop.model.prompts) == 1


async def test_after_the_first_piece_an_answer_is_never_asked_for_again() -> None:
    """E4: the loop observes anew instead; the next prompt is another one."""
    loop, outcome = await run([lines(click("Save"), close=""), ModelError("overloaded")], [lines(DONE)])
    assert outcome.stop == "done"
    assert loop.all(Note) == []
    assert len(loop.all(Observation)) == 2
    assert loop.computer.counts == {"save": 1}


async def test_a_refused_key_is_not_asked_for_again_and_ends_the_run_as_an_error() -> None:
    """Z14."""
    loop, outcome = await run(ModelError("the key was refused", retry=False))
    assert (outcome.stop, outcome.reason) == ("error", "the key was refused")
    assert len(loop.model.prompts) == 1


async def test_a_provider_that_never_answers_ends_the_run_as_an_error() -> None:
    """Z14, E4."""
    loop, outcome = await run(ModelError("503"))
    assert (outcome.stop, outcome.reason) == ("error", "503")
    assert len(loop.model.prompts) == MODEL_TRIES


async def test_a_model_client_that_crashes_is_a_broken_stream() -> None:
    """E5."""
    loop, outcome = await run([lines(click("Save"), close=""), KeyError("choices")], [lines(DONE)])
    assert outcome.stop == "done"
    assert loop.computer.pressed == frozenset()


async def test_a_computer_that_fails_ends_the_run_as_an_error() -> None:
    """Z14: while it is looked at, too."""
    loop = Loop(Answers([lines(DONE)]))

    async def broken() -> None:
        raise Disconnected("the browser is gone")

    loop.computer.observe = broken  # type: ignore[method-assign, assignment]
    outcome = await loop.run()
    assert (outcome.stop, outcome.reason) == ("error", "the browser is gone")
    assert isinstance(loop.events[-1], Ended)


# -- from outside ------------------------------------------------------------------------------------------------


async def test_a_run_is_cancelled_in_the_middle_of_an_answer() -> None:
    """E5."""
    loop = Loop(Answers([lines(DONE)]))

    async def cut() -> None:
        loop.session.cancel("enough")
        await anyio.sleep_forever()

    loop.model._answers = ([lines(click("Save"), close=""), cut],)
    outcome = await loop.run()
    assert (outcome.stop, outcome.reason, outcome.bursts) == ("cancelled", "enough", 1)
    assert loop.model.closed == 1
    assert loop.computer.pressed == frozenset()


async def test_a_run_is_cancelled_while_it_waits_to_ask_again() -> None:
    loop = Loop(Answers(ModelError("503")))

    async def sleep(seconds: float) -> None:
        loop.session.cancel("enough")
        await anyio.sleep_forever()

    loop.session._sleep = sleep
    assert (await loop.run()).stop == "cancelled"


async def test_a_run_that_is_cancelled_before_it_began_asks_no_model() -> None:
    loop = Loop(Answers([lines(DONE)]))
    loop.session.cancel("never mind")
    assert (await loop.run()).stop == "cancelled"
    assert loop.computer.counts == {}


@pytest.mark.parametrize("how", ["cancel", "budget"])
async def test_a_run_ends_while_it_looks_at_a_screen_that_does_not_settle(how: str) -> None:
    """E5, E6: no model is asked then."""
    loop = Loop(Answers([lines(DONE)]), budgets=Budgets(seconds=0.05 if how == "budget" else None))

    async def observe() -> None:
        if how == "cancel":
            loop.session.cancel("enough")
        await anyio.sleep_forever()

    loop.computer.observe = observe  # type: ignore[method-assign, assignment]
    outcome = await loop.run()
    assert (outcome.stop, loop.model.prompts) == ("cancelled" if how == "cancel" else "budget", [])


async def test_a_used_up_budget_names_what_was_given_and_that_the_model_was_silent() -> None:
    """E6: the number is the caller's own, not what happened to be left."""
    _, outcome = await run(["", anyio.sleep_forever], budgets=Budgets(seconds=0.05))
    assert outcome.reason == "the budget of 0.05 seconds is used up; the model had sent nothing yet"
    many = lines(*[click("Save")] * 5, close="")
    _, outcome = await run([many], budgets=Budgets(actions=3))
    assert outcome.reason == "the budget of 3 actions is used up"


async def test_only_acts_that_were_performed_are_counted() -> None:
    _, outcome = await run([lines(click("Save"), click("Delete"), DONE)], risky="deny")
    assert outcome.actions == 2  # the first of each of two bursts, before the same denial twice
    assert outcome.stop == "denied"


async def test_what_nobody_wished_ends_the_run_as_an_error() -> None:
    """Z14: a record that can be written no more is no cancellation."""
    loop = Loop(Answers([lines(click("Save"), close=""), anyio.sleep_forever]))

    async def fail() -> None:
        while not loop.computer.counts:
            await anyio.lowlevel.checkpoint()
        loop.session.cancel("the disk is full", stop="error")

    outcome: list[Outcome] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(fail)
        outcome.append(await loop.run())
    assert (outcome[0].stop, outcome[0].reason) == ("error", "the disk is full")
