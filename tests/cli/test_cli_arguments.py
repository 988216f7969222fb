"""Usage errors are one clear line that names the nearest, exit 2; every help teaches."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import axstream
from axstream.cli.arguments import COMMANDS, make_parser
from tests.cli.conftest import LIMIT_S, Cli, command, environment, one_line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rum", "task"), "there is no command 'rum'; did you mean run?"),
        (("xyz",), "there is no command 'xyz': run, exec, check, observe, spec, doctor"),
        (("check", "--jsn"), "there is no option '--jsn'; did you mean --json?"),
        (("check", "--js"), "there is no option '--js'"),
        (("check", "a", "b"), "'b' is one argument too many"),
        (("--verison",), "there is no option '--verison'; did you mean --version?"),
        (("exec",), "the following arguments are required: --computer"),
        (
            ("exec", "--computer", "memory", "--risky", "alow"),
            "'alow' is none of allow, ask, hold, deny; did you mean allow?",
        ),
        (
            ("run", "buy", "milk", "--computer", "memory", "--model", "local"),
            "'milk' is one argument too many: put quotes",
        ),
        (
            ("run", "x", "--computer", "memory", "--model", "local", "--max-bursts", "0"),
            "'0' is not a whole number of at least 1",
        ),
        (
            ("run", "x", "--computer", "memory", "--model", "local", "--max-seconds", "nan"),
            "'nan' is not a number over 0",
        ),
        (("run", "x", "--computer", "memory", "--model", "local", "--temperature", "-1"), "not a number of at least 0"),
        (("check", "--strict-tags", ","), "give at least one tag"),
        (("check", "--spec", "0.3"), "'0.3' is none of 0.1, 0.2"),
        (("spec", "promt"), "'promt' is none of prompt, schema, grammar; did you mean prompt?"),
        (("spec",), "the following arguments are required: WHAT"),
        (("spec", "schema", "--format", "gbnf"), "axstream spec schema has no format gbnf; give json"),
        (("run", " ", "--computer", "memory", "--model", "local"), "the task is empty"),
    ],
)
def test_a_slip_is_one_line_and_exit_2(cli: Cli, words: tuple[str, ...], said: str) -> None:
    done = cli(*words)
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert done.stdout == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_each_help_teaches_with_examples_and_exit_codes(cli: Cli, name: str) -> None:
    done = cli(name, "--help")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "exit codes:" in done.stdout
    if name != "doctor":
        assert re.search(rf"examples:\n  .*axstream {name} ", done.stdout)


def test_help_of_the_whole_lists_the_commands_and_the_codes(cli: Cli) -> None:
    done = cli("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", done.stdout, re.MULTILINE)
    for code in ("0 done", "1 the model", "2 usage", "3 aborted", "4 denied", "5 computer", "130 interrupted"):
        assert code in done.stdout
    assert cli().stdout == done.stdout


def test_version_is_the_packages(cli: Cli) -> None:
    done = cli("--version")
    assert done.stdout == f"axstream {axstream.__version__}\n"
    assert done.returncode == 0


def test_a_misspelt_option_wins_over_the_one_that_is_missing_for_it(cli: Cli) -> None:
    done = cli("exec", "--computr", "memory")
    assert done.returncode == 2
    assert "did you mean --computer?" in one_line(done.stderr)


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_a_full_disk_is_one_line_for_version_and_help_too(word: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command(word), stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=LIMIT_S)
    assert done.returncode == 5
    assert "cannot write to standard output" in one_line(done.stderr.decode())


def test_upload_names_something_that_is_there_or_a_glob(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--computer", "memory", "--upload", str(tmp_path / "nothing.pdf")]
    with pytest.raises(SystemExit) as left:
        make_parser("exec").parse_args(words)
    assert left.value.code == 2
    assert "is not there: name a file, a folder, or a glob in quotes" in capsys.readouterr().err
    args = make_parser("run").parse_args(
        ["x", "--computer", "memory", "--model", "local", "--upload", str(tmp_path), "--upload", "*.pdf"]
    )
    assert args.upload == [str(tmp_path), "*.pdf"]
    assert make_parser("exec").parse_args(["--computer", "memory"]).upload == []
