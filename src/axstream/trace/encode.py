"""A run's event as one JSON object, and as one line of bytes; the same for ``--json`` and for the trace file.

Nothing is opened or written here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from axstream.spec.catalogue import Catalogue
from axstream.trace.events import Executed, RunEvent
from axstream.trace.line import encode_line
from axstream.wire import jsonform
from axstream.wire.events import ActionLine, FenceClosed, FenceOpened, Narration, Rejected, Truncated

#: What every ``executed`` line holds, also where it has nothing to say: readers need not guess.
EXECUTED_ALWAYS = ("ms", "element", "effect")


def to_json(t: float, event: RunEvent, catalogue: Catalogue, *, raw: bool = False) -> dict[str, Any]:
    """Return an event as a JSON object: ``event``, then ``t`` (seconds, to the microsecond), then the rest.

    The parser's events hold what ``axstream check --json`` prints; with ``raw`` an action also holds its line as it
    came (W12), as the trace keeps it.
    """
    if isinstance(event, Narration | FenceOpened | ActionLine | Rejected | FenceClosed | Truncated):
        fields: dict[str, Any] = dict(jsonform.to_json(event, catalogue))
        if raw and isinstance(event, ActionLine):
            fields["raw"] = event.raw
    else:
        fields = {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in msgspec.to_builtins(event).items()
        }
        burst = getattr(event, "burst", None)
        if burst is not None:
            fields["burst"] = burst
        if isinstance(event, Executed):
            for name in EXECUTED_ALWAYS:
                fields.setdefault(name, getattr(event, name))
    return {"event": fields.pop("event"), "t": round(t, 6), **fields}


def to_line(t: float, event: RunEvent, catalogue: Catalogue, *, raw: bool = False) -> bytes:
    """Return an event as one line of UTF-8 that ends in LF."""
    return encode_line(to_json(t, event, catalogue, raw=raw))
