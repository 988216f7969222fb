"""Acts, targets and results in a few words, for messages, the next prompt and a person; one line each. No decisions."""

from __future__ import annotations

import json
from typing import assert_never

from axstream.ax.quote import plain
from axstream.spec.actions import (
    AnyAct,
    Click,
    Custom,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.targets import Target, describe_target

MAX_RESULT = 2000  # characters of a custom act's result that go into the next prompt


def say_target(target: Target) -> str:
    """Say a target in a few words, on one line."""
    return plain(describe_target(target), 160)


def say_act(act: AnyAct) -> str:
    """Say an act in a few words, for messages and for a person; one line, nothing in it can break out."""
    match act:
        case Click() | DoubleClick() | RightClick() | Move():
            return f"{act.do} {say_target(act.target)}"
        case Drag():
            return f"drag {say_target(act.from_)} to {say_target(act.to)}"
        case Type():
            into = f" into {say_target(act.target)}" if act.target is not None else ""
            return f"type {json.dumps(plain(act.text, 200), ensure_ascii=False)}{into}"
        case Key():
            return "key " + "+".join(act.keys)
        case Scroll():
            return f"scroll {act.direction} {act.clicks}"
        case Open():
            return f"open {plain(act.target, 160)}"
        case Wait():
            return f"wait {act.ms:g} ms"
        case WaitUntil():
            return f"wait_until {say_target(act.target)}"
        case Custom():
            return f"{act.name} {plain(json.dumps(act.args, ensure_ascii=False, default=str), 200)}"
        case _:
            assert_never(act)


def say_result(result: object) -> str:
    """Say what an embedder's act gave back: text as it is, else as JSON, else as Python shows it."""
    if isinstance(result, str):
        return plain(result, MAX_RESULT)
    try:
        said = json.dumps(result, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        said = str(result)
    return plain(said, MAX_RESULT)


def one_line_of(error: BaseException) -> str:
    """Return an error's message as one line; its class's name where it has none."""
    return " ".join(str(error).split()) or type(error).__name__
