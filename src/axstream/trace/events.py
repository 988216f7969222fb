"""The record's events as frozen values: what happened in a run, in order (X1). Nothing is written or shown here.

One JSON object an event; ``--json`` and the trace file hold the same objects, each with ``t``, seconds from the
start. The parser's events are those of ``axstream.wire``; an action's events carry its ``line`` and its ``burst``.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from axstream.wire.events import ActionLine, FenceClosed, FenceOpened, Narration, Rejected, Truncated

Stop = Literal[
    "done",
    "observe",
    "aborted",
    "exhausted",
    "interrupted",
    "denied",
    "budget",
    "cancelled",
    "error",
]


class Element(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The element that an act found: what the policy and a person judged. ``box`` is x, y, width, height."""

    role: str
    name: str = ""
    id: str | None = None
    description: str = ""
    box: tuple[float, float, float, float] | None = None


class _Base(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event"):
    pass


class Started(_Base, frozen=True, kw_only=True, tag="started"):
    """A run or an ``exec`` began. ``risky`` says what happens to risky acts."""

    version: str
    spec: str
    computer: str
    risky: str
    model: str | None = None
    task: str | None = None
    notes: tuple[str, ...] = ()


class Observation(_Base, frozen=True, kw_only=True, tag="observation"):
    """The screen was observed: the outline as the model sees it, and the elements behind the ids.

    ``changes`` is what was sent in its place: how it differs from the last observation without ``changes`` (O3); None
    where the outline was sent whole. ``ax.apply_changes`` makes the one out of the other.
    """

    burst: int
    outline: str
    width: float
    height: float
    title: str = ""
    url: str = ""
    ms: float = 0.0
    elements: tuple[Element, ...] = ()
    changes: str | None = None


class PromptSent(_Base, frozen=True, kw_only=True, tag="prompt"):
    """A prompt went to the model (role, content pairs)."""

    burst: int
    messages: tuple[tuple[str, str], ...]


class ChunkReceived(_Base, frozen=True, kw_only=True, tag="chunk"):
    """A piece of the model's answer, as it came; ``reasoning`` was shown and never parsed."""

    burst: int
    text: str
    reasoning: str = ""


class Committed(_Base, frozen=True, kw_only=True, tag="committed"):
    """An action's newline is in: it will run unless something before it ends the burst."""

    line: int
    burst: int = 1
    action: dict[str, Any] = {}


class Executed(_Base, frozen=True, kw_only=True, tag="executed"):
    """An action was performed: milliseconds from its start to its end, what it found, what it did."""

    line: int
    burst: int = 1
    ms: float = 0.0
    element: Element | None = None
    to: Element | None = None
    effect: str = ""
    notes: tuple[str, ...] = ()
    risky: bool = False
    streaming: bool = False  # the model was still writing when it ended
    resolve_ms: float = 0.0


class Failed(_Base, frozen=True, kw_only=True, tag="failed"):
    """An action failed: the error's class name and its one line for the model (E2)."""

    line: int
    error: str
    message: str
    burst: int = 1
    ms: float = 0.0
    element: Element | None = None


class Held(_Base, frozen=True, kw_only=True, tag="held"):
    """A risky action waits: for the stream to be complete (``hold``), or for a person (``ask``) (R2)."""

    line: int
    burst: int = 1
    mode: Literal["hold", "ask"] = "hold"
    why: tuple[str, ...] = ()
    element: Element | None = None


class Denied(_Base, frozen=True, kw_only=True, tag="denied"):
    """The policy or a person said no."""

    line: int
    message: str
    burst: int = 1
    why: tuple[str, ...] = ()
    element: Element | None = None


class Discarded(_Base, frozen=True, kw_only=True, tag="discarded"):
    """A committed action that will not run, and why."""

    line: int
    why: str
    burst: int = 1


class Note(_Base, frozen=True, kw_only=True, tag="note"):
    """Something that the reader should know: a retry, a wait cut to its cap, a stream with no fence."""

    text: str
    burst: int | None = None


class BurstEnded(_Base, frozen=True, kw_only=True, tag="burst_ended"):
    """One burst of a run ended. ``stream_s`` is from the prompt's send to the end of the model's text."""

    burst: int
    stop: Stop
    reason: str | None = None
    executed: int = 0
    rejected: int = 0
    seconds: float = 0.0
    execution_s: float = 0.0
    overlap_s: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Ended(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="ended"):
    """The last event of a run or an ``exec``."""

    stop: Stop
    status: Literal["success", "failure"] | None
    reason: str | None
    result: Any | msgspec.UnsetType = msgspec.UNSET
    bursts: int = 1
    actions: int = 0
    seconds: float = 0.0
    overlap: float = 0.0  # share of the execution that ran while the model was still generating, 0..1


ParseEvent = Narration | FenceOpened | ActionLine | Rejected | FenceClosed | Truncated
RunEvent = (
    Started
    | Observation
    | PromptSent
    | ChunkReceived
    | ParseEvent
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
