"""From an act to commands: what ``open`` means (A6, Z19), how keys and text become input. Pure; nothing is performed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rapidfuzz import process

from axstream.computer.addresses import as_url
from axstream.computer.base import (
    Button,
    ClickAt,
    Command,
    DragTo,
    MoveTo,
    OpenApp,
    OpenUrl,
    PressKeys,
    TypeText,
    Wheel,
)
from axstream.errors import ActionUnsupported, TargetNotFound
from axstream.spec.actions import (
    BuiltinAct,
    Click,
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
from axstream.spec.keys import split_chord

Point = tuple[float, float]

_NEAREST_APPS = 5  # as many names as fit one line of the next prompt


def lower_open(
    act: Open, apps: Sequence[str], *, schemes: Sequence[str], has_applications: bool, opens_urls: bool
) -> Command:
    """Return the command for ``open``: an installed application first, then an address (Z19).

    Raises TargetNotFound with the nearest names, ActionUnsupported on a computer without applications (A6).
    """
    wanted = act.target.strip()
    for name in apps:
        if name == wanted:
            return OpenApp(name=name)
    folded = [name for name in apps if name.casefold() == wanted.casefold()]
    if len(folded) == 1:
        return OpenApp(name=folded[0])
    url = as_url(wanted, schemes)
    if url is not None:
        if not opens_urls:
            raise ActionUnsupported("open: this computer shows no web pages; open an application by its name")
        return OpenUrl(url=url)
    if not has_applications:
        raise ActionUnsupported(
            f'open: "{wanted[:80]}" is no address, and this computer has no applications; give a URL'
        )
    near = [name for name, _, _ in process.extract(wanted, apps, limit=_NEAREST_APPS)]
    listed = ", ".join(near) if near else "none"
    raise TargetNotFound(f'open: no application is called "{wanted[:80]}"; the nearest are: {listed}')


def lower(act: BuiltinAct, point: Point | None, to: Point | None, handle: str | None) -> tuple[Command, ...]:
    """Return the input that performs an act at the points found for its targets, in order.

    ``wait`` and ``wait_until`` need no input; ``open`` has its own function.
    """
    match act:
        case Click() | DoubleClick() | RightClick():
            x, y = _known(point)
            button: Button = "right" if isinstance(act, RightClick) else "left"
            count = 2 if isinstance(act, DoubleClick) else 1
            return (ClickAt(x=x, y=y, button=button, count=count, handle=handle),)
        case Move():
            x, y = _known(point)
            return (MoveTo(x=x, y=y, handle=handle),)
        case Drag():
            (x, y), (to_x, to_y) = _known(point), _known(to)
            return (DragTo(x=x, y=y, to_x=to_x, to_y=to_y),)
        case Type():
            typing = TypeText(text=act.text, clear=act.clear, handle=handle)
            return (typing,) if point is None else (ClickAt(x=point[0], y=point[1], handle=handle), typing)
        case Key():
            modifiers, key = split_chord(act.keys)
            return (PressKeys(modifiers=modifiers, key=key),)
        case Scroll():
            return (Wheel(direction=act.direction, clicks=act.clicks),)
        case Open() | Wait() | WaitUntil():
            return ()
        case _:
            assert_never(act)


def _known(point: Point | None) -> Point:
    if point is None:  # the executor resolves before it lowers
        raise AssertionError("an act with a target was lowered without a point")
    return point
