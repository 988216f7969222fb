"""What the parser says, as frozen values (W3-W8). JSON names are those of ``axstream check --json``."""

from __future__ import annotations

from typing import Literal

import msgspec

from axstream.spec.actions import Action

Reason = Literal[
    "not_json",
    "not_object",
    "duplicate_key",
    "unknown_op",
    "unknown_action",
    "missing_field",
    "bad_field",
    "line_too_long",
]


class Narration(msgspec.Struct, frozen=True, tag_field="event", tag="narration"):
    """A line outside the fence, without its line end."""

    line: int
    text: str


class FenceOpened(msgspec.Struct, frozen=True, tag_field="event", tag="fence_opened"):
    """A fence opened; the tag is advisory (W3)."""

    line: int
    tag: str


class ActionLine(msgspec.Struct, frozen=True, tag_field="event", tag="action"):
    """A valid action. ``raw`` is the line as it came; ``ignored`` names unknown extra fields (W12, Z11)."""

    line: int
    action: Action
    raw: str = ""
    ignored: tuple[str, ...] = ()


class Rejected(msgspec.Struct, frozen=True, tag_field="event", tag="rejected"):
    """A line inside the fence that is no valid action (W6). ``text`` is cut at 200 characters (Z24).

    ``barrier`` says that the whole line reads like an ``assert``, an ``observe`` or a ``done``, however it was written
    (Z6); it is no part of the JSON form.
    """

    line: int
    reason: Reason
    message: str
    text: str
    barrier: bool = False


class FenceClosed(msgspec.Struct, frozen=True, tag_field="event", tag="fence_closed"):
    """The fence closed."""

    line: int


class Truncated(msgspec.Struct, frozen=True, tag_field="event", tag="truncated"):
    """The input ended in the middle of a line inside the fence; it never executes (W8)."""

    line: int
    text: str


Event = Narration | FenceOpened | ActionLine | Rejected | FenceClosed | Truncated
