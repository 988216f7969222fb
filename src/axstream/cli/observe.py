"""``axstream observe``: look at a computer once and print what a model would see. Nothing is performed."""

from __future__ import annotations

import argparse
import time

from axstream.ax.ids import IdBook
from axstream.ax.outline import outline
from axstream.cli.interrupts import Interrupts
from axstream.cli.output import Output
from axstream.cli.running import run_until_signal
from axstream.cli.terminal import printable
from axstream.computer.registry import open_computer
from axstream.runtime.observing import observation_event
from axstream.spec.catalogue import Catalogue
from axstream.trace.encode import to_line


def observe(args: argparse.Namespace) -> int:
    """Print the outline, or with ``--json`` the observation event; return the exit code."""
    computer = open_computer(args.computer, headed=args.headed, executable=args.executable)
    output = Output()

    async def look() -> int:
        started = time.monotonic()
        async with computer:
            begun = time.monotonic()
            tree = await computer.observe()
            book = IdBook()
            seen = outline(tree, book) if args.max_tokens is None else outline(tree, book, max_tokens=args.max_tokens)
            event = observation_event(tree, seen, book, burst=1, seconds=time.monotonic() - begun)
            if args.json:
                output.write(to_line(time.monotonic() - started, event, Catalogue()))
            else:
                output.text(printable(event.outline, keep="\n").rstrip("\n") + "\n")
        return 0

    return run_until_signal(look, Interrupts(output))
