"""The ``Model`` protocol: a prompt goes in, text streams out, closing it stops the provider. No provider lives here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, runtime_checkable

import msgspec

Finish = Literal["stop", "length", "refusal", "content_filter", "other"]


class Message(msgspec.Struct, frozen=True):
    """One turn of the prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


class Grammar(msgspec.Struct, frozen=True, kw_only=True):
    """The same language twice, narrowed to one observation: for servers that take GBNF, and those that take Lark."""

    gbnf: str
    lark: str


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider is asked. ``max_tokens`` bounds this one answer."""

    messages: tuple[Message, ...]
    grammar: Grammar | None = None
    max_tokens: int = 2048
    temperature: float | None = None
    seed: int | None = None


class Usage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens as the provider counted them; ``exact`` is False where they are our estimate."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    exact: bool = True


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of an answer. ``reasoning`` is shown, never parsed. The last one carries ``finish`` if it is known."""

    text: str = ""
    reasoning: str = ""
    usage: Usage | None = None
    finish: Finish | None = None


@runtime_checkable
class Model(Protocol):
    """A language model that streams. ``few_shot`` asks the prompt for more examples (very small models)."""

    name: str
    few_shot: bool
    takes_grammar: bool

    def stream(self, prompt: Prompt) -> AbstractAsyncContextManager[AsyncIterator[Chunk]]:
        """Open an answer. Leaving the context stops the generation at the provider at once (E3).

        Raises ``RateLimited`` or ``ModelError`` before the first chunk, ``StreamBroken`` after it (E4).
        """

    async def aclose(self) -> None:
        """Let go of connections, threads and weights."""
