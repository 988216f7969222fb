"""``observe``, ``spec`` and ``doctor`` as processes, and what a second signal does."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest

from axstream.cli.doctor import Finding, row, tried
from axstream.cli.terminal import Style
from axstream.errors import UsageError
from axstream.spec.catalogue import Catalogue
from axstream.spec.manual import manual
from tests.cli.conftest import LIMIT_S, Cli, command, environment, one_line


def test_observe_prints_what_a_model_would_see(cli: Cli) -> None:
    """O1."""
    done = cli("observe", "--computer", "memory")
    assert done.returncode == 0
    assert re.search(r'^ *e\d+ button "Notes"$', done.stdout, re.MULTILINE)
    assert done.stderr == ""


def test_observe_json_is_one_observation(cli: Cli) -> None:
    done = cli("observe", "--computer", "memory", "--json")
    value = json.loads(one_line(done.stdout))
    assert list(value)[:2] == ["event", "t"]
    assert value["event"] == "observation"
    assert value["outline"] + "\n" == cli("observe", "--computer", "memory").stdout
    assert {element["id"] for element in value["elements"]} == set(
        re.findall(r"^ *(e\d+) ", value["outline"], re.MULTILINE)
    )


@pytest.mark.parametrize("words", [("observe", "--computer", "memry"), ("observe", "--computer", "memory", "--headed")])
def test_observe_says_a_slip_in_one_line(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli(*words)
    assert done.returncode == 2
    assert "memory" in one_line(done.stderr)


def test_spec_prompt_is_the_manual_that_models_get(cli: Cli) -> None:
    """O4."""
    assert cli("spec", "prompt").stdout.rstrip("\n") == manual(Catalogue()).rstrip("\n")
    assert cli("spec", "prompt", "--spec", "0.1").stdout.rstrip("\n") == manual(Catalogue(spec="0.1")).rstrip("\n")


def test_spec_schema_is_json(cli: Cli) -> None:
    assert "$schema" in json.loads(cli("spec", "schema").stdout)
    assert cli("spec", "schema", "--format", "json").stdout == cli("spec", "schema").stdout


def test_spec_grammar_comes_in_both_languages(cli: Cli) -> None:
    gbnf = cli("spec", "grammar").stdout
    assert gbnf.startswith("root ::= ")
    assert cli("spec", "grammar", "--format", "gbnf").stdout == gbnf
    lark = cli("spec", "grammar", "--format", "lark").stdout
    assert "start:" in lark
    both = json.loads(cli("spec", "grammar", "--format", "json").stdout)
    assert (both["gbnf"].rstrip("\n"), both["lark"].rstrip("\n")) == (gbnf.rstrip("\n"), lark.rstrip("\n"))


def test_printing_into_a_closed_pipe_is_quiet() -> None:
    for words in (("spec", "grammar"), ("observe", "--computer", "memory"), ("--help",)):
        with subprocess.Popen(
            command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        ) as run:
            assert run.stdout is not None
            assert run.stderr is not None
            run.stdout.close()
            assert run.stderr.read() == b""
            assert run.wait(LIMIT_S) in (0, 5)


def test_the_doctor_says_what_works_and_how_to_mend_the_rest(cli: Cli) -> None:
    done = cli("doctor", "--json")
    assert done.returncode == 0
    report = json.loads(one_line(done.stdout))
    assert report["ok"] is True
    checks = {check["name"]: check for check in report["checks"]}
    assert list(checks)[:3] == ["python", "core", "a burst"]
    assert all(check["state"] == "ok" for check in checks.values() if check["core"])
    assert {"playwright", "chromium", "openai", "xllamacpp", "local model", "jsonschema", "terminal"} <= set(checks)
    assert all(check["mend"] for check in checks.values() if check["state"] != "ok")
    assert checks["terminal"]["state"] == "missing"  # the test runs it without one


def test_the_doctors_row_gives_the_command() -> None:
    finding = Finding(name="openai", state="missing", found="not installed\x1b", mend="pip install x")
    assert (
        row(finding, Style(False), unicode=True) == f"✗ {'openai':12}  not installed\\x1b\n{'':16}mend: pip install x\n"
    )
    assert row(finding, Style(False), unicode=False).startswith("no openai")


async def test_whatever_a_probe_raises_is_a_finding() -> None:
    async def broken() -> str:
        raise AttributeError("no such\nthing")

    async def missing() -> str:
        raise UsageError("install it")

    async def fine() -> str:
        return "2.0"

    assert (await tried("x", broken, "mend it")).found == "AttributeError: no such thing"
    assert (await tried("x", missing, "mend it")).state == "missing"
    assert await tried("x", fine, "m", core=True) == Finding(name="x", state="ok", found="2.0", mend="m", core=True)


STUBBORN = """
import asyncio, sys
from axstream.cli.interrupts import Interrupts

async def main(interrupts):
    interrupts.watch(lambda: print("asked", flush=True))
    print("ready", flush=True)
    await asyncio.sleep(600)

with Interrupts() as interrupts:
    asyncio.run(main(interrupts))
"""


def test_a_second_signal_forces() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        assert run.stdout.readline() == b"ready\n"
        run.send_signal(signal.SIGINT)
        assert run.stdout.readline() == b"asked\n"
        run.send_signal(signal.SIGINT)
        assert run.wait(LIMIT_S) == 130
        assert one_line(run.stderr.read().decode()) == "axstream: forced; keys or buttons may still be down"


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--marks",), "--screenshot FILE"), (("--screenshot", "seen.png"), "the memory computer has no picture")],
)
def test_a_picture_that_cannot_be_is_a_slip(cli: Cli, words: tuple[str, ...], said: str) -> None:
    done = cli("observe", "--computer", "memory", *words)
    assert done.returncode == 2
    assert said in one_line(done.stderr)
