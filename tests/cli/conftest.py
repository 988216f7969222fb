"""The command as a real process, with nothing of this terminal's: how the tests of this folder start it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

LIMIT_S = 60.0

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def command(*words: str) -> list[str]:
    """Return the command line that starts ``axstream`` in this interpreter."""
    return [sys.executable, "-m", "axstream.cli", *words]


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment without what would colour or bend the output."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "PYTHONWARNINGS")}
    return {**kept, "PYTHONWARNINGS": "error", **more}


@pytest.fixture
def cli() -> Cli:
    """Run ``axstream`` without a controlling terminal; returns exit code, standard output and error."""

    def run(*words: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, **options: Any) -> Any:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            command(*words),
            input=data,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
            start_new_session=True,
            env=environment(**(env or {})),
            **options,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def one_line(text: str) -> str:
    """Return the one line that a text must be."""
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text[:-1]
