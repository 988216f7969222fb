"""Bringing an element to where it can be acted on: the waits of T7 and Z17, on the scene's clock. No input here."""

from __future__ import annotations

from collections.abc import Callable

from axstream.ax.node import Box
from axstream.computer.base import Purpose
from axstream.computer.memory.clock import Clock
from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.layout import overlap
from axstream.computer.memory.live import TEXT_ROLES, Live
from axstream.computer.memory.pointer import scroll_by
from axstream.computer.memory.snapshot import covering
from axstream.errors import TargetNotActionable, TargetNotFound

FRAME = 1 / 60  # how often a screen is painted, and so how often it is looked at
NEEDS_ENABLED = frozenset({"click", "type", "drag"})


async def make_ready(
    desktop: Desktop, clock: Clock, now: Callable[[], float], handle: str, purpose: Purpose, timeout: float
) -> tuple[float, float]:
    """Return the point to act at, as soon as the element is ready; at most ``timeout`` seconds are waited."""
    desktop.advance(now())
    deadline = desktop.now + timeout
    live = _alive(desktop, handle)
    first: Box | None = None
    inside = True  # its middle was always inside the box that it had at first
    while True:
        live = _alive(desktop, handle)
        problem = "is not shown" if not desktop.visible(live) else _unready(desktop, live, purpose)
        box = desktop.layout().boxes.get(handle)
        moving = live.moves(desktop.now)
        if box is not None:
            first = first or box
            inside = inside and first.contains(*box.centre)
        if not problem and not moving:
            return _point(desktop, live)
        if desktop.now >= deadline:
            if problem:
                raise TargetNotActionable(f"{live.words()} {problem}")
            if inside:
                return _point(desktop, live)
            raise TargetNotActionable(f"{live.words()} is still moving after {timeout:g} s")
        await clock.sleep(min(FRAME, max(deadline - desktop.now, 0.001)))
        desktop.advance(now())


def _alive(desktop: Desktop, handle: str) -> Live:
    live = desktop.by_handle.get(handle)
    if live is None:
        raise TargetNotFound("the element is not on the screen any more")
    return live


def _unready(desktop: Desktop, live: Live, purpose: Purpose) -> str:
    if purpose in NEEDS_ENABLED and not all(one.enabled for one in live.up()):
        return "is disabled"
    if purpose == "type":
        if live.role in TEXT_ROLES and live.readonly:
            return "is read-only"
        if live.role not in TEXT_ROLES and not any("*" in one.spec.on_key for one in live.up()):
            return "takes no text"
    _scroll_into_view(desktop, live)
    if desktop.layout().visible_part(live) is None:
        return f"lies outside the screen of {desktop.scene.width:g} x {desktop.scene.height:g}"
    over = covering(desktop, live, desktop.layout())
    return "" if over is None else f"is covered by {_nameable(over).words()}"


def _nameable(live: Live) -> Live:
    """Return the nearest element around that a person would name: a dialog rather than its padding."""
    return next((one for one in live.up() if one.name), live)


def _scroll_into_view(desktop: Desktop, live: Live) -> None:
    for holder in live.up():
        if holder is live or not holder.spec.scrolls:
            continue
        layout = desktop.layout()
        box, view = layout.boxes[live.handle], layout.boxes[holder.handle]
        part = overlap(box, view)
        if part is not None and (part.w, part.h) == (min(box.w, view.w), min(box.h, view.h)):
            continue
        dx = 0.0 if view.x <= box.x and box.x + box.w <= view.x + view.w else box.centre[0] - view.centre[0]
        dy = 0.0 if view.y <= box.y and box.y + box.h <= view.y + view.h else box.centre[1] - view.centre[1]
        scroll_by(desktop, holder, dx, dy)


def _point(desktop: Desktop, live: Live) -> tuple[float, float]:
    part = desktop.layout().visible_part(live)
    assert part is not None  # looked at in the same moment
    return part.centre
