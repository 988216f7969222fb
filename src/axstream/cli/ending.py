"""How a run's end becomes an exit code, and how its result is printed. Nothing runs here."""

from __future__ import annotations

import sys

import msgspec

from axstream.cli.output import Output
from axstream.cli.terminal import printable
from axstream.trace.events import Stop

SUCCESS, FAILURE, USAGE, ENDED, DENIED, BROKEN = 0, 1, 2, 3, 4, 5


def exit_code(stop: Stop, status: str | None) -> int:
    """Return the exit code of a burst or run that ended so (Z13, Z14); a signal's own code goes before it."""
    match stop:
        case "done":
            return SUCCESS if status == "success" else FAILURE
        case "observe":
            return SUCCESS
        case "aborted" | "exhausted" | "budget":
            return ENDED
        case "denied":
            return DENIED
        case "interrupted" | "error" | "cancelled":
            return BROKEN


def print_result(output: Output, result: object) -> None:
    """Print a ``done`` line's result: text as it is, all else as JSON; nothing where there is none.

    On a terminal control characters are shown as escapes; through a pipe the bytes are the result's own.
    """
    if result is msgspec.UNSET or result is None:
        return
    text = result if isinstance(result, str) else msgspec.json.encode(result).decode()
    if sys.stdout is not None and sys.stdout.isatty():
        text = printable(text, keep="\n\t")
    output.text(text + "\n")
