"""What the next prompt says of the bursts before (O5): one line an event, never an old observation. No I/O."""

from __future__ import annotations

import json

from axstream.ax.quote import plain
from axstream.trace.events import (
    BurstEnded,
    Committed,
    Denied,
    Discarded,
    Element,
    Executed,
    Failed,
    RunEvent,
)
from axstream.wire.events import Rejected, Truncated

MAX_LINES = 60  # the newest; what is older is counted, so that a long run's prompt stays bounded
MAX_LINE = 300  # characters of one line
_OP_FIRST = ("do", "op")


class History:
    """Collects a run's events and tells them as lines. ``notes`` are the loop's own words to the model."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._dropped = 0
        self._acts: dict[tuple[int, int], str] = {}
        self._discarded: list[int] = []

    def take(self, event: RunEvent) -> None:
        """Take in one event; those that say nothing to the model are passed over."""
        match event:
            case Committed(line=line, burst=burst, action=action):
                self._acts[burst, line] = _short(action)
            case Executed(line=line, burst=burst, effect=effect, notes=notes, element=element) if effect:
                extra = f" ({'; '.join(notes)})" if notes else ""
                self._add(f"ok: {self._act(burst, line)}{_found(element)} -> {effect}{extra}")
            case Failed(line=line, burst=burst, message=message):
                self._add(f"FAILED: {self._act(burst, line)} -> {message}")
            case Denied(line=line, burst=burst, message=message):
                self._add(
                    f"DENIED: {self._act(burst, line)} -> {message}; do not try it again, find another way or give up"
                )
            case Rejected(reason=reason, message=message, text=text):
                self._add(f"REJECTED ({reason}), it did not run: {plain(text, 200)} -> {message}")
            case Truncated(text=text):
                self._add(f"CUT OFF, it did not run: {plain(text, 200)}")
            case Discarded(line=line):
                self._discarded.append(line)
            case BurstEnded(burst=burst, stop=stop, reason=reason):
                if self._discarded:
                    self._add(f"not run: {len(self._discarded)} action(s) behind that")
                    self._discarded.clear()
                if stop in ("exhausted", "interrupted") and reason:
                    self._add(f"note: {reason}")
                self._acts = {key: act for key, act in self._acts.items() if key[0] > burst}
            case _:
                return

    def tell(self, text: str) -> None:
        """Add a line of the loop's own."""
        self._add(text)

    @property
    def count(self) -> int:
        """How many lines there were until now, those that were dropped too."""
        return self._dropped + len(self._lines)

    def lines(self, since: int = 0) -> tuple[str, ...]:
        """Return the lines, oldest first, from the one with the number ``since`` (an earlier ``count``) on."""
        dropped = self._dropped - since
        if dropped > 0:
            return (f"… {dropped} earlier lines left out", *self._lines)
        return tuple(self._lines[-dropped:])

    def _act(self, burst: int, line: int) -> str:
        return self._acts.get((burst, line), f"line {line}")

    def _add(self, text: str) -> None:
        self._lines.append(plain(text, MAX_LINE))
        if len(self._lines) > MAX_LINES:
            self._dropped += len(self._lines) - MAX_LINES
            del self._lines[:-MAX_LINES]


def _short(action: dict[str, object]) -> str:
    """The compact shorthand of a canonical action, as the model would write it."""
    fields = {key: value for key, value in action.items() if key not in _OP_FIRST}
    op = action.get("do") or action.get("op")
    return json.dumps({"op": op, **fields}, ensure_ascii=False, separators=(",", ":"))


def _found(element: Element | None) -> str:
    return (
        f" on {element.role} {json.dumps(element.name[:80], ensure_ascii=False)}"
        if element is not None and element.name
        else ""
    )
