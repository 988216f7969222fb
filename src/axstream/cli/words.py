"""An action in a few plain words, for people on a terminal; harmless and on one line. Nothing is decided here."""

from __future__ import annotations

from typing import assert_never

import msgspec

from axstream.cli.terminal import printable, quoted
from axstream.spec.actions import (
    Action,
    Assert,
    Click,
    Custom,
    Done,
    DoubleClick,
    Drag,
    Key,
    Move,
    Observe,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.targets import Target, describe_target


def say(action: Action) -> str:
    """Say what an action does: ``type "Ada" into textbox "Name"``."""
    risky = getattr(action, "risk", "safe") != "safe"
    return _said(action) + (" (risky)" if risky else "")


def _said(action: Action) -> str:
    match action:
        case Click(target=target):
            return f"click {where(target)}"
        case DoubleClick(target=target):
            return f"double-click {where(target)}"
        case RightClick(target=target):
            return f"right-click {where(target)}"
        case Move(target=target):
            return f"move the pointer to {where(target)}"
        case Drag(from_=start, to=end):
            return f"drag {where(start)} to {where(end)}"
        case Type():
            place = f" into {where(action.target)}" if action.target is not None else ""
            return ("clear, then type " if action.clear else "type ") + quoted(action.text) + place
        case Key(keys=keys):
            return "press " + printable("+".join(keys))
        case Scroll(direction=direction, clicks=clicks):
            return f"scroll {direction} {clicks} {'notch' if clicks == 1 else 'notches'}"
        case Open(target=name):
            return f"open {quoted(name)}"
        case Wait(ms=ms):
            return f"wait {ms:g} ms"
        case WaitUntil():
            state = "gone" if action.gone else "there"
            return f"wait until {where(action.target)} is {state}, at most {action.timeout_ms:g} ms"
        case Custom(name=name, args=args):
            return printable(f"{name} {msgspec.json.encode(args).decode()}", 200)
        case Assert(target=target, gone=gone):
            return f"go on only if {where(target)} is {'gone' if gone else 'there'}"
        case Observe():
            return "look again: the burst ends here"
        case Done():
            return _done(action)
        case _:
            assert_never(action)


def where(target: Target) -> str:
    """Say a target: ``button "Save" (e12)``."""
    return printable(describe_target(target), 200)


def _done(action: Done) -> str:
    parts = [f"done: {action.status}"]
    if action.reason:
        parts.append(f"because {quoted(action.reason, 200)}")
    if action.result is not msgspec.UNSET:
        parts.append("result " + printable(msgspec.json.encode(action.result).decode(), 200))
    return ", ".join(parts)
