"""Observed text made safe for one line of an outline or a message (R7). It is data; nothing is interpreted here.

What is cleaned away (line breaks, invisible and bidirectional characters, backticks) is what the comparison of titles
ignores too: a cleaned title finds its element, so that a model can copy what it read.
"""

from __future__ import annotations

import re
import unicodedata

MAX_QUOTED = 120  # characters of one quoted text: a long title is told apart by then, and a line stays a line

#: Drawn as nothing or as a blank although their category does not say so: fillers, joiners, variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code)
    for start, end in ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180F))
    for code in range(start, end + 1)
}
_PLAIN = re.compile(r"[ !#-\[\]-_a-~]*")  # printable ASCII but quote, backslash and backtick


class _Table(dict[int, str | None]):
    """What each character becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        kind = unicodedata.category(character)
        if kind in ("Zl", "Zp", "Zs") or character.isspace() or code < 0x20:
            becomes: str | None = " "
        elif kind in ("Cf", "Cc", "Co") or character in _BLANK:
            becomes = None
        elif kind == "Cs":
            becomes = "\ufffd"
        elif character == "`":
            becomes = "'"
        else:
            becomes = character
        self[code] = becomes
        return becomes


_TABLE = _Table()


def visible(text: str) -> str:
    """Return a text as one line of what a person can see: no control, invisible, bidi or private characters.

    White space is collapsed; backticks become apostrophes, so that nothing can open or close a fence.
    """
    return " ".join((text if _PLAIN.fullmatch(text) else text.translate(_TABLE)).split())


def cut(text: str, limit: int) -> tuple[str, int]:
    """Cut a text to at most ``limit`` characters, between words where that loses little; return how many were lost."""
    if len(text) <= limit:
        return text, 0
    kept = text[:limit]
    if not text[limit].isspace():
        space = kept.rfind(" ")
        if space > limit // 2:
            kept = kept[:space]
    kept = kept.rstrip()
    return kept, len(text) - len(kept)


def quote(text: str, limit: int = MAX_QUOTED) -> str:
    """Return a text in double quotes on one line, JSON-like, cut with the count of what is missing after the quotes."""
    kept, lost = cut(visible(text), limit)
    if not _PLAIN.fullmatch(kept):
        kept = kept.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{kept}…" (+{lost} characters)' if lost else f'"{kept}"'


def plain(text: str, limit: int = MAX_QUOTED) -> str:
    """Return a text on one line without quotes (a note, a region, an unknown role), cut."""
    kept, lost = cut(visible(text), limit)
    return f"{kept}…" if lost else kept
