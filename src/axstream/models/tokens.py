"""A token as a rough number of characters, for pacing and for counts that no provider gave. No tokenizer here."""

from __future__ import annotations

from collections.abc import Iterator

CHARS_PER_TOKEN = 4
"""The usual rule of thumb for English and JSON; measured o200k counts of action lines lie within a third of it."""


def estimate_tokens(text: str) -> int:
    """About how many tokens the text is: 0 for nothing, else at least 1. Mark it ``exact=False`` where it is shown."""
    return -(-len(text) // CHARS_PER_TOKEN)


def cut_into_tokens(text: str) -> Iterator[str]:
    """The text in pieces of one estimated token each, in order; joined they are the text."""
    for start in range(0, len(text), CHARS_PER_TOKEN):
        yield text[start : start + CHARS_PER_TOKEN]
