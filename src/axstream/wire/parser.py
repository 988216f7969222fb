"""Chunks in, events out: lines, fences, actions (W1-W14). It does no I/O, knows no clock, and executes nothing.

The parser works on bytes, because only bytes can be cut anywhere: a line is decoded when its LF is in. Each byte is
searched for LF once and copied into the line's buffer once (``work`` counts both), so that cost is linear whatever the
chunks (W9).

=======  ===========================  ==================================================================
state    a line                       gives
=======  ===========================  ==================================================================
outside  begins with three backticks  ``FenceOpened``, now inside; with a tag that does not open, skipped
outside  any other                    ``Narration``
inside   exactly three backticks      ``FenceClosed``, now outside
inside   white space alone            nothing
inside   any other                    ``ActionLine`` or ``Rejected``
skipped  exactly three backticks      ``Narration``, now outside
skipped  any other                    ``Narration``
=======  ===========================  ==================================================================

A line over the limit gives its one event as soon as it is known to be over, and is thrown away from there to its LF.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

from axstream.spec.catalogue import Catalogue
from axstream.spec.reading import Refusal
from axstream.spec.wording import cut, is_blank
from axstream.wire.events import ActionLine, Event, FenceClosed, FenceOpened, Narration, Rejected, Truncated

DEFAULT_MAX_LINE_BYTES = 1 << 20  # W7
FENCE = "```"
_BOM = codecs.BOM_UTF8
_CR = 0x0D
_BARRIER_OP = re.compile(r"""(?<![\w\\])(?:op|do)["']?\s*:\s*["']?\s*(?:assert|observe|done)(?!\w)""", re.IGNORECASE)


class StreamParser:
    """The parser of one response.

    ``tags`` names the fence tags that open, where a runtime wants to be strict; a fence with another tag is skipped
    through its close (W3, Z23). ``bare`` reads the input as if a fence stood open from the first line (Z21). After
    ``close`` it ignores input.
    """

    def __init__(
        self,
        *,
        catalogue: Catalogue | None = None,
        tags: frozenset[str] | None = None,
        max_line_bytes: int = DEFAULT_MAX_LINE_BYTES,
        bare: bool = False,
    ) -> None:
        self._catalogue = catalogue if catalogue is not None else Catalogue()
        self._tags = tags
        self._limit = max_line_bytes
        self._state: Literal["outside", "inside", "skipped"] = "inside" if bare else "outside"
        self._fences = int(bare)
        self._line = 1
        self._buffer = bytearray()
        self._over = False  # the line's one event is out already; the rest of it is thrown away
        self._surrogates = False  # a str chunk of this line held surrogates; each stands in the buffer as three bytes
        self._start: bytearray | None = bytearray()  # the first bytes, while they may still become a BOM
        self._closed = False
        self._work = 0

    @property
    def in_fence(self) -> bool:
        """True inside an open fence."""
        return self._state == "inside"

    @property
    def fences(self) -> int:
        """How many fences opened so far; with ``bare`` the implied one counts."""
        return self._fences

    @property
    def line(self) -> int:
        """The number of the line that is coming in, from 1."""
        return self._line

    @property
    def work(self) -> int:
        """Bytes searched and bytes copied so far: what the cost is proportional to."""
        return self._work

    def feed(self, chunk: bytes | bytearray | memoryview | str) -> list[Event]:
        """The events that this chunk completes, in order. Never raises on input (W1)."""
        events: list[Event] = []
        if self._closed:
            return events
        if not isinstance(chunk, str):
            self._take_bytes(bytes(chunk), events)
            return events
        try:
            self._take_bytes(chunk.encode(), events)
        except UnicodeEncodeError:
            for part in chunk.splitlines(keepends=True):
                data = part.encode("utf-8", "surrogatepass")
                self._surrogates = self._surrogates or _has_surrogate(part)
                self._take_bytes(data, events)
        return events

    def close(self) -> list[Event]:
        """The end of input, whatever ended it: what an unterminated line means (W8). A second call gives nothing."""
        events: list[Event] = []
        if self._closed:
            return events
        if self._start:
            start, self._start = bytes(self._start), None
            self._take(start, events)
        self._closed = True
        text = self._decode_line(bytes(self._buffer))
        self._buffer.clear()
        if self._over or not text:
            return events
        if self._state != "inside":
            events.append(Narration(self._line, _displayable(text)))
        elif text == FENCE:
            self._state = "outside"
            events.append(FenceClosed(self._line))
        elif not is_blank(text):
            events.append(Truncated(self._line, cut(_displayable(text))))
        return events

    def skip_lines(self, count: int) -> None:
        """Count lines that were taken out before the parser, so that line numbers stay those of the input."""
        self._line += count

    def _take_bytes(self, data: bytes, events: list[Event]) -> None:
        """Drop a leading BOM (W1), which may come in pieces; hand on all else."""
        if self._start is not None:
            self._start += data
            if len(self._start) < len(_BOM) and _BOM.startswith(self._start):
                return
            data, self._start = bytes(self._start).removeprefix(_BOM), None
        self._take(data, events)

    def _take(self, data: bytes, events: list[Event]) -> None:
        begin = 0
        while True:
            end = data.find(b"\n", begin)
            self._work += (end + 1 if end >= 0 else len(data)) - begin
            if end < 0:
                self._collect(data, begin, len(data), events)
                return
            self._collect(data, begin, end, events)
            self._end_line(events)
            begin = end + 1

    def _collect(self, data: bytes, begin: int, end: int, events: list[Event]) -> None:
        """Add to the line's buffer; one byte over the limit is kept, for it may be the CR of the line's end."""
        if self._over:
            return
        room = self._limit + 2 - len(self._buffer)
        part = data[begin : min(end, begin + room)]
        self._buffer += part
        self._work += len(part)
        size = len(self._buffer)
        if size > self._limit and not (size == self._limit + 1 and self._buffer[-1] == _CR):
            self._report_over(events)

    def _report_over(self, events: list[Event]) -> None:
        self._over = True
        kept = codecs.getincrementaldecoder("utf-8")("replace").decode(bytes(self._buffer[: self._limit]))
        self._buffer.clear()
        if self._state != "inside":
            events.append(Narration(self._line, cut(kept)))
            return
        message = f"the line is over {self._limit:,} bytes and was dropped: write shorter lines."
        events.append(Rejected(self._line, "line_too_long", message, cut(kept), reads_as_barrier(kept)))

    def _end_line(self, events: list[Event]) -> None:
        if not self._over:
            line = bytes(self._buffer)
            self._judge(self._decode_line(line.removesuffix(b"\r")), events)
        self._buffer.clear()
        self._over = False
        self._surrogates = False
        self._line += 1

    def _decode_line(self, line: bytes) -> str:
        """The text; halves of one character from two str chunks are joined, lone ones stay surrogates."""
        if not self._surrogates:
            return line.decode("utf-8", "replace")
        try:
            text = line.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # bytes that are not UTF-8 in the same line: surrogates too, so that it is refused
            return line.decode("utf-8", "surrogateescape")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _judge(self, text: str, events: list[Event]) -> None:
        if self._state == "inside":
            self._judge_inside(text, events)
            return
        if self._state == "outside" and text.startswith(FENCE):
            tag = text.removeprefix(FENCE).strip()
            if self._tags is None or tag in self._tags:
                self._state = "inside"
                self._fences += 1
                events.append(FenceOpened(self._line, _displayable(tag)))
                return
            self._state = "skipped"
        elif text == FENCE:
            self._state = "outside"
        events.append(Narration(self._line, _displayable(text)))

    def _judge_inside(self, text: str, events: list[Event]) -> None:
        if text == FENCE:
            self._state = "outside"
            events.append(FenceClosed(self._line))
            return
        if is_blank(text):
            return
        judged = self._catalogue.decode(text)
        if isinstance(judged, Refusal):
            shown = cut(_displayable(text))
            events.append(Rejected(self._line, judged.reason, judged.message, shown, reads_as_barrier(text)))
        else:
            events.append(ActionLine(self._line, judged.action, text, judged.ignored))


def reads_as_barrier(line: str) -> bool:
    """Tell whether a rejected line's ``op`` reads ``assert``, ``observe`` or ``done``; it may be no JSON at all (Z6)."""
    return _BARRIER_OP.search(line) is not None


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _displayable(text: str) -> str:
    """The text with U+FFFD for lone surrogates, so that every writer below can encode it."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_surrogate(text) else text
