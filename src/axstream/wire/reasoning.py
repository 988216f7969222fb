"""Takes a leading ``<think>…</think>`` out of a response, so that a draft in it never reaches the parser (W15, Z9).

Only a ``<think>`` that is the first non-blank text of the response is reasoning; unclosed, all that follows is. Pure,
and linear in the text whatever the chunks.

=========  ===========================================  ==========================
state      what it holds back                           leaves it on
=========  ===========================================  ==========================
before     a text that may still become ``<think>``     ``<think>``, or other text
inside     the end of a text that may be ``</think>``   ``</think>``
after      nothing                                      never
=========  ===========================================  ==========================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from axstream.spec.wording import WHITE_SPACE

OPENING = "<think>"
CLOSING = "</think>"
_IGNORABLE = WHITE_SPACE + "\ufeff"


class Kept(msgspec.Struct, frozen=True):
    """Text of the response."""

    text: str


class Removed(msgspec.Struct, frozen=True):
    """Reasoning, with its tags."""

    text: str


Piece = Kept | Removed


class ReasoningFilter:
    """Feed it the response's text, get the text without the leading reasoning."""

    def __init__(self) -> None:
        self._state: Literal["before", "inside", "after"] = "before"
        self._held = ""

    @property
    def reasoning(self) -> bool:
        """True while the text that comes in is reasoning."""
        return self._state == "inside"

    def feed(self, text: str) -> str:
        """The part of ``text``, and of what was held back, that is known to be no reasoning."""
        return "".join(piece.text for piece in self.pieces(text) if isinstance(piece, Kept))

    def close(self) -> str:
        """The end of the response: what was held back and turned out to be no reasoning."""
        return "".join(piece.text for piece in self.last_pieces() if isinstance(piece, Kept))

    def pieces(self, text: str) -> Iterator[Piece]:
        """The same as ``feed``, with the reasoning, in the order of the response. Exhaust it before the next call."""
        if self._state == "before" and text:
            yield from self._before(text)
            return
        if self._state == "inside":
            yield from self._inside(text)
            return
        if text:
            yield Kept(text)

    def last_pieces(self) -> Iterator[Piece]:
        """The same as ``close``, with the reasoning."""
        held, self._held = self._held, ""
        if held:
            yield Removed(held) if self._state == "inside" else Kept(held)

    def _before(self, text: str) -> Iterator[Piece]:
        if not self._held:
            begin = text.lstrip(_IGNORABLE)
            blank = text[: len(text) - len(begin)]
            if blank:
                yield Kept(blank)
            text = begin
        text = self._held + text
        self._held = ""
        if len(text) < len(OPENING) and OPENING.startswith(text):
            self._held = text
        elif text.startswith(OPENING):
            self._state = "inside"
            yield Removed(OPENING)
            yield from self._inside(text[len(OPENING) :])
        else:
            self._state = "after"
            yield Kept(text)

    def _inside(self, text: str) -> Iterator[Piece]:
        text = self._held + text
        self._held = ""
        draft, closing, rest = text.partition(CLOSING)
        if closing:
            self._state = "after"
            yield Removed(draft + closing)
            if rest:
                yield Kept(rest)
            return
        held = next(length for length in range(len(CLOSING) - 1, -1, -1) if text.endswith(CLOSING[:length]))
        if held:
            self._held = text[-held:]
            text = text[:-held]
        if text:
            yield Removed(text)
