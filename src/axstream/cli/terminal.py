"""What may be shown on a terminal: text made harmless, plain ANSI styles. Nothing is written here."""

from __future__ import annotations

import os
from typing import TextIO

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: Invisible, and needed to write some scripts and emoji; they move no cursor and turn no text around.
_JOINERS = frozenset("\u200c\u200d")


def printable(text: str, limit: int | None = None, *, keep: str = "") -> str:
    """Return text that a terminal shows as it is: control, bidi and other invisible characters become escapes.

    Over ``limit`` characters it is cut, with an ellipsis. The characters in ``keep`` stay (a newline, say).
    """
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isprintable():
        return text
    return "".join(char if char in keep else _shown(char) for char in text)


def _shown(char: str) -> str:
    if char.isprintable() or char in _JOINERS:
        return char
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isspace() and ord(char) > 0x7F and ord(char) not in (0x85, 0x2028, 0x2029):
        return " "
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quoted(text: str, limit: int = 80) -> str:
    """Return text in double quotes on one line, harmless, cut at ``limit`` characters."""
    return '"' + printable(text.replace("\\", "\\\\").replace('"', '\\"'), limit) + '"'


class Style:
    """ANSI styles for one stream: on where it is a terminal and NO_COLOR is not set, else every text stays bare."""

    def __init__(self, on: bool) -> None:
        self.on = on

    @classmethod
    def of(cls, stream: TextIO | None) -> Style:
        """Return the styles that suit a stream."""
        tty = stream is not None and not stream.closed and stream.isatty()
        return cls(tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")

    def dim(self, text: str) -> str:
        """Return text that stands back."""
        return self._wrap("2", text)

    def bold(self, text: str) -> str:
        """Return text that stands out."""
        return self._wrap("1", text)

    def good(self, text: str) -> str:
        """Return text in the colour of success."""
        return self._wrap("32", text)

    def bad(self, text: str) -> str:
        """Return text in the colour of failure."""
        return self._wrap("31", text)

    def warn(self, text: str) -> str:
        """Return text in the colour of caution."""
        return self._wrap("33", text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text
