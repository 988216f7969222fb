"""What one burst is made of: its limits, its committed lines, its result, and the reader's side of its state.

Nothing is performed here; ``executor`` does that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

import anyio
import msgspec

from axstream.models.base import Finish, Usage
from axstream.spec.actions import Action
from axstream.trace.events import Stop
from axstream.wire.events import ActionLine, Event, FenceClosed, FenceOpened, Rejected, Truncated

QUEUE_LIMIT = 1024  # E1: this many committed lines may wait; then reading pauses

_LOOKS_JSON = re.compile(r"^\s*\{")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a run's budgets for one burst (E6); None is no limit. ``seconds`` are seconds."""

    actions: int | None = None
    seconds: float | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A committed line on its way to be performed, with what was lost right before it (E7, Z6)."""

    line: int
    action: Action
    ignored: tuple[str, ...]
    lost: Rejected | None  # the last rejected line since the action before, in the same fence
    fence_ended: bool  # a fence closed since the action before: an older caution is over
    lost_barrier: bool  # a rejected assert, observe or done stands earlier in the response


class BurstResult(msgspec.Struct, frozen=True, kw_only=True):
    """How one burst ended. ``seconds`` is its wall time, ``execution_s`` the time in which actions ran.

    ``overlap_s`` is the part of ``execution_s`` in which the model was still generating. ``denials`` are the messages
    of what was denied, ``rejected`` the rejected lines, both for the next prompt.
    """

    stop: Stop
    status: Literal["success", "failure"] | None = None
    reason: str | None = None
    result: Any | msgspec.UnsetType = msgspec.UNSET
    acts: int = 0
    executed: int = 0
    rejected: int = 0
    fences: int = 0
    denied: str | None = None
    seconds: float = 0.0
    execution_s: float = 0.0
    overlap_s: float = 0.0
    first_effect_s: float | None = None
    usage: Usage | None = None
    finish: Finish | None = None
    first_json: str | None = None
    all_reasoning: bool = False  # a leading <think> that was never closed


class Intake:
    """The reader's side of one burst: turns parser events into committed lines and knows whether the text is whole.

    States: reading → (barrier committed | ended cleanly | broken). ``settled`` is set on leaving the first;
    ``complete`` then says whether held lines may run (R2, Z7).
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.settled = anyio.Event()
        self.complete = False
        self.barrier = False
        self.broken: str | None = None
        self.truncated = False
        self.ended_at: float | None = None
        self.usage: Usage | None = None
        self.finish: Finish | None = None
        self.fences = 0
        self.rejected = 0
        self.first_json: str | None = None
        self._open = False
        self._lost: Rejected | None = None
        self._fence_ended = False
        self._lost_barrier = False

    def note(self, event: Event) -> Line | None:
        """Take in one parser event; return the committed line if it is one that may run."""
        match event:
            case FenceOpened():
                self._open = True
                self.fences += 1
            case FenceClosed():
                self._open = False
                self._fence_ended, self._lost = True, None
            case Rejected(text=text, barrier=barrier):
                self.rejected += 1
                if _LOOKS_JSON.match(text):
                    self._lost = event
                    self._lost_barrier = self._lost_barrier or barrier
            case Truncated():
                self.truncated = True
            case ActionLine(line=number, action=action, ignored=ignored):
                line = Line(
                    line=number,
                    action=action,
                    ignored=ignored,
                    lost=self._lost,
                    fence_ended=self._fence_ended,
                    lost_barrier=self._lost_barrier,
                )
                self._lost, self._fence_ended = None, False
                return line
            case _:  # narration
                if self.first_json is None and _LOOKS_JSON.match(event.text):
                    self.first_json = event.text[:200]
        return None

    def commit_barrier(self) -> None:
        """A committed ``observe`` or ``done`` completes the burst: what is held may run (R2)."""
        self.barrier = True
        self._settle(complete=True)

    def end(self) -> None:
        """The text ended by itself: complete only with the fence closed and no length stop (Z7)."""
        whole = not (self._open or self.truncated) and self.finish in (None, "stop")
        self._settle(complete=whole)

    def break_off(self, why: str) -> None:
        """The text broke: what is held will not run (E4)."""
        self.broken = why
        self._settle(complete=False)

    def _settle(self, *, complete: bool) -> None:
        if not self.settled.is_set():
            self.complete = complete
            self.ended_at = self._clock()
            self.settled.set()
