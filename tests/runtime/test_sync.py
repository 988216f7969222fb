"""The blocking twin: the same as ``axstream``, with plain ``with`` and ``for``; leaving it, however, lets go (E5)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from axstream import sync as ax
from axstream.computer.memory import MemoryComputer
from axstream.errors import UsageError
from axstream.models.script import ScriptModel
from axstream.policy import ApprovalRequest
from axstream.trace.events import Ended, Executed, RunEvent
from tests.runtime.stage import DONE, FORM, OBSERVE, click, into, lines

SLOW = {**FORM, "action_ms": 60_000}


def memory_of(screen: ax.Screen) -> MemoryComputer:
    return cast(MemoryComputer, screen.computer)


def ended(events: list[RunEvent]) -> Ended:
    last = events[-1]
    assert isinstance(last, Ended)
    return last


def test_a_task_runs_and_gives_its_events_and_outcome() -> None:
    class Answer(msgspec.Struct):
        total: int

    model = ScriptModel([lines(click("Save"), OBSERVE), lines({**DONE, "result": {"total": 7}})])
    with ax.memory(FORM) as screen, ax.run("x", screen, model=model, result=Answer) as run:
        events = list(run)
        outcome = run.outcome()
        assert memory_of(screen).counts == {"save": 1}
    assert ended(events).stop == "done"
    assert outcome.result == Answer(7)


def test_a_stream_is_performed_as_it_is_pulled() -> None:
    seen: list[int] = []
    saved = threading.Event()

    with ax.memory(FORM) as screen:

        def source() -> Iterator[str]:
            yield lines(click("Save"), close="")
            assert saved.wait(10)
            seen.append(memory_of(screen).counts["save"])
            yield lines(into("Name", "Zoë"), DONE, fence="")

        events = []
        for event in ax.execute(source(), screen):
            events.append(event)
            if isinstance(event, Executed):
                saved.set()
        assert memory_of(screen).value("name") == "Zoë"
    assert seen == [1]
    assert ended(events).status == "success"


def test_bytes_and_lists_are_streams_too() -> None:
    with ax.memory(FORM) as screen:
        data = lines(click("Save"), DONE).encode()
        assert ended(list(ax.execute([data[:20], data[20:]], screen))).stop == "done"
        assert memory_of(screen).counts == {"save": 1}


def test_observing_shares_its_ids_with_executing() -> None:
    """Z2."""
    with ax.memory(FORM) as screen:
        seen = screen.observe()
        save = next(line.split()[0] for line in seen.text.splitlines() if '"Save"' in line)
        target = {"op": "click", "target": {"ax": {"id": save}}}
        assert ended(list(ax.execute([lines(target, DONE)], screen))).stop == "done"
        assert memory_of(screen).counts == {"save": 1}


def test_the_callers_generator_is_closed_at_a_barrier() -> None:
    """E3: the provider stops generating."""
    closed: list[bool] = []

    def source() -> Iterator[str]:
        try:
            yield lines(DONE)
            yield "never wanted"
        finally:
            closed.append(True)

    pieces = source()
    with ax.memory(FORM) as screen:
        assert ended(list(ax.execute(pieces, screen))).stop == "done"
        assert closed == [True]


def test_a_generator_that_raises_is_a_broken_stream() -> None:
    """E4."""

    def source() -> Iterator[str]:
        yield lines(click("Save"), close="")
        raise ConnectionError("reset by peer")

    with ax.memory(FORM) as screen:
        last = ended(list(ax.execute(source(), screen)))
        assert (last.stop, last.reason) == ("interrupted", "reset by peer")
        assert memory_of(screen).counts == {"save": 1}


def test_breaking_out_of_the_events_lets_go_at_once() -> None:
    """E5."""
    with ax.memory(SLOW) as screen:
        for _ in ax.execute([lines(click("Save"), DONE)], screen):
            if memory_of(screen).pressed:
                break
        assert memory_of(screen).pressed == frozenset()


def test_an_interrupt_while_an_event_is_waited_for_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """E5: Ctrl-C reaches the main thread in the middle of a pull."""
    real = Future.result
    used: list[bool] = []

    def result(self: Future[Any], timeout: float | None = None) -> Any:
        if used or threading.current_thread() is not threading.main_thread():
            return real(self, timeout)
        try:
            return real(self, 0.1)
        except TimeoutError:  # now it really waits
            used.append(True)
            raise KeyboardInterrupt

    with ax.memory(SLOW) as screen:
        events = ax.execute([lines(click("Save"), DONE)], screen)
        monkeypatch.setattr(Future, "result", result)
        with pytest.raises(KeyboardInterrupt):
            list(events)
        assert used
        assert memory_of(screen).pressed == frozenset()


def test_leaving_a_run_early_cancels_it() -> None:
    """E5."""
    with ax.memory(SLOW) as screen:
        with ax.run("x", screen, model=ScriptModel([lines(click("Save"), DONE)])) as run:
            for _ in run:
                if memory_of(screen).pressed:
                    break
        assert memory_of(screen).pressed == frozenset()
        assert run.outcome().stop == "cancelled"


def test_a_run_is_cancelled_from_another_thread() -> None:
    with (
        ax.memory(SLOW) as screen,
        ax.run("x", screen, model=ScriptModel([lines(click("Save"), DONE)])) as run,
    ):
        other = threading.Thread(target=run.cancel, args=("enough",))
        other.start()
        outcome = run.outcome()
        other.join()
    assert (outcome.stop, outcome.reason) == ("cancelled", "enough")


def test_an_approver_may_be_a_plain_function() -> None:
    asked: list[str] = []

    def approve(request: ApprovalRequest) -> bool:
        asked.append(request.summary)
        return True

    with ax.memory(FORM) as screen:
        list(ax.execute([lines(click("Delete"), DONE)], screen, approve=approve))
        assert memory_of(screen).counts == {"delete": 1}
    assert asked == ['click button "Delete"']


def test_events_kept_over_the_screens_end_raise_nothing_when_they_are_dropped() -> None:
    with ax.memory(FORM) as screen:
        events = ax.execute([lines(click("Save"), DONE)], screen)
        next(events)
    events.close()  # type: ignore[attr-defined]


def test_a_record_is_written(tmp_path: Path) -> None:
    trace = tmp_path / "x.jsonl"
    with ax.memory(FORM) as screen:
        list(ax.execute([lines(DONE)], screen, trace=trace))
    assert trace.read_text().count("\n") >= 4


@pytest.mark.parametrize("name", ["page", "context", "browser"])
def test_what_is_playwrights_in_another_loop_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"async axstream.browser\\({name}="):
        ax.browser(**{name: object()})
