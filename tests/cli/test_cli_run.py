"""``axstream run`` as a process, with a recorded answer on the desktop in memory: result, view, budgets, exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from axstream.trace.reader import read_trace
from tests.cli.conftest import LIMIT_S, Cli, command, environment, one_line
from tests.cli.test_cli_exec import DELETE, OPEN, fence, of

NOTE = (
    "I open the notes.\n"
    + fence(OPEN, '{"op":"observe"}')
    + "=== burst ===\n"
    + fence(
        '{"op":"click","target":{"ax":{"title":"New note"}}}',
        '{"op":"type","text":"milk"}',
        '{"op":"done","status":"success","result":{"total":42}}',
    )
)


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    path = tmp_path / "answer.txt"
    path.write_text(NOTE)
    return path


def words(answer: Path, *more: str) -> tuple[str, ...]:
    return ("run", "note milk", "--computer", "memory", "--model", f"script:{answer}", *more)


def test_the_result_alone_is_on_standard_output_and_the_view_on_standard_error(cli: Cli, answer: Path) -> None:
    """N1."""
    done = cli(*words(answer))
    assert done.returncode == 0
    assert done.stdout == '{"total":42}\n'
    for said in (
        "I open the notes.",
        '▸ open "Notes"',
        "✓ opened Notes",
        '▸ type "milk"',
        "✓ done: success (3 actions, 2 bursts, ",
    ):
        assert said in done.stderr
    assert "\x1b" not in done.stderr


def test_the_trace_holds_every_burst(cli: Cli, answer: Path, tmp_path: Path) -> None:
    """X1."""
    path = tmp_path / "run.jsonl"
    assert cli(*words(answer, "--trace", str(path))).returncode == 0
    events = [value for _, value in read_trace(path)]
    assert events[0]["event"] == "started"
    assert events[0]["task"] == "note milk"
    assert [event["burst"] for event in of(events, "observation")] == [1, 2]
    assert len(of(events, "prompt")) == 2
    assert "".join(event["text"] for event in of(events, "chunk")).startswith("I open the notes.\n```\n")
    assert events[-1]["event"] == "ended"
    assert events[-1]["result"] == {"total": 42}


@pytest.mark.parametrize(
    ("text", "more", "code", "said"),
    [
        (
            fence('{"op":"done","status":"failure","reason":"there is no milk"}'),
            (),
            1,
            "done: failure, there is no milk",
        ),
        (NOTE, ("--max-bursts", "1"), 3, "budget"),
        (NOTE, ("--max-actions", "1"), 3, "budget"),
        ("=== burst ===\n".join([fence(OPEN, DELETE)] * 3), (), 4, "denied"),
        ("=== burst ===\n".join(["nothing\n"] * 4), (), 3, "exhausted"),
    ],
    ids=["failure", "bursts", "actions", "denied", "idle"],
)
def test_each_end_has_its_exit_code(
    cli: Cli, answer: Path, text: str, more: tuple[str, ...], code: int, said: str
) -> None:
    """E6, Z13."""
    answer.write_text(text)
    done = cli(*words(answer, *more))
    assert done.returncode == code
    assert said in done.stderr.splitlines()[-1]
    assert done.stdout == ""


def test_a_result_must_fit_the_schema(cli: Cli, answer: Path, tmp_path: Path) -> None:
    """N1: told once, then a failure."""
    schema = tmp_path / "schema.json"
    schema.write_text(
        json.dumps({"type": "object", "required": ["total"], "properties": {"total": {"type": "integer"}}})
    )
    assert cli(*words(answer, "--result-schema", str(schema))).stdout == '{"total":42}\n'
    wrong = fence('{"op":"done","status":"success","result":{"total":"many"}}')
    answer.write_text(f"{wrong}=== burst ===\n{wrong}")
    done = cli(*words(answer, "--result-schema", str(schema)))
    assert done.returncode == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read the result schema"),
        ('{"type":\n oops}', "line 2, column 2"),
        ("[]", "holds no JSON object"),
        ('{"type": "strin"}', "no JSON Schema"),
    ],
)
def test_a_bad_schema_is_one_line_before_anything_starts(
    cli: Cli, answer: Path, tmp_path: Path, content: str | None, said: str
) -> None:
    schema = tmp_path / "schema.json"
    if content is not None:
        schema.write_text(content)
    trace = tmp_path / "run.jsonl"
    done = cli(*words(answer, "--result-schema", str(schema), "--trace", str(trace)))
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert not trace.exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--model", "opnai:x"), "openai"),
        (("--model", "script:none.txt"), "none.txt"),
        (("--computer", "brwser"), "browser"),
        (("--computer", "memory:none.json"), "none.json"),
        (("--trace", "no/where/run.jsonl"), "mkdir -p"),
    ],
)
def test_bad_input_is_one_line_that_names_the_fix(cli: Cli, answer: Path, more: tuple[str, ...], said: str) -> None:
    done = cli(*words(answer, *more))
    assert done.returncode == 2
    assert said in one_line(done.stderr)


def test_a_slip_in_the_arguments_costs_no_older_trace(cli: Cli, answer: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    cli(*words(answer, "--trace", str(path)))
    before = path.read_bytes()
    assert cli(*words(answer, "--trace", str(path), "--model", "script:none.txt")).returncode == 2
    assert path.read_bytes() == before


def test_a_full_disk_for_the_trace_ends_the_run(cli: Cli, answer: Path) -> None:
    done = cli(*words(answer, "--trace", "/dev/full"))
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1].startswith("axstream run: cannot write the trace /dev/full: the disk is full")
    assert done.stdout == ""


def test_a_closed_pipe_for_the_result_is_said(answer: Path) -> None:
    with subprocess.Popen(
        command(*words(answer)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        last = run.stderr.read().decode().splitlines()[-1]
        assert run.wait(LIMIT_S) == 5
        assert last.startswith("axstream run: standard output is closed")
        assert "its result was not printed" in last


def test_an_interrupt_in_mid_stream_ends_the_run_and_leaves_a_record(answer: Path, tmp_path: Path) -> None:
    """E5, Z14."""
    path = tmp_path / "run.jsonl"
    with subprocess.Popen(
        command(*words(answer, "--pace", "4", "--trace", str(path))),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as run:
        assert run.stderr is not None
        while b"I open the notes." not in run.stderr.readline():
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        rest = run.stderr.read().decode()
        assert run.wait(LIMIT_S) == 130
        assert "cancelled, interrupted by SIGINT" in rest
        assert "Traceback" not in rest
    ended = [value for _, value in read_trace(path)][-1]
    assert (ended["event"], ended["stop"]) == ("ended", "cancelled")
