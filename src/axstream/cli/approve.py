"""Ask a person on the controlling terminal before a risky act (R2, R4). What is risky was decided elsewhere.

The question and the answer travel over ``/dev/tty``: standard input may be the model's stream, and nothing that a
model or a page says can answer.
"""

from __future__ import annotations

import os
import termios
from types import TracebackType

import anyio

from axstream.ax.node import Node
from axstream.cli.terminal import Style, printable, quoted
from axstream.cli.view import View
from axstream.cli.words import say
from axstream.policy import ApprovalRequest
from axstream.spec.actions import Type

TTY = "/dev/tty"
_YES = frozenset({"y", "yes"})
_MAX_ANSWER = 1024  # one line of a terminal in its usual mode is no longer


class TerminalAsker:
    """The ``approve`` callback of the command line. One question at a time; anything but a clear yes is a no."""

    def __init__(self, timeout: float, view: View | None = None, path: str = TTY) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        self._timeout = timeout
        self._view = view
        self._style = Style(not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")

    async def __call__(self, request: ApprovalRequest) -> bool:
        """Show what would happen and return True for a yes. The executor sets the time-out; cut off, it says so."""
        if self._view is not None:
            self._view.pause()
        try:
            termios.tcflush(self._fd, termios.TCIFLUSH)  # what was typed before the question answers nothing
            self._write(self._question(request))
            answer = await self._line()
            said = answer.strip().casefold() in _YES
            self._write("  allowed\n" if said else "  denied\n")
            return said
        except anyio.get_cancelled_exc_class():
            self._write("\n  no answer\n")
            raise
        finally:
            if self._view is not None:
                self._view.resume()

    def close(self) -> None:
        """Let the terminal go."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __enter__(self) -> TerminalAsker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _question(self, request: ApprovalRequest) -> str:
        lines = [self._style.bold(self._style.warn("Risky act")) + f", line {request.line}: {say(request.action)}"]
        for label, node in (("on", request.element), ("to", request.to), ("with the focus on", request.focus)):
            if node is not None:
                lines.append(f"  {label} {element(node)}")
        if isinstance(request.action, Type):
            lines.append(f"  types the text {quoted(request.action.text, 1000)}")
        if request.why:
            lines.append(f"  because {printable('; '.join(request.why), 400)}")
        return "\n".join(lines) + f"\n  Allow it? [y/N] (no answer in {self._timeout:g} s is a no) "

    async def _line(self) -> str:
        answer = b""
        while b"\n" not in answer and len(answer) < _MAX_ANSWER:
            await anyio.wait_readable(self._fd)
            data = os.read(self._fd, _MAX_ANSWER)
            if not data:
                return ""
            answer += data
        return answer.decode("utf-8", "replace")

    def _write(self, text: str) -> None:
        try:
            os.write(self._fd, text.encode("utf-8", "backslashreplace"))
        except OSError:
            pass  # a terminal that went away cannot say yes either: reading it will end in a no


def element(node: Node) -> str:
    """Say an element for a question: role, name, and where a link leads or a form is sent; harmless, one line."""
    said = printable(node.role, 40)
    label = node.name or node.description or node.placeholder
    if label:
        said += f" {quoted(label, 200)}"
    for word, address in (("leads to", node.url), ("sends to", node.form_action)):
        if address:
            said += f", {word} {printable(address, 200)}"
    return said


def open_asker(timeout: float, view: View | None) -> TerminalAsker | None:
    """Return an asker where this process has a terminal and stands in its foreground, else None."""
    try:
        asker = TerminalAsker(timeout, view)
    except OSError:
        return None
    try:
        if os.tcgetpgrp(asker._fd) == os.getpgrp():
            return asker
    except OSError:
        pass
    asker.close()
    return None
