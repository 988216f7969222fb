"""``axstream check``: read a stream and say what every line of it is; nothing is performed, no computer opened."""

from __future__ import annotations

import argparse
import os
import stat
import sys

from axstream.cli.output import Output, OutputClosed
from axstream.cli.terminal import Style, printable
from axstream.cli.words import say
from axstream.errors import UsageError
from axstream.spec.actions import Done, Observe
from axstream.spec.catalogue import Catalogue
from axstream.trace.line import encode_line
from axstream.wire import jsonform
from axstream.wire.events import ActionLine, Event, FenceClosed, FenceOpened, Narration, Rejected, Truncated
from axstream.wire.reader import ResponseReader

#: One read: a pipe's whole capacity on Linux, so that a fast writer costs few calls and a slow one no delay.
READ_BYTES = 1 << 16

NO_FENCE = "no fence opened, so nothing {}: put a line of three backticks before the actions, or use --bare"  # Z21

UNCLOSED_THINK = (
    "all of it was reasoning: a <think> that was never closed; close it, or read it as text with --keep-reasoning"  # Z9
)

OK, REJECTED, UNREAD = 0, 1, 5


def check(args: argparse.Namespace) -> int:
    """Read the whole input; return 0 where nothing was rejected or truncated, else 1."""
    catalogue = Catalogue(spec=args.spec)
    reader = ResponseReader(
        reasoning=not args.keep_reasoning, catalogue=catalogue, tags=args.strict_tags, bare=args.bare
    )
    output = Output()
    account = Account(Style.of(sys.stdout), unicode=output.unicode, bare=args.bare)
    fd = open_input(args.file)
    try:
        data = b"more"
        while data:
            data = os.read(fd, READ_BYTES)
            events = reader.feed(data) if data else reader.close()
            shown = [account.line(event) for event in events]  # it counts, whatever is printed
            if args.json:
                output.write(b"".join(encode_line(jsonform.to_json(event, catalogue)) for event in events))
            else:
                output.text("".join(shown))
        if args.json:
            for hint in account.hints(reader.in_reasoning):
                print("axstream check:", hint, file=sys.stderr)
        else:
            output.text(account.summary(reader.in_reasoning))
    except OutputClosed:
        return UNREAD
    except OSError as error:
        raise UsageError(f"cannot read {args.file}: {(error.strerror or str(error)).lower()}") from None
    finally:
        if fd != 0:
            os.close(fd)
    return OK if account.clean else REJECTED


def open_input(name: str) -> int:
    """Return a descriptor to read from: ``-`` is standard input. Raises ``UsageError`` that names the file."""
    if name == "-":
        if os.isatty(0):
            print("reading the stream from this terminal; end it with Ctrl-D", file=sys.stderr)
        return 0
    try:
        fd = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise UsageError(f"cannot read {name!r}: no file has such a name") from None
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        os.close(fd)
        raise UsageError(f"cannot read {name}: it is a directory; give a file, or - for standard input")
    return fd


class Account:
    """Turns events into lines that teach, and counts them. Holds no more than one line of the input."""

    def __init__(self, style: Style, *, unicode: bool, bare: bool = False) -> None:
        self._style = style
        self._marks = ("✓", "✗", "│") if unicode else ("ok", "no", "|")
        self._bare = bare
        self._lines = 0
        self._actions = self._rejected = self._truncated = self._fences = 0
        self._barrier: tuple[int, str] | None = None
        self._after_barrier = 0
        self._json_outside: tuple[int, str] | None = None

    @property
    def clean(self) -> bool:
        """Tell whether nothing was rejected or truncated."""
        return not self._rejected and not self._truncated

    def line(self, event: Event) -> str:
        """Count an event and return its line of the account."""
        self._lines = max(self._lines, event.line)
        style, (yes, no, bar) = self._style, self._marks
        match event:
            case Narration(text=text):
                if self._json_outside is None and text.lstrip().startswith("{"):
                    self._json_outside = (event.line, text)
                return self._row(event, style.dim(f"{bar} {printable(text)}")) if text.strip() else ""
            case FenceOpened(tag=tag):
                self._fences += 1
                return self._row(
                    event, style.dim(f"the fence opens{f' (tag {printable(tag, 40)})' if tag.strip() else ''}")
                )
            case FenceClosed():
                return self._row(event, style.dim("the fence closes"))
            case ActionLine():
                return self._row(event, self._action(event, yes))
            case Rejected():
                self._rejected += 1
                said = style.bad(f"{no} {event.reason}: {printable(event.message)}")
                return self._row(event, said) + self._quote(event.text)
            case Truncated():
                self._truncated += 1
                said = style.bad(f"{no} truncated: the input ended before this line's newline, so it does not run")
                return self._row(event, said) + self._quote(event.text)

    def hints(self, all_reasoning: bool) -> list[str]:
        """Return what a reader should know beyond the single lines."""
        found: list[str] = []
        if all_reasoning:
            found.append(UNCLOSED_THINK)
        elif not self._lines:
            found.append("the input is empty")
        elif not self._fences and not self._bare:
            said = NO_FENCE.format("would run")
            if self._json_outside is not None:
                number, text = self._json_outside
                said += f"; line {number} looks like one: {printable(text, 120)}"
            found.append(said)
        if self._after_barrier and self._barrier is not None:
            number, op = self._barrier
            found.append(f"{_count(self._after_barrier, 'action')} after the `{op}` in line {number} would not run")
        return found

    def summary(self, all_reasoning: bool) -> str:
        """Return the last lines: the hints, then the counts."""
        counted = f"{_count(self._lines, 'line')}: {_count(self._actions, 'action')}"
        counted += f", {self._rejected} rejected, {self._truncated} truncated"
        paint = self._style.good if self.clean else self._style.bad
        return "".join(f"{self._style.warn(hint)}\n" for hint in self.hints(all_reasoning)) + paint(counted) + "\n"

    def _action(self, event: ActionLine, yes: str) -> str:
        self._actions += 1
        said = say(event.action)
        if event.ignored:
            said += self._style.warn(f"  (not known, so ignored: {printable(', '.join(event.ignored), 120)})")
        if self._barrier is not None:
            self._after_barrier += 1
            return (
                self._style.warn("- ") + said + self._style.warn(f"  (would not run: line {self._barrier[0]} ended it)")
            )
        if isinstance(event.action, Observe | Done):
            self._barrier = (event.line, event.action.op)
        return f"{self._style.good(yes)} {said}"

    def _row(self, event: Event, said: str) -> str:
        return f"{self._style.dim(f'{event.line:5}')}  {said}\n"

    def _quote(self, text: str) -> str:
        return f"{'':7}{self._style.dim(f'{self._marks[2]} {printable(text, 120)}')}\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
