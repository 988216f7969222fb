"""THE CATALOGUE, typed by hand: one frozen Struct an action, with its doc, example and default risk.

Schema, grammars, manual, docs tables and test strategies are computed from these classes (see ``catalogue``).
Each class's docstring's first line is what the model is taught; ``plain_doc`` and ``plain_example`` stand for it under
axstream-spec 0.1, where they differ. Nothing is executed or parsed here.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from axstream.spec.targets import Target

Risk = Literal["safe", "risky"]
Direction = Literal["up", "down", "left", "right"]
Status = Literal["success", "failure"]

#: Marks what a field holds beyond its Python type; the codec, the schema and the grammar read it.
Text = Annotated[str, "text"]
Prose = Annotated[str, "prose"]
Said = Annotated[str, "said"]
Keys = Annotated[tuple[str, ...], "keys"]
Millis = Annotated[float, "millis"]
Positive = Annotated[float, "positive"]
Notches = Annotated[int, "notches"]
Json = Annotated[Any, "json"]

DEFAULT_WAIT_UNTIL_MS = 2500  # SPEC, restored table
DEFAULT_POLL_MS = 100  # between two looks of wait_until: below what a person notices, above what costs
MAX_NOTCHES = 100  # A3

#: Fields that a later or another format knows and that would change the act: the line is rejected (Z11).
LOOK_ALIKES = ("button", "modifiers", "count", "amount", "selector")


class Act(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every act carries. ``risk`` is the model's own mark; the policy may raise it, never lower it (R3)."""

    since: ClassVar[str] = "0.1"
    do: ClassVar[str] = ""
    example: ClassVar[str] = ""
    risk: Risk = "safe"


class Click(Act, frozen=True, kw_only=True):
    """Click an element or a point."""

    do: ClassVar[str] = "click"
    example: ClassVar[str] = '{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}'
    target: Target


class DoubleClick(Act, frozen=True, kw_only=True):
    """Double-click it."""

    do: ClassVar[str] = "double_click"
    example: ClassVar[str] = '{"op":"double_click","target":{"ax":{"id":"e7"}}}'
    target: Target


class RightClick(Act, frozen=True, kw_only=True):
    """Open its context menu."""

    since: ClassVar[str] = "additive"
    do: ClassVar[str] = "right_click"
    example: ClassVar[str] = '{"op":"right_click","target":{"ax":{"id":"e7"}}}'
    target: Target


class Move(Act, frozen=True, kw_only=True):
    """Hover over it."""

    do: ClassVar[str] = "move"
    example: ClassVar[str] = '{"op":"move","target":{"ax":{"title":"Products"}}}'
    target: Target


class Drag(Act, frozen=True, kw_only=True):
    """Press at `from`, release at `to`."""

    since: ClassVar[str] = "additive"
    do: ClassVar[str] = "drag"
    example: ClassVar[str] = '{"op":"drag","from":{"ax":{"id":"e3"}},"to":{"ax":{"title":"Trash"}}}'
    from_: Target = msgspec.field(name="from")
    to: Target


class Type(Act, frozen=True, kw_only=True):
    """Click `target`, if given, and type; `"clear":true` empties it first; \\n is Enter."""

    do: ClassVar[str] = "type"
    example: ClassVar[str] = '{"op":"type","target":{"ax":{"role":"textbox","title":"Name"}},"text":"Ada"}'
    additive: ClassVar[frozenset[str]] = frozenset({"target", "clear"})  # N2
    plain_doc: ClassVar[str] = "Type into what has the focus; \\n is Enter."
    plain_example: ClassVar[str] = '{"op":"type","text":"Ada"}'
    text: Text
    target: Target | None = None
    clear: bool = False


class Key(Act, frozen=True, kw_only=True):
    """Press one key or chord."""

    do: ClassVar[str] = "key"
    example: ClassVar[str] = '{"op":"key","keys":["cmd","s"]}'
    keys: Keys


class Scroll(Act, frozen=True, kw_only=True):
    """Scroll by wheel notches."""

    do: ClassVar[str] = "scroll"
    example: ClassVar[str] = '{"op":"scroll","direction":"down","clicks":3}'
    direction: Direction
    clicks: Notches = 1


class Open(Act, frozen=True, kw_only=True):
    """Open an application or a URL."""

    do: ClassVar[str] = "open"
    example: ClassVar[str] = '{"op":"open","target":"Notes"}'
    target: Said


class Wait(Act, frozen=True, kw_only=True):
    """Pause (seldom needed)."""

    do: ClassVar[str] = "wait"
    example: ClassVar[str] = '{"op":"wait","ms":500}'
    ms: Millis


class WaitUntil(Act, frozen=True, kw_only=True):
    """Wait until it is there (`"gone":true`: until it is not)."""

    since: ClassVar[str] = "additive"
    do: ClassVar[str] = "wait_until"
    example: ClassVar[str] = '{"op":"wait_until","target":{"ax":{"title":"Done"}},"timeout_ms":5000}'
    additive: ClassVar[frozenset[str]] = frozenset({"gone"})  # N4
    target: Target
    timeout_ms: Millis = DEFAULT_WAIT_UNTIL_MS
    poll_ms: Positive = DEFAULT_POLL_MS
    gone: bool = False


class Custom(Act, frozen=True, kw_only=True):
    """An act that the embedder added (N5): its name and its decoded arguments."""

    since: ClassVar[str] = "additive"
    name: str
    args: dict[str, Any]


class Assert(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Stop here unless it is there (or `gone`)."""

    op: ClassVar[str] = "assert"
    example: ClassVar[str] = '{"op":"assert","target":{"ax":{"role":"button","title":"Save"}}}'
    additive: ClassVar[frozenset[str]] = frozenset({"gone"})  # N4
    plain_doc: ClassVar[str] = "Stop here unless it is there."
    target: Target
    gone: bool = False


class Observe(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Stop, and show me the screen again."""

    op: ClassVar[str] = "observe"
    example: ClassVar[str] = '{"op":"observe"}'


class Done(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The task is over; `result` is the answer, if asked for; or `"status":"failure"` and a `reason`."""

    op: ClassVar[str] = "done"
    example: ClassVar[str] = '{"op":"done","status":"success","result":"42"}'
    additive: ClassVar[frozenset[str]] = frozenset({"result"})  # N1
    plain_doc: ClassVar[str] = 'The task is over; or `"status":"failure"` with a `reason`.'
    plain_example: ClassVar[str] = '{"op":"done","status":"success"}'
    status: Status
    reason: Prose | None = None
    result: Json | msgspec.UnsetType = msgspec.UNSET


BuiltinAct = Click | DoubleClick | RightClick | Move | Drag | Type | Key | Scroll | Open | Wait | WaitUntil
AnyAct = BuiltinAct | Custom
Action = AnyAct | Assert | Observe | Done

ACTS: tuple[type[BuiltinAct], ...] = (
    Click,
    DoubleClick,
    RightClick,
    Move,
    Drag,
    Type,
    Key,
    Scroll,
    Open,
    Wait,
    WaitUntil,
)
OPERATIONS: tuple[type[Assert] | type[Observe] | type[Done], ...] = (Assert, Observe, Done)
