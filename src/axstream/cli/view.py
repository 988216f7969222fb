"""The terminal view of a run: narration dim, each action as it commits, its effect and its milliseconds, a last line.

It shows events and knows no computer and no model. Nothing observed or generated reaches the terminal unescaped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from axstream.cli.terminal import Style, printable, quoted
from axstream.cli.words import say
from axstream.spec.actions import Action, Done, Observe
from axstream.trace.events import (
    BurstEnded,
    ChunkReceived,
    Committed,
    Denied,
    Discarded,
    Element,
    Ended,
    Executed,
    Failed,
    Held,
    Note,
    Observation,
    RunEvent,
    Started,
)
from axstream.wire.events import ActionLine, Narration, Rejected, Truncated

_WIDE = 200  # characters of a message: two rows of a usual terminal, so that one line cannot fill the screen


def to_stderr(text: str) -> None:
    """Write to standard error at once; where nobody reads it, the view is simply not seen."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    data = memoryview(text.encode(encoding, "backslashreplace"))
    try:
        while data:
            data = data[os.write(2, data) :]
    except OSError:
        pass


class View:
    """Shows one run. While ``paused`` (a person is being asked) lines wait, so that the question stays readable."""

    def __init__(self, style: Style, write: Callable[[str], None] = to_stderr, *, unicode: bool = True) -> None:
        self._style = style
        self._write = write
        self._yes, self._no, self._go, self._dot = ("✓", "✗", "▸", "·") if unicode else ("ok", "no", ">", "-")
        self._paused = False
        self._waiting: list[str] = []
        self._actions: dict[int, Action] = {}
        self._thinking = ""

    def show(self, event: RunEvent) -> None:
        """Show an event, if it is one that a person watches for."""
        said = self._line(event)
        if said is None:
            return
        if self._paused:
            self._waiting.append(said + "\n")
        else:
            self._write(said + "\n")

    def pause(self) -> None:
        """Keep lines back from now on."""
        self._paused = True

    def resume(self) -> None:
        """Show what was kept back, and go on."""
        self._paused = False
        if self._waiting:
            self._write("".join(self._waiting))
            self._waiting.clear()

    def _line(self, event: RunEvent) -> str | None:
        style = self._style
        match event:
            case Started():
                return self._started(event)
            case Observation():
                where = printable(event.url or event.title, 100)
                seen = f"looked at {where or 'the screen'}: {len(event.elements)} elements, {event.ms:.0f} ms"
                return style.dim(f"{self._dot} burst {event.burst}: {seen}")
            case ChunkReceived(reasoning=reasoning):
                return self._thought(reasoning) if reasoning else None
            case Narration(text=text):
                return style.dim(printable(text)) if text.strip() else None
            case ActionLine(line=line, action=action):
                self._actions[line] = action
                return None
            case Committed(line=line):
                action_said = say(self._actions[line]) if line in self._actions else "an action"
                return f"{self._row(line)}{style.bold(self._go)} {action_said}"
            case Rejected(line=line):
                said = style.bad(f"{self._no} rejected ({event.reason}): {printable(event.message, _WIDE)}")
                return f"{self._row(line)}{said}\n{'':9}{style.dim(printable(event.text, 120))}"
            case Truncated(line=line):
                return (
                    f"{self._row(line)}{style.bad(f'{self._no} truncated: its newline never came, so it does not run')}"
                )
            case Executed():
                return self._executed(event)
            case Failed(line=line):
                self._actions.pop(line, None)
                said = f"{self._no} {event.error}: {printable(event.message, 2 * _WIDE)}"
                return f"{self._row(line)}{style.bad(said)} {style.dim(f'{event.ms:.0f} ms')}"
            case Held(line=line):
                what = "waits for your answer" if event.mode == "ask" else "held until the stream is complete"
                said = style.warn(f"{self._dot} {what}{self._why(event.why)}")
                return f"{self._row(line)}{said}{self._found(event.element)}"
            case Denied(line=line):
                self._actions.pop(line, None)
                return f"{self._row(line)}{style.bad(f'{self._no} denied: {printable(event.message, _WIDE)}')}"
            case Discarded(line=line):
                self._actions.pop(line, None)
                return f"{self._row(line)}{style.dim(f'- not run: {printable(event.why, _WIDE)}')}"
            case Note(text=text):
                return style.warn(f"{self._dot} {printable(text, 2 * _WIDE)}")
            case BurstEnded():
                self._actions.clear()
                if event.stop == "done":
                    return None  # the last line says it
                reason = f": {printable(event.reason, _WIDE)}" if event.reason else ""
                return style.dim(f"{self._dot} burst {event.burst} ended ({event.stop}){reason}")
            case Ended():
                return self._ended(event)
            case _:
                return None

    def _row(self, line: int) -> str:
        return self._style.dim(f"{line:5}") + "  "

    def _thought(self, text: str) -> str | None:
        """Return the lines of reasoning that are whole by now."""
        *lines, self._thinking = (self._thinking + text).split("\n")
        self._thinking = self._thinking[-_WIDE:]
        said = [self._style.dim(f"{self._dot} {printable(line, _WIDE)}") for line in lines if line.strip()]
        return "\n".join(said) or None

    def _started(self, event: Started) -> str:
        parts = [f"axstream {event.version}", f"computer {printable(event.computer, 120)}"]
        if event.model:
            parts.append(f"model {printable(event.model, 80)}")
        parts.append(f"risky acts: {printable(event.risky, _WIDE)}")
        notes = "".join(f"\n{self._style.warn(f'{self._dot} {printable(note, _WIDE)}')}" for note in event.notes)
        return self._style.dim(f" {self._dot} ".join(parts)) + notes

    def _executed(self, event: Executed) -> str | None:
        action = self._actions.pop(event.line, None)
        if isinstance(action, Observe | Done) and not event.notes:
            return None  # it has no effect but the end, which has its own line
        effect = printable(event.effect, _WIDE) or (say(action) if action is not None else "done")
        notes = "".join(f"  {self._style.warn(printable(note, _WIDE))}" for note in event.notes)
        time = self._style.dim(f"{event.ms:.0f} ms")
        return (
            f"{self._row(event.line)}{self._style.good(self._yes)} {effect}{self._found(event.element)}{notes}  {time}"
        )

    def _found(self, element: Element | None) -> str:
        if element is None:
            return ""
        name = f" {quoted(element.name)}" if element.name else ""
        id_ = f" ({printable(element.id, 20)})" if element.id else ""
        return self._style.dim(f"  [{printable(element.role, 40)}{name}{id_}]")

    def _why(self, why: tuple[str, ...]) -> str:
        return f" ({printable('; '.join(why), _WIDE)})" if why else ""

    def _ended(self, event: Ended) -> str:
        good = event.stop == "observe" or (event.stop == "done" and event.status == "success")
        paint = self._style.good if good else self._style.bad
        said = event.stop if event.status is None else f"{event.stop}: {event.status}"
        reason = f", {printable(event.reason, 2 * _WIDE)}" if event.reason else ""
        share = ""
        if event.actions:
            share = f"; {event.overlap * 100:.0f} % of the execution ran while the model was still generating"
        counted = f"{_count(event.actions, 'action')}, {_count(event.bursts, 'burst')}, {event.seconds:.1f} s{share}"
        return f"{paint(self._yes if good else self._no)} {paint(said)}{reason} {self._style.dim(f'({counted})')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
