"""Tokens of one burst, estimated where a provider does not count them. No budget is kept here."""

from __future__ import annotations

from axstream.models.base import Chunk, Message, Usage
from axstream.models.tokens import estimate_tokens


class Counter:
    """Estimates tokens where a provider does not count them."""

    def __init__(self, messages: tuple[Message, ...]) -> None:
        self._sent = "".join(message.content for message in messages)
        self._came: list[str] = []

    @property
    def spoke(self) -> bool:
        """Whether anything of the answer came."""
        return any(self._came)

    def add(self, piece: Chunk) -> None:
        """Count a piece of the answer."""
        self._came += (piece.text, piece.reasoning)

    def estimate(self) -> Usage:
        """Return the estimate for prompt and answer, marked as one."""
        return Usage(
            prompt_tokens=estimate_tokens(self._sent),
            completion_tokens=estimate_tokens("".join(self._came)),
            exact=False,
        )
