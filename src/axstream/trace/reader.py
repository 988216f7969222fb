"""Read a record back, as JSON objects or as the events that they were (X1, X2). Nothing is replayed here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from axstream.errors import TraceCorrupt, TraceError
from axstream.spec.catalogue import Catalogue
from axstream.spec.reading import Refusal
from axstream.trace.events import (
    BurstEnded,
    ChunkReceived,
    Committed,
    Denied,
    Discarded,
    Ended,
    Executed,
    Failed,
    Held,
    Note,
    Observation,
    PromptSent,
    RunEvent,
    Started,
)
from axstream.wire.events import ActionLine, FenceClosed, FenceOpened, Narration, Rejected, Truncated

#: All events that decode by their tag alone; an action needs the catalogue.
_Plain = (
    Started
    | Observation
    | PromptSent
    | ChunkReceived
    | Narration
    | FenceOpened
    | Rejected
    | FenceClosed
    | Truncated
    | Committed
    | Executed
    | Failed
    | Held
    | Denied
    | Discarded
    | Note
    | BurstEnded
    | Ended
)


def read_trace(path: str | os.PathLike[str]) -> Iterator[tuple[float, dict[str, Any]]]:
    """Yield ``(t, object)`` for each event, in order, without holding the file in memory.

    A last line that was cut off (a killed run, a full disk) is left out. Raises ``TraceError`` where the file cannot
    be read, ``TraceCorrupt``, naming the line, where any other line is not what the writer writes.
    """
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                value = _decode(line)
                if value is None:
                    if not line.endswith(b"\n"):
                        return
                    raise TraceCorrupt(f"{path}, line {number}: not an event of a trace")
                yield value
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TraceError(f"cannot read the trace {path}: {reason}") from error


def read_events(path: str | os.PathLike[str], catalogue: Catalogue | None = None) -> Iterator[tuple[float, RunEvent]]:
    """Yield ``(t, event)``: what was emitted, as it was emitted. Raises as ``read_trace`` does.

    An event that this version does not know is corrupt too: a replay that skipped it would lie.
    """
    known = catalogue if catalogue is not None else Catalogue()
    for number, (t, value) in enumerate(read_trace(path), 1):
        try:
            yield t, to_event(value, known)
        except msgspec.ValidationError as error:
            raise TraceCorrupt(f"{path}, line {number}: {error}") from None


def to_event(value: dict[str, Any], catalogue: Catalogue) -> RunEvent:
    """Return the event that a JSON object stands for. Raises ``msgspec.ValidationError`` where there is none."""
    if value.get("event") != "action":
        event: RunEvent = msgspec.convert(value, _Plain)
        return event
    decoded = catalogue.decode(msgspec.json.encode(value.get("action")).decode())
    if isinstance(decoded, Refusal):
        raise msgspec.ValidationError(f"no action: {decoded.message}")
    return ActionLine(
        line=msgspec.convert(value.get("line"), int),
        action=decoded.action,
        raw=msgspec.convert(value.get("raw", ""), str),
        ignored=msgspec.convert(value.get("ignored", ()), tuple[str, ...]),
    )


def _decode(line: bytes) -> tuple[float, dict[str, Any]] | None:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        return None
    t = value.get("t")
    if isinstance(t, bool) or not isinstance(t, int | float):
        return None
    return float(t), value
