"""``axstream exec`` as a process on the desktop in memory: events as they happen, exit codes, what is never lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from axstream.trace.reader import read_trace
from tests.cli.conftest import LIMIT_S, Cli, command, environment, one_line

DONE = '{"op":"done","status":"success"}'
OPEN = '{"op":"open","target":"Notes"}'
MISSING = '{"op":"assert","target":{"ax":{"role":"button","title":"Teleport"}}}'
DELETE = '{"op":"click","target":{"ax":{"role":"button","title":"Delete"}}}'


def fence(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("```", *lines, "```"))


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def of(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == name]


@contextmanager
def started(*words: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start ``exec`` on memory with all streams as pipes; killed where a test leaves it running."""
    run = subprocess.Popen(
        command("exec", "--computer", "memory", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        **options,
    )
    with run:
        try:
            yield run
        finally:
            run.kill()


def send(run: subprocess.Popen[bytes], *lines: str) -> None:
    assert run.stdin is not None
    run.stdin.write("".join(f"{line}\n" for line in lines).encode())
    run.stdin.flush()


def read_until(run: subprocess.Popen[bytes], name: str) -> dict[str, Any]:
    assert run.stdout is not None
    while True:
        line = run.stdout.readline()
        assert line, f"ended before {name}: {run.stderr.read().decode() if run.stderr else ''}"
        event: dict[str, Any] = json.loads(line)
        if event["event"] == name:
            return event


def test_each_action_has_run_before_the_next_line_is_written() -> None:
    """E1: the newline is the commit signal."""
    with started("--json") as run:
        send(run, "I open the notes.", "```", OPEN)
        assert read_until(run, "executed")["line"] == 3
        send(run, '{"op":"click","target":{"ax":{"role":"button","title":"New note"}}}')
        executed = read_until(run, "executed")
        assert executed["line"] == 4
        assert executed["element"]["role"] == "button"
        assert executed["element"]["name"] == "New note"
        send(run, DONE)
        ended = read_until(run, "ended")
        assert (ended["stop"], ended["status"], ended["reason"]) == ("done", "success", None)
        assert run.wait(LIMIT_S) == 0  # the input is still open: the barrier ends it


def test_json_holds_checks_events_then_each_actions_own_then_ended(cli: Cli) -> None:
    done = cli("exec", "--computer", "memory", "--json", stdin="Hi\n" + fence(OPEN, "oops", DONE))
    assert done.returncode == 0
    events = objects(done.stdout)
    assert all(list(event)[:2] == ["event", "t"] for event in events)
    assert [event["t"] for event in events] == sorted(event["t"] for event in events)
    parsed = objects(cli("check", "--json", stdin="Hi\n" + fence(OPEN, "oops", DONE)).stdout)
    mine = [{name: value for name, value in event.items() if name != "t"} for event in events]
    assert [event for event in mine if event in parsed] == parsed[: len([event for event in mine if event in parsed])]
    assert {event["event"] for event in parsed[:4]} <= {event["event"] for event in events}
    for line in (3, 5):
        own = [event["event"] for event in events if event.get("line") == line and event["event"] != "action"]
        assert own == ["committed", "executed"]
    assert [event["event"] for event in events].index("ended") == len(events) - 1
    assert {"ms", "element", "effect"} <= set(of(events, "executed")[0])


@pytest.mark.parametrize(
    ("lines", "stop", "code"),
    [
        ((DONE,), "done", 0),
        (('{"op":"done","status":"failure","reason":"no such thing"}',), "done", 1),
        (('{"op":"observe"}',), "observe", 0),
        ((MISSING, DONE), "aborted", 3),
        ((OPEN,), "exhausted", 3),
        ((OPEN, DELETE, DONE), "denied", 4),
    ],
)
def test_the_exit_code_is_that_of_the_one_burst(cli: Cli, lines: tuple[str, ...], stop: str, code: int) -> None:
    """Z13, Z14."""
    done = cli("exec", "--computer", "memory", "--json", "--risky", "deny", stdin=fence(*lines))
    ended = objects(done.stdout)[-1]
    assert (ended["event"], ended["stop"]) == ("ended", stop)
    assert done.returncode == code


def test_what_stood_behind_a_failure_is_discarded_and_said(cli: Cli) -> None:
    """E2."""
    events = objects(cli("exec", "--computer", "memory", "--json", stdin=fence(MISSING, OPEN, DONE)).stdout)
    assert [event["line"] for event in of(events, "failed")] == [2]
    assert of(events, "failed")[0]["error"] == "AssertFailed"
    assert not of(events, "executed")


def test_an_unterminated_last_line_never_runs(cli: Cli) -> None:
    """W8."""
    done = cli("exec", "--computer", "memory", "--json", stdin=f"```\n{OPEN}\n{DONE}")
    events = objects(done.stdout)
    assert [event["line"] for event in of(events, "executed")] == [2]
    assert len(of(events, "truncated")) == 1
    assert events[-1]["stop"] == "exhausted"
    assert done.returncode == 3


def test_observe_prints_the_new_observation(cli: Cli) -> None:
    """E8, Z14."""
    stream = fence(OPEN, '{"op":"observe"}')
    plain = cli("exec", "--computer", "memory", stdin=stream)
    assert "New note" in plain.stdout
    assert "✓ observe" in plain.stderr
    events = objects(cli("exec", "--computer", "memory", "--json", stdin=stream).stdout)
    assert [event["event"] for event in events][-2:] == ["observation", "ended"]
    assert "New note" in events[-2]["outline"]


@pytest.mark.parametrize(
    ("result", "printed"), [('"42 €"', "42 €\n"), ('{"a":[1,null]}', '{"a":[1,null]}\n'), ("3", "3\n")]
)
def test_a_result_is_printed_alone_on_standard_output(cli: Cli, result: str, printed: str) -> None:
    """N1."""
    done = cli("exec", "--computer", "memory", stdin=fence('{"op":"done","status":"success","result":' + result + "}"))
    assert done.stdout == printed
    assert done.returncode == 0


def test_without_a_fence_it_says_so_quotes_the_line_and_exits_3(cli: Cli) -> None:
    """Z21."""
    done = cli("exec", "--computer", "memory", stdin=f"Sure!\n{DONE}\n")
    assert done.returncode == 3
    assert "no fence opened, so nothing ran" in done.stderr
    assert f"this line looked like one: {DONE}" in done.stderr
    bare = cli("exec", "--computer", "memory", "--bare", stdin=f"{DONE}\n")
    assert bare.returncode == 0


def test_a_file_is_performed_like_a_pipe(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "plan.txt"
    path.write_text(fence(OPEN, DONE))
    done = cli("exec", str(path), "--computer", "memory")
    assert done.returncode == 0
    assert "✓ done: success (1 action, 1 burst" in done.stderr


def test_without_a_terminal_the_start_line_says_that_risky_acts_are_denied(cli: Cli) -> None:
    """R4, Z8."""
    plain = cli("exec", "--computer", "memory", stdin=fence(OPEN, DELETE, DONE))
    assert plain.returncode == 4
    assert "risky acts: deny" in plain.stderr.splitlines()[0]
    assert "no terminal to ask on, so risky acts will be denied; --risky allow" in plain.stderr
    machine = cli("exec", "--computer", "memory", "--json", stdin=fence(DONE))
    assert one_line(machine.stderr).startswith("axstream exec: no terminal to ask on")
    told = cli("exec", "--computer", "memory", "--json", "--risky", "deny", stdin=fence(DONE))
    assert told.stderr == ""


@pytest.mark.parametrize("mode", ["allow", "hold"])
def test_risky_acts_run_where_the_policy_says_so(cli: Cli, mode: str) -> None:
    """R2."""
    done = cli("exec", "--computer", "memory", "--json", "--risky", mode, stdin=fence(OPEN, DELETE, DONE))
    assert done.returncode == 0
    assert [event["line"] for event in of(objects(done.stdout), "executed")] == [2, 3, 4]
    assert len(of(objects(done.stdout), "held")) == (mode == "hold")


def test_actions_have_a_budget(cli: Cli) -> None:
    """E6, Z24."""
    done = cli("exec", "--computer", "memory", "--json", "--max-actions", "1", stdin=fence(OPEN, OPEN, DONE))
    assert objects(done.stdout)[-1]["stop"] == "budget"
    assert done.returncode == 3


def test_the_trace_holds_the_run_and_its_raw_lines(cli: Cli, tmp_path: Path) -> None:
    """X1, W12."""
    path = tmp_path / "run.jsonl"
    line = '{"op":"open", "target":"Notes", "why":"to write"}'
    done = cli("exec", "--computer", "memory", "--trace", str(path), stdin=fence(line, DONE))
    assert done.returncode == 0
    events = [value for _, value in read_trace(path)]
    assert events[0]["event"] == "started"
    assert events[-1]["event"] == "ended"
    assert of(events, "action")[0]["raw"] == line
    assert of(events, "action")[0]["ignored"] == ["why"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--computer", "memry"), "memory"),
        (("--computer", "memory:none.json"), "none.json"),
        (("--computer", "memory", "--trace", "no/where/run.jsonl"), "mkdir -p"),
        (("--computer", "memory", "--trace", "scene.json"), "is not a trace"),
        (("--computer", "memory:scene.json"), "scene.json:2:13: "),
        (("none.txt", "--computer", "memory"), "cannot read none.txt"),
    ],
)
def test_bad_input_is_one_line_that_names_the_fix(cli: Cli, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text('{"title": "Desktop",\n "screen": [}\n')
    done = cli("exec", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert done.stdout == ""
    assert scene.read_text().startswith("{")


def test_a_full_disk_for_the_trace_ends_the_run_and_is_said(cli: Cli) -> None:
    done = cli(
        "exec", "--computer", "memory", "--json", "--risky", "deny", "--trace", "/dev/full", stdin=fence(OPEN, DONE)
    )
    assert done.returncode == 5
    said = one_line(done.stderr)
    assert said.startswith("axstream exec: cannot write the trace /dev/full: the disk is full")
    assert "the run was ended, all input is released" in said
    assert objects(done.stdout)[-1]["event"] == "ended"
    assert "the disk is full" in objects(done.stdout)[-1]["reason"]


def test_a_disk_that_fills_in_mid_run_ends_it_and_the_record_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    with started("--json", "--risky", "deny", "--trace", str(path), preexec_fn=small_disk) as run:
        send(run, "```", OPEN)
        read_until(run, "executed")
        send(run, *(f"// {number} {'x' * 100}" for number in range(100)))
        ended = read_until(run, "ended")
        assert "cannot write the trace" in ended["reason"]
        assert run.wait(LIMIT_S) == 5
        assert run.stderr is not None
        assert "cannot write the trace" in one_line(run.stderr.read().decode())
    assert path.stat().st_size <= 4096
    assert path.read_bytes().endswith(b"}\n")
    assert of([value for _, value in read_trace(path)], "executed")


def test_a_closed_output_pipe_ends_the_run_with_one_line() -> None:
    with started("--json", "--risky", "deny") as run:
        assert run.stdout is not None
        send(run, "```", OPEN)
        read_until(run, "executed")
        run.stdout.close()
        send(run, OPEN)
        assert run.wait(LIMIT_S) == 5
        assert run.stderr is not None
        said = one_line(run.stderr.read().decode())
        assert (
            said
            == "axstream exec: standard output is closed: nobody reads it any more; the run was ended, all input is released"
        )


def test_the_writer_of_the_stream_learns_at_the_barrier_that_nobody_reads() -> None:
    """E3: the stream is closed at once."""
    read, write = os.pipe()
    with subprocess.Popen(
        command("exec", "--computer", "memory"),
        stdin=read,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as run:
        os.close(read)
        os.write(write, fence(DONE).encode())
        assert run.wait(LIMIT_S) == 0
        with pytest.raises(BrokenPipeError):
            os.write(write, b"more\n")
        os.close(write)


def test_a_full_disk_for_the_trace_is_an_error_and_no_cancellation(cli: Cli) -> None:
    done = cli("exec", "-", "--computer", "memory", "--json", "--trace", "/dev/full", stdin=fence(OPEN, DONE))
    assert done.returncode == 5
    assert objects(done.stdout)[-1]["stop"] == "error"


def test_an_unclosed_think_is_named_and_not_called_a_missing_fence(cli: Cli) -> None:
    """Z9."""
    stream = "<think>\n" + fence(OPEN)
    done = cli("exec", "-", "--computer", "memory", stdin=stream)
    assert done.returncode == 3
    assert "never closed" in done.stderr
    assert "no fence opened" not in done.stderr
    assert "never closed" in cli("check", "-", stdin=stream).stdout


def test_acts_that_never_ran_are_not_counted(cli: Cli) -> None:
    done = cli("exec", "-", "--computer", "memory", "--json", stdin=fence('{"op":"wait","ms":1,"risk":"risky"}', DONE))
    assert objects(done.stdout)[-1]["actions"] == 0


def test_json_holds_nothing_that_a_terminal_obeys(cli: Cli) -> None:
    """C1 controls, DEL and marks that turn text around are escaped; what is read is the same."""
    trouble = "a\x9b31m\x7f\u202eb\u2066c\u200f"
    done = cli("check", "-", "--json", stdin=f"{trouble}\n")
    assert not set(trouble[1:2] + "\x7f\u202e\u2066\u200f") & set(done.stdout)
    assert objects(done.stdout)[0]["text"] == trouble
