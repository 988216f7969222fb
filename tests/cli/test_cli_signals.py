"""Signals: the run ends in order, the record is readable, the exit code says which; a second one forces."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from axstream.trace.reader import read_trace
from tests.cli.conftest import LIMIT_S
from tests.cli.test_cli_exec import OPEN, of, read_until, send, started

LONG = '{"op":"wait","ms":30000}'


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["int", "term", "hup"]
)
def test_a_signal_in_mid_action_ends_the_burst_as_cancelled(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """E5, Z14, X1."""
    path = tmp_path / "run.jsonl"
    with started("--json", "--trace", str(path)) as run:
        send(run, "```", OPEN)
        read_until(run, "executed")
        send(run, LONG)
        assert read_until(run, "committed")["line"] == 3
        run.send_signal(number)
        ended = read_until(run, "ended")
        assert ended["stop"] == "cancelled"
        assert ended["reason"] == f"interrupted by {number.name}"
        assert run.wait(LIMIT_S) == code
    events = [value for _, value in read_trace(path)]
    assert events[-1]["event"] == "ended"
    assert {event["line"] for event in of(events, "failed") + of(events, "discarded")} == {3}


def test_a_signal_while_nothing_comes_ends_it_too() -> None:
    with started("--json") as run:
        send(run, "```", OPEN)
        read_until(run, "executed")
        run.send_signal(signal.SIGINT)
        assert read_until(run, "ended")["stop"] == "cancelled"
        assert run.wait(LIMIT_S) == 130
        assert run.stderr is not None
        assert "Traceback" not in run.stderr.read().decode()


def test_a_signal_gets_through_where_nobody_reads_the_output() -> None:
    """A consumer that stalls must not keep keys down."""
    with started("--json", "--risky", "deny") as run:
        assert run.stdin is not None
        os.set_blocking(run.stdin.fileno(), False)
        data = b"words " * 20 + b"\n"
        full = 0
        while full < 200:  # until the command itself stands still: its output pipe is full
            try:
                os.write(run.stdin.fileno(), data)
                full = 0
            except BlockingIOError:
                full += 1
                signal.sigtimedwait([], 0.01)
        run.send_signal(signal.SIGINT)
        assert run.wait(LIMIT_S) == 130
        run.stdin.close()
