"""``axstream check`` as a process: the table of JSON objects, the account that teaches, exit codes, flushing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli, command, environment, one_line

STREAM = """I'll save it.
```json
{"op":"click","target":{"ax":{"title":"Save"}}}
oops
```
```
{"op":"wa"""


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_is_exactly_the_table_of_events(cli: Cli) -> None:
    done = cli("check", "--json", stdin=STREAM)
    assert done.returncode == 1
    found = objects(done.stdout)
    message = found[3].pop("message")
    assert isinstance(message, str)
    assert message
    assert found == [
        {"event": "narration", "line": 1, "text": "I'll save it."},
        {"event": "fence_opened", "line": 2, "tag": "json"},
        {"event": "action", "line": 3, "action": {"op": "act", "do": "click", "target": {"ax": {"title": "Save"}}}},
        {"event": "rejected", "line": 4, "reason": "not_json", "text": "oops"},
        {"event": "fence_closed", "line": 5},
        {"event": "fence_opened", "line": 6, "tag": ""},
        {"event": "truncated", "line": 7, "text": '{"op":"wa'},
    ]
    assert all(list(value)[:2] == ["event", "line"] for value in found)


def test_a_clean_stream_exits_0(cli: Cli) -> None:
    done = cli("check", "--json", stdin='```\n{"op":"observe"}\n```\n')
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize("bad", ['```\n{"op":"zap"}\n```\n', '```\n{"op":"observe"}'])
def test_rejected_or_truncated_exits_1(cli: Cli, bad: str) -> None:
    assert cli("check", stdin=bad).returncode == 1


def test_a_file_and_a_dash_read_the_same(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(STREAM)
    assert cli("check", "--json", str(path)).stdout == cli("check", "--json", "-", stdin=STREAM).stdout


def test_each_line_is_out_before_the_next_is_written() -> None:
    """W, Issue: flushed line by line as input arrives."""
    with subprocess.Popen(
        command("check", "--json"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        for line, event in [("```", "fence_opened"), ('{"op":"observe"}', "action"), ("```", "fence_closed")]:
            run.stdin.write(line.encode() + b"\n")
            run.stdin.flush()
            assert json.loads(run.stdout.readline())["event"] == event
        run.stdin.close()
        assert run.wait(30) == 0


def test_the_account_teaches(cli: Cli) -> None:
    stream = 'Hello\n```\n{"op":"type","text":"Ada","target":{"ax":{"role":"textbox","title":"Name"}},"zap":1}\n'
    stream += '{"op":"wait","ms":"300"}\n{"op":"done","status":"success"}\n{"op":"key","keys":"ctrl+s"}\n```\n'
    done = cli("check", stdin=stream)
    lines = done.stdout.splitlines()
    assert lines[2].strip() == '3  ✓ type "Ada" into textbox "Name"  (not known, so ignored: zap)'
    assert "✗ bad_field" in lines[3]
    assert '{"op":"wait","ms":"300"}' in lines[4]
    assert "would not run: line 5 ended it" in lines[6]
    assert lines[-2] == "1 action after the `done` in line 5 would not run"
    assert lines[-1] == "7 lines: 3 actions, 1 rejected, 0 truncated"
    assert done.returncode == 1


def test_no_fence_is_said_with_the_line_that_looks_like_json(cli: Cli) -> None:
    """Z21."""
    for words in ((), ("--json",)):
        done = cli("check", *words, stdin='Sure:\n{"op":"observe"}\n')
        assert "no fence opened, so nothing would run" in done.stdout + done.stderr
        assert 'line 2 looks like one: {"op":"observe"}' in done.stdout + done.stderr
        assert done.returncode == 0


def test_an_empty_input_is_said(cli: Cli) -> None:
    done = cli("check")
    assert done.stdout.splitlines()[0] == "the input is empty"
    assert done.returncode == 0


def test_bare_reads_as_if_inside_a_fence(cli: Cli) -> None:
    """Z21."""
    done = cli("check", "--bare", "--json", stdin='{"op":"observe"}\nnot json\n')
    assert [value["event"] for value in objects(done.stdout) if value["event"] != "fence_opened"] == [
        "action",
        "rejected",
    ]
    assert done.returncode == 1


def test_strict_tags_let_only_these_fences_open(cli: Cli) -> None:
    """W3, Z23."""
    stream = '```json\n{"op":"observe"}\n```\n```spec\n{"op":"observe"}\n```\n'
    done = cli("check", "--strict-tags", "spec,jsonl", "--json", stdin=stream)
    assert [value["line"] for value in objects(done.stdout) if value["event"] == "action"] == [5]


def test_a_leading_think_is_taken_out_unless_it_is_kept(cli: Cli) -> None:
    """W15, Z9."""
    stream = '<think>\n```\n{"op":"observe"}\n```\n</think>\nok\n'
    dropped = objects(cli("check", "--json", stdin=stream).stdout)
    kept = objects(cli("check", "--json", "--keep-reasoning", stdin=stream).stdout)
    assert not [value for value in dropped if value["event"] == "action"]
    assert [value["line"] for value in kept if value["event"] == "action"] == [3]


def test_spec_0_1_refuses_the_additive_acts(cli: Cli) -> None:
    """N, Z11."""
    stream = '```\n{"op":"right_click","target":{"x":1,"y":2}}\n```\n'
    assert cli("check", stdin=stream).returncode == 0
    assert cli("check", "--spec", "0.1", stdin=stream).returncode == 1


@pytest.mark.parametrize(("name", "said"), [("none.txt", "no such file or directory"), (".", "it is a directory")])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_2(cli: Cli, tmp_path: Path, name: str, said: str) -> None:
    done = cli("check", name, cwd=tmp_path)
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert name in done.stderr


def test_a_closed_output_pipe_is_a_quiet_exit() -> None:
    stream = b"x\n" * 200_000
    with subprocess.Popen(
        command("check", "--json"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdout.close()
        try:
            run.stdin.write(stream)
            run.stdin.close()
        except BrokenPipeError:
            pass
        assert run.wait(30) == 5
        assert run.stderr is not None
        assert run.stderr.read() == b""


def test_a_full_disk_behind_the_output_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("check", "--json"),
            input=STREAM.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=60,
            check=False,
        )
    assert done.returncode == 5
    assert one_line(done.stderr.decode()) == "axstream check: cannot write to standard output: the disk is full"


def test_control_characters_of_the_input_never_reach_the_terminal(cli: Cli) -> None:
    stream = "\x1b]0;owned\x07 \u202eevil\n```\n\x1b[2J\n" + '{"op":"type","text":"\\u001b[2J"}\n```\n'
    done = cli("check", stdin=stream)
    assert not [char for char in done.stdout if char != "\n" and not char.isprintable()]
    assert "\\x1b]0;owned\\x07 \\u202eevil" in done.stdout


def test_the_account_works_where_the_terminal_has_no_unicode(cli: Cli) -> None:
    done = cli("check", stdin='```\n{"op":"type","text":"é"}\n```\n', env={"PYTHONIOENCODING": "ascii"})
    assert 'ok type "\\xe9"' in done.stdout
    assert done.returncode == 0


def test_input_that_is_not_utf8_is_read_all_the_same(cli: Cli) -> None:
    """W1."""
    done = cli("check", "--json", stdin=b"\xff\xfe\xed\xa0\x80\n```\n\x80\n```\n")
    assert "\ufffd" in objects(done.stdout)[0]["text"]
    assert done.returncode == 1


def test_colour_only_where_a_terminal_asks_for_it(cli: Cli) -> None:
    assert "\x1b[" not in cli("check", stdin=STREAM).stdout
