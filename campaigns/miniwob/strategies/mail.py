"""The strategy for a mailbox: finds the message by its writer and does with it what the instruction says, in any wording."""

from __future__ import annotations

import re

from campaigns.miniwob.acts import click
from campaigns.miniwob.screen import Screen
from campaigns.miniwob.strategies.pointing import Strategy

_DOES = (
    ("reply", r"\b(?:reply|replies|respond|response|answer|write back|tell)\b"),
    ("forward", r"\b(?:forward|send .*\bto\b|pass .*\bto\b|give .*\bto\b|sent? (?:it|that) on)\b"),
    ("delete", r"\b(?:delete|trash|remove|erase|get rid|discard)\b"),
    ("star", r"\b(?:star|important|mark|flag)\b"),
)
_WRITER = (
    r"\b(?:by|from) (\w+)",
    r"\b(\w+)'s? (?:last |latest )?(?:e-?mail|message)",
    r"\b(\w+) sent",
)


def handle(seen: Screen) -> Strategy:
    """Open the message, then reply, forward, delete or star it."""
    does = next((name for name, words in _DOES if re.search(words, seen.said, re.IGNORECASE)), None)
    writer = next((found[1] for words in _WRITER if (found := re.search(words, seen.said))), None)
    if does is None or writer is None:
        return
    mail = next((line for line in seen.all() if line.name.startswith(writer + " ")), None)
    seen = yield [click(mail if mail is not None else writer)]
    yield []
