"""The wire: bytes or text in, events out (W1-W15). No loop, no socket, no clock."""

from axstream.wire.events import ActionLine, Event, FenceClosed, FenceOpened, Narration, Rejected, Truncated
from axstream.wire.jsonform import to_json
from axstream.wire.parser import StreamParser
from axstream.wire.reader import ResponseReader
from axstream.wire.reasoning import ReasoningFilter

__all__ = [
    "ActionLine",
    "Event",
    "FenceClosed",
    "FenceOpened",
    "Narration",
    "ReasoningFilter",
    "Rejected",
    "ResponseReader",
    "StreamParser",
    "Truncated",
    "to_json",
]
