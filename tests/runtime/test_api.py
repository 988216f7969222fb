"""What an embedder writes: ``run``, ``execute``, ``observe``, ``memory``, custom acts, and leaving early (E5, N5, X1)."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from inspect import signature
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import msgspec
import pytest

import axstream as ax
from axstream.computer.memory import MemoryComputer
from axstream.errors import UsageError
from axstream.models.script import ScriptModel
from axstream.policy import ApprovalRequest, Policy
from axstream.runtime.api import book_of
from axstream.trace.events import Denied, Ended, Executed, Failed, Observation, RunEvent
from axstream.trace.reader import read_trace
from tests.runtime.stage import DONE, FORM, OBSERVE, click, into, lines, until

ALLOW = Policy(risky="allow")


def script(*answers: str) -> ScriptModel:
    return ScriptModel(answers)


async def pieces(*texts: str) -> AsyncIterator[str]:
    for text in texts:
        yield text


def kinds(events: list[RunEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


# -- the public names --------------------------------------------------------------------------------------------

NAMES = [
    "ActionError",
    "ApprovalRequest",
    "AxstreamError",
    "Budgets",
    "Catalogue",
    "Computer",
    "ComputerError",
    "CustomAct",
    "Model",
    "ModelError",
    "Outcome",
    "Outline",
    "Policy",
    "Run",
    "RunEvent",
    "Seen",
    "StreamParser",
    "TraceError",
    "UsageError",
    "__version__",
    "apply_changes",
    "browser",
    "execute",
    "memory",
    "observe",
    "open_computer",
    "open_model",
    "run",
]


def test_ax_browser_takes_what_the_computer_takes() -> None:
    from axstream.computer.browser.opening import Named

    assert [*signature(ax.browser).parameters] == ["url", *Named.__annotations__]


def test_the_exported_names_are_these_and_every_one_is_there() -> None:
    """A change here is a change of the public interface."""
    assert ax.__all__ == NAMES
    assert dir(ax) == sorted(NAMES)
    for name in NAMES:
        assert getattr(ax, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error_that_lists_those_that_are() -> None:
    with pytest.raises(AttributeError, match=r"'runn'.*observe"):
        ax.runn  # noqa: B018


def test_importing_loads_no_extra_and_no_terminal() -> None:
    heavy = ["playwright", "openai", "xllamacpp", "rich", "jsonschema"]
    look = f"import sys, axstream; print([name for name in {heavy} if name in sys.modules])"
    more = f"import sys, axstream; axstream.run, axstream.execute, axstream.memory(); print([n for n in {heavy} if n in sys.modules])"
    for code in (look, more):
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
        assert said.stdout.strip() == "[]"


def test_the_blocking_twin_has_the_same_names() -> None:
    twin = importlib.import_module("axstream.sync")
    for name in ("browser", "execute", "memory", "run"):
        assert callable(getattr(twin, name))


# -- run ---------------------------------------------------------------------------------------------------------


async def test_a_run_gives_its_events_as_they_happen_and_its_outcome() -> None:
    seen: list[RunEvent] = []
    model = script(lines(click("Save"), {**DONE, "result": 42}))
    async with ax.memory(FORM) as screen, ax.run("Save it", screen, model=model) as run:
        async for event in run:
            if isinstance(event, Executed) and event.line == 2:
                assert screen.counts == {"save": 1}
            seen.append(event)
        outcome = await run.outcome()
    assert (outcome.stop, outcome.status, outcome.result, outcome.actions) == ("done", "success", 42, 1)
    assert kinds(seen)[0] == "Started"
    assert kinds(seen)[-1] == "Ended"


async def test_the_outcome_needs_no_reading_of_events() -> None:
    async with ax.memory(FORM) as screen, ax.run("x", screen, model=script(lines(DONE))) as run:
        assert (await run.outcome()).stop == "done"
        assert (await run.outcome()).stop == "done"
        assert kinds([event async for event in run])[-1] == "Ended"
        assert [event async for event in run] == []


async def test_a_model_is_opened_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "answer.txt"
    file.write_text(lines(click("Save"), DONE))
    async with ax.memory(FORM) as screen, ax.run("x", screen, model=f"script:{file}") as run:
        assert (await run.outcome()).stop == "done"
        assert screen.counts == {"save": 1}


async def test_a_model_that_does_not_exist_is_refused_before_anything_runs() -> None:
    async with ax.memory(FORM) as screen:
        with pytest.raises(UsageError, match="script"):
            async with ax.run("x", screen, model="scrip:file"):
                pytest.fail("it ran")


class Answer(msgspec.Struct):
    total: float
    note: str = ""


async def test_a_result_comes_as_the_struct_that_was_asked_for() -> None:
    """N1."""
    async with ax.memory(FORM) as screen:
        model = script(lines({**DONE, "result": {"total": 12}}))
        async with ax.run("x", screen, model=model, result=Answer) as run:
            assert (await run.outcome()).result == Answer(12.0)


async def test_a_schema_that_is_none_is_refused_at_once() -> None:
    async with ax.memory(FORM) as screen:
        with pytest.raises(UsageError, match="no JSON Schema"):
            async with ax.run("x", screen, model=script("x"), result={"type": 7}):
                pytest.fail("it ran")


async def test_risky_acts_are_asked_for_where_somebody_can_be_and_denied_where_not() -> None:
    """R4."""
    asked: list[ApprovalRequest] = []

    def yes(request: ApprovalRequest) -> bool:
        asked.append(request)
        return True

    answer = lines(click("Delete"), DONE)
    async with ax.memory(FORM) as screen:
        async with ax.run("x", screen, model=script(answer), approve=yes) as run:
            assert (await run.outcome()).stop == "done"
        async with ax.run("x", screen, model=script(answer, answer)) as run:
            assert (await run.outcome()).stop == "denied"
        assert screen.counts == {"delete": 1}
    assert [request.summary for request in asked] == ['click button "Delete"']


async def test_leaving_a_run_early_cancels_it_and_lets_go_of_everything() -> None:
    """E5."""
    scene = {**FORM, "action_ms": 60_000}
    async with ax.memory(scene) as screen:
        async with ax.run("x", screen, model=script(lines(click("Save"), DONE))) as run:
            await until(lambda: screen.pressed)
        assert screen.pressed == frozenset()
        assert (await run.outcome()).stop == "cancelled"


async def test_a_run_is_cancelled_by_its_own_name() -> None:
    async with ax.memory({**FORM, "action_ms": 60_000}) as screen:
        async with ax.run("x", screen, model=script(lines(click("Save"), DONE))) as run:
            await until(lambda: screen.pressed)
            run.cancel("that will do")
            outcome = await run.outcome()
        assert (outcome.stop, outcome.reason, screen.pressed) == ("cancelled", "that will do", frozenset())


@pytest.mark.parametrize("way", ["scope", "task"])
async def test_cancelling_the_task_around_a_run_lets_go_before_it_is_over(way: str, tmp_path: Path) -> None:
    """E5: all is up, and the record is closed, when the cancellation leaves the context."""
    screen = ax.memory({**FORM, "action_ms": 60_000})
    after: list[frozenset[str]] = []
    running: list[ax.Run] = []
    trace = tmp_path / "run.jsonl"

    async def main() -> None:
        try:
            async with ax.run("x", screen, model=script(lines(click("Save"), DONE)), trace=trace) as run:
                running.append(run)
                await anyio.sleep_forever()
        finally:
            after.append(screen.pressed)

    async with screen:
        if way == "scope":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(main)
                await until(lambda: screen.pressed)
                tasks.cancel_scope.cancel()
        else:
            task = asyncio.create_task(main())
            await until(lambda: screen.pressed)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
        assert after == [frozenset()]
        assert (await running[0].outcome()).stop == "cancelled"
    assert [event for _, event in read_trace(trace)][-1]["event"] == "ended"


async def test_an_error_in_the_body_comes_out_after_letting_go() -> None:
    async with ax.memory({**FORM, "action_ms": 60_000}) as screen:

        async def body() -> None:
            async with ax.run("x", screen, model=script(lines(click("Save"), DONE))):
                await until(lambda: screen.pressed)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await body()
        assert screen.pressed == frozenset()


async def test_the_record_of_a_run_can_be_read_back(tmp_path: Path) -> None:
    """X1."""
    trace = tmp_path / "run.jsonl"
    async with ax.memory(FORM) as screen:
        model = script(lines(click("Save"), "lost", OBSERVE), lines(DONE))
        async with ax.run("Save it", screen, model=model, trace=trace) as run:
            outcome = await run.outcome()
    assert outcome.trace == str(trace)
    events = [event for _, event in read_trace(trace)]
    names = [event["event"] for event in events]
    assert names[0] == "started"
    assert names[-1] == "ended"
    assert {"observation", "prompt", "chunk", "committed", "executed", "rejected", "burst_ended"} <= set(names)
    times = [t for t, _ in read_trace(trace)]
    assert times == sorted(times)


# -- execute and observe -----------------------------------------------------------------------------------------


async def test_a_stream_of_your_own_model_is_performed_and_told() -> None:
    async with ax.memory(FORM) as screen:
        events = [event async for event in ax.execute(pieces(lines(click("Save"), DONE)), screen)]
        assert screen.counts == {"save": 1}
    assert kinds(events)[0] == "Started"
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert (ended.stop, ended.status, ended.actions) == ("done", "success", 1)


async def test_bytes_serve_as_well_as_text_however_they_are_cut() -> None:
    """W1."""

    async def source() -> AsyncIterator[bytes]:
        for byte in lines(into("Name", "Zoë 😀"), DONE).encode():
            yield bytes([byte])

    async with ax.memory(FORM) as screen:
        assert [event async for event in ax.execute(source(), screen)][-1].stop == "done"  # type: ignore[union-attr]
        assert screen.value("name") == "Zoë 😀"


async def test_at_observe_the_new_observation_is_the_event_before_the_last() -> None:
    """E8, Z14."""
    async with ax.memory(FORM) as screen:
        events = [event async for event in ax.execute(pieces(lines(into("Name", "Ada"), OBSERVE)), screen)]
    assert kinds(events)[-2:] == ["Observation", "Ended"]
    seen = events[-2]
    assert isinstance(seen, Observation)
    assert "Ada" in seen.outline


async def test_observing_and_executing_share_their_ids_but_not_between_computers() -> None:
    """Z2: ids hold within one process, for one computer."""
    async with ax.memory(FORM) as screen, ax.memory(FORM) as other:
        seen = await ax.observe(screen)
        save = book_of(screen).id_of(screen.node("save").handle)
        assert save in seen.ids
        assert f'{save} button "Save"' in seen.text
        target = {"op": "click", "target": {"ax": {"id": save}}}
        events = [event async for event in ax.execute(pieces(lines(target, DONE)), screen)]
        assert screen.counts == {"save": 1}
        events = [event async for event in ax.execute(pieces(lines(target, DONE)), other)]
        (failed,) = [event for event in events if isinstance(event, Failed)]
        assert "never given" in failed.message


async def test_breaking_out_of_the_events_lets_go_and_closes_the_stream() -> None:
    """E5."""
    closed: list[bool] = []

    async def source() -> AsyncIterator[str]:
        try:
            yield lines(click("Save"), close="")
            await anyio.sleep_forever()
        finally:
            closed.append(True)

    async with ax.memory({**FORM, "action_ms": 60_000}) as screen:
        async for _ in ax.execute(source(), screen):
            if screen.pressed:
                break
            await anyio.sleep(0.001)
        else:
            pytest.fail("it came to an end")
        with anyio.fail_after(5):
            await until(lambda: closed and not screen.pressed)


@pytest.mark.parametrize("way", ["aclosing", "scope", "task"])
async def test_however_the_events_are_left_all_is_up_when_that_is_over(way: str) -> None:
    """E5."""
    screen = ax.memory({**FORM, "action_ms": 60_000})
    after: list[frozenset[str]] = []

    async def main() -> None:
        try:
            async with aclosing(ax.execute(pieces(lines(click("Save"), DONE)), screen)) as events:
                async for _ in events:
                    if way == "aclosing" and screen.pressed:
                        return
                    await anyio.sleep(0.001)
        finally:
            after.append(screen.pressed)

    async with screen:
        if way == "scope":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(main)
                await until(lambda: screen.pressed)
                tasks.cancel_scope.cancel()
        else:
            task = asyncio.create_task(main())
            if way == "task":
                await until(lambda: screen.pressed)
                task.cancel()
            await asyncio.wait([task])
        assert after == [frozenset()]


async def test_the_record_of_an_executed_stream_is_written(tmp_path: Path) -> None:
    """X1."""
    trace = tmp_path / "exec.jsonl"
    async with ax.memory(FORM) as screen:
        events = [event async for event in ax.execute(pieces(lines(click("Save"), DONE)), screen, trace=trace)]
    assert len(list(read_trace(trace))) == len(events)


async def test_on_failure_continue_is_for_embedders() -> None:
    """E2."""
    async with ax.memory(FORM) as screen:
        stream = pieces(lines({"op": "click", "target": {"x": 9999, "y": 0}}, click("Save"), DONE))
        events = [event async for event in ax.execute(stream, screen, on_failure="continue")]
        assert screen.counts == {"save": 1}
    assert isinstance(events[-1], Ended)
    assert events[-1].stop == "done"


async def test_the_older_version_refuses_what_came_later() -> None:
    async with ax.memory(FORM) as screen:
        events = [event async for event in ax.execute(pieces(lines(into("Name", "x"), DONE)), screen, spec="0.1")]
    assert "Rejected" in kinds(events)


async def test_strict_tags_bare_input_and_reasoning_are_options() -> None:
    """Z9, Z21, Z23."""
    save = '{"op":"click","target":{"ax":{"title":"Save"}}}\n'
    cases: list[tuple[str, dict[str, Any], int]] = [
        ("```python\n" + save + "```\n", {"tags": frozenset({"jsonl"})}, 0),
        ("```jsonl\n" + save + "```\n", {"tags": frozenset({"jsonl"})}, 1),
        (save, {"bare": True}, 1),
        (save, {}, 0),
        ("<think>\n```\n" + save + "```\n</think>\n", {}, 0),
        ("<think>\n```\n" + save + "```\n</think>\n", {"reasoning": False}, 1),
    ]
    for text, options, count in cases:
        async with ax.memory(FORM) as screen:
            async for _ in ax.execute(pieces(text), screen, **options):
                pass
            assert screen.counts.get("save", 0) == count, (text, options)


# -- an embedder's own acts (N5) ---------------------------------------------------------------------------------


async def test_an_embedders_functions_are_acts_of_the_stream() -> None:
    codes: list[str] = []

    async def get_code(service: str, digits: int = 6) -> str:
        """Fetch the sign-in code for a service."""
        codes.append(service)
        await anyio.lowlevel.checkpoint()
        return "1" * digits

    async with ax.memory(FORM) as screen:
        stream = pieces(lines({"op": "get_code", "service": "shop", "digits": 4}, DONE))
        events = [event async for event in ax.execute(stream, screen, actions=[get_code])]
    (effect,) = [event.effect for event in events if isinstance(event, Executed) and event.line == 2]
    assert (codes, effect) == (["shop"], "get_code returned 1111")


async def test_an_act_of_ones_own_is_taught_told_and_answers_into_the_next_prompt() -> None:
    def get_code(service: str) -> dict[str, str]:
        """Fetch the sign-in code for a service."""
        return {"code": "4711"}

    model = script(lines({"op": "get_code", "service": "shop"}, OBSERVE), lines(DONE))
    prompts: list[str] = []
    async with ax.memory(FORM) as screen, ax.run("x", screen, model=model, actions=[get_code]) as run:
        async for event in run:
            if type(event).__name__ == "PromptSent":
                prompts.append("\n".join(text for _, text in event.messages))  # type: ignore[union-attr]
    assert "etch the sign-in code for a service" in prompts[0]
    assert "4711" in prompts[1]


async def test_an_act_of_ones_own_that_fails_ends_the_burst_and_not_the_run() -> None:
    def explode(now: bool) -> None:
        """Fail."""
        raise LookupError("nothing\nthere")

    model = script(lines({"op": "explode", "now": True}, click("Save"), DONE), lines(DONE))
    async with ax.memory(FORM) as screen, ax.run("x", screen, model=model, actions=[explode]) as run:
        events = [event async for event in run]
        assert (await run.outcome()).stop == "done"
        assert screen.counts == {}
    (failed,) = [event for event in events if isinstance(event, Failed)]
    assert failed.error == "ActionError"
    assert "LookupError" in failed.message
    assert "\n" not in failed.message


async def test_an_act_that_is_registered_as_risky_is_denied_like_any_other() -> None:
    """R3, N5."""
    called: list[int] = []

    def pay(cents: int) -> None:
        """Pay."""
        called.append(cents)

    act = ax.CustomAct.from_function(pay, risk="risky")
    async with ax.memory(FORM) as screen:
        stream = pieces(lines({"op": "pay", "cents": 1}, DONE))
        events = [event async for event in ax.execute(stream, screen, actions=[act])]
        assert [event.line for event in events if isinstance(event, Denied)] == [2]
        async for _ in ax.execute(pieces(lines({"op": "pay", "cents": 2}, DONE)), screen, actions=[act], policy=ALLOW):
            pass
    assert called == [2]


# -- the memory desktop ------------------------------------------------------------------------------------------


async def test_a_desktop_is_made_of_a_dict_a_file_or_the_one_that_is_shipped(tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_bytes(msgspec.json.encode(FORM))
    for scene in (FORM, file, str(file)):
        async with ax.memory(scene) as screen:
            assert isinstance(screen, MemoryComputer)
            assert "Save" in (await ax.observe(screen)).text
    async with ax.memory() as screen:
        assert (await ax.observe(screen)).text


def test_a_scene_with_an_error_is_refused_with_its_place() -> None:
    with pytest.raises(UsageError, match="colour"):
        ax.memory({"screen": [{"role": "button", "colour": "red"}]})


# -- a record that cannot be written -----------------------------------------------------------------------------


async def test_a_full_disk_for_the_record_is_raised_where_the_events_are_read() -> None:
    """X1: never silently; and all input is up."""
    async with ax.memory(FORM) as screen:
        with pytest.raises(ax.TraceError, match="disk is full"):
            async for _ in ax.execute(pieces(lines(click("Save"), DONE)), screen, trace="/dev/full"):
                pass
        assert screen.pressed == frozenset()
        async with ax.run("x", screen, model=script(lines(DONE)), trace="/dev/full") as run:
            with pytest.raises(ax.TraceError, match="disk is full"):
                async for _ in run:
                    pass
            with pytest.raises(ax.TraceError, match="disk is full"):
                await run.outcome()
