"""A whole response to events: UTF-8, the reasoning filter, the parser; with the line numbers of the input (W15)."""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from axstream.spec.catalogue import Catalogue
from axstream.wire.events import Event
from axstream.wire.parser import DEFAULT_MAX_LINE_BYTES, StreamParser
from axstream.wire.reasoning import Kept, Piece, ReasoningFilter


class ResponseReader:
    """A ``StreamParser`` behind a ``ReasoningFilter``; with ``reasoning=False`` a leading ``<think>`` is narration."""

    def __init__(
        self,
        *,
        reasoning: bool = True,
        catalogue: Catalogue | None = None,
        tags: frozenset[str] | None = None,
        max_line_bytes: int = DEFAULT_MAX_LINE_BYTES,
        bare: bool = False,
    ) -> None:
        self._filter = ReasoningFilter() if reasoning else None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parser = StreamParser(catalogue=catalogue, tags=tags, max_line_bytes=max_line_bytes, bare=bare)

    @property
    def in_fence(self) -> bool:
        """True inside an open fence."""
        return self._parser.in_fence

    @property
    def fences(self) -> int:
        """How many fences opened so far; with ``bare`` the implied one counts."""
        return self._parser.fences

    @property
    def in_reasoning(self) -> bool:
        """True while what comes in is reasoning."""
        return self._filter is not None and self._filter.reasoning

    def feed(self, chunk: bytes | bytearray | memoryview | str) -> list[Event]:
        """The events that this chunk completes, in order. Never raises on input."""
        if self._filter is None:
            return self._parser.feed(chunk)
        if isinstance(chunk, str):
            text = self._decoder.decode(b"", final=True) + chunk  # a character cut short by a str chunk is none
        else:
            text = self._decoder.decode(bytes(chunk))
        return self._parse(self._filter.pieces(text))

    def close(self) -> list[Event]:
        """The end of the response; see ``StreamParser.close``."""
        events: list[Event] = []
        if self._filter is not None:
            events += self._parse(self._filter.pieces(self._decoder.decode(b"", final=True)))
            events += self._parse(self._filter.last_pieces())
        return events + self._parser.close()

    def _parse(self, pieces: Iterable[Piece]) -> list[Event]:
        events: list[Event] = []
        for piece in pieces:
            if isinstance(piece, Kept):
                events += self._parser.feed(piece.text)
            else:
                self._parser.skip_lines(piece.text.count("\n"))
        return events
