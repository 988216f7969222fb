"""``axstream observe``: look at a computer once and print what a model would see. Nothing is performed."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from axstream.ax.ids import IdBook
from axstream.ax.outline import outline
from axstream.cli.interrupts import Interrupts
from axstream.cli.opening import open_named
from axstream.cli.output import Output
from axstream.cli.running import run_until_signal
from axstream.cli.terminal import printable
from axstream.errors import UsageError
from axstream.runtime.marks import picture_of, with_sight
from axstream.runtime.observing import observation_event
from axstream.spec.catalogue import Catalogue
from axstream.trace.encode import to_line


def observe(args: argparse.Namespace) -> int:
    """Print the outline, or with ``--json`` the observation event; return the exit code.

    ``--screenshot`` writes the picture that goes with it to a file.
    """
    if args.marks and args.screenshot is None:
        raise UsageError("--marks says what is drawn on a picture; give --screenshot FILE with it")
    computer = open_named(args)
    if args.screenshot is not None:
        with_sight(computer, marks=args.marks)
    output = Output()

    async def look() -> int:
        started = time.monotonic()
        async with computer:
            begun = time.monotonic()
            tree = await computer.observe()
            book = IdBook()
            seen = outline(tree, book) if args.max_tokens is None else outline(tree, book, max_tokens=args.max_tokens)
            event = observation_event(tree, seen, book, burst=1, seconds=time.monotonic() - begun)
            if args.screenshot is not None:
                _write(args.screenshot, await picture_of(computer, tree, seen, book, marks=args.marks))
            if args.json:
                output.write(to_line(time.monotonic() - started, event, Catalogue()))
            else:
                output.text(printable(event.outline, keep="\n").rstrip("\n") + "\n")
        return 0

    return run_until_signal(look, Interrupts(output))


def _write(file: str, picture: bytes) -> None:
    try:
        Path(file).write_bytes(picture)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"--screenshot: cannot write {file}: {reason}; name a file in a folder that is there"
        ) from error
