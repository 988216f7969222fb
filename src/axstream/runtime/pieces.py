"""The caller's stream of text as an async iterable of anything: opening it and closing it. Nothing is parsed here."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

import anyio

from axstream.errors import UsageError
from axstream.models.base import Chunk

RELEASE_LIMIT_S = 5.0  # letting go of input, or of a stream, must not hang an exit
Pieces = AsyncIterable[str] | AsyncIterable[bytes] | AsyncIterable[Chunk] | AsyncIterable[str | bytes | Chunk]


def iterator_of(chunks: Pieces) -> AsyncIterator[Any]:
    """Return the iterator of a stream. Raises UsageError where it is none."""
    if not isinstance(chunks, AsyncIterable):
        raise UsageError(
            f"the stream is a {type(chunks).__name__}, not an async iterable of text or bytes; "
            "for plain iterables there is axstream.sync"
        )
    return aiter(chunks)


async def close_stream(stream: object) -> None:
    """Close a stream if it can be closed; its own trouble in doing so changes nothing any more (E3)."""
    close = getattr(stream, "aclose", None)
    if close is None:
        return
    with anyio.CancelScope(shield=True), anyio.move_on_after(RELEASE_LIMIT_S):
        try:
            await close()
        except Exception:  # the caller's iterable may raise anything; what was committed stands
            pass
