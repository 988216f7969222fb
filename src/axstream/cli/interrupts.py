"""Signals that end a command: the first one stops it in order, so that all input is released; a second one forces.

Nothing is released here; who is stopped does that.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from types import FrameType

from axstream.cli.output import Output

#: What a person, a supervisor and a closing terminal send.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """While entered, a signal calls ``stop`` inside the event loop; a second one leaves the process at once.

    ``caught`` is the signal that came, ``exit_code`` what stands for it (130, 143, 129). A write that nobody reads
    does not stand in the way for long: ``output`` is told.
    """

    def __init__(self, output: Output | None = None) -> None:
        self.caught: signal.Signals | None = None
        self._output = output
        self._stop: Callable[[], object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._before: dict[signal.Signals, object] = {}

    @property
    def exit_code(self) -> int:
        """The exit code that stands for the signal that came."""
        return 128 + (self.caught or signal.SIGINT)

    @property
    def reason(self) -> str:
        """The signal that came, for people."""
        return f"interrupted by {self.caught.name}" if self.caught is not None else "interrupted"

    def watch(self, stop: Callable[[], object]) -> None:
        """Have the next signal call ``stop`` in the running event loop; at once where one has come already."""
        self._loop = asyncio.get_running_loop()
        self._stop = stop
        if self.caught is not None:
            stop()

    def __enter__(self) -> Interrupts:
        for number in SIGNALS:
            if number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                continue  # nohup meant it
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]  # what signal.signal itself returned
        self._before.clear()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.caught is not None:
            os.write(2, b"axstream: forced; keys or buttons may still be down\n")
            os._exit(128 + number)
        self.caught = signal.Signals(number)
        if self._output is not None:
            self._output.interrupted = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopped)

    def _stopped(self) -> None:
        if self._stop is not None:
            self._stop()
