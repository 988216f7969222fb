"""The time that a memory computer lives in: real, or virtual for tests. Nothing is scheduled here."""

from __future__ import annotations

import time
from typing import Protocol

import anyio
import anyio.lowlevel


class Clock(Protocol):
    """A pair of ``now`` and ``sleep`` that belong together, in seconds."""

    def now(self) -> float:
        """Return the time since some fixed moment; it never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Return once that much of this clock's time has passed; always a cancellation point."""


class RealClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Return ``time.monotonic()``."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Sleep for real."""
        await anyio.sleep(seconds)


class VirtualClock:
    """Time that passes only when somebody sleeps: a test of a two-second wait takes no time."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        """Return the virtual time."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass from outside."""
        self._now += seconds

    async def sleep(self, seconds: float) -> None:
        """Let other tasks run once, then be at the later time."""
        until = self._now + seconds
        await anyio.lowlevel.checkpoint()
        self._now = max(self._now, until)
