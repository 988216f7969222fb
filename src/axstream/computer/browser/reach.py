"""From a handle to the point where its element can be acted on (T7, Z17), over frames of other processes too."""

from __future__ import annotations

import time
from typing import Any

import anyio

from axstream.computer.base import Purpose
from axstream.computer.browser.realm import Realm
from axstream.computer.browser.tab import ANSWER_LIMIT_S, RemoteFrame, Tab
from axstream.computer.browser.walking import Origin, place_of, world_of
from axstream.errors import TargetNotActionable, TargetNotFound, TargetSlipped

GONE = "the element is not on the page any more"
_STEP_S = 0.05


class Reached:
    """Where to act. ``kind`` is ``option`` for an option of a native list that is chosen and not clicked."""

    def __init__(self, x: float, y: float, kind: str) -> None:
        self.x, self.y, self.kind = x, y, kind


async def reach(tab: Tab, handle: str, purpose: Purpose, timeout: float) -> Reached:
    """Wait until an element can be acted on, at most ``timeout`` seconds, and return where.

    Raises TargetNotFound where it went away, TargetNotActionable saying what is in the way, TargetSlipped where it was
    changed since it was found.
    """
    frame = tab.worlds.get(world_of(handle))
    if frame is not None:
        return await _reach_in_frame(tab, frame, handle, purpose, timeout)
    found = await tab.race(tab.main.call("prepare", handle, purpose, timeout * 1000, None), timeout + ANSWER_LIMIT_S)
    return _result(found)


def _result(found: dict[str, Any]) -> Reached:
    if found.get("gone"):
        raise TargetNotFound(GONE)
    if "slipped" in found:
        raise TargetSlipped(f"it {found['slipped']}")
    if "problem" in found:
        raise TargetNotActionable(found["problem"])
    return Reached(found["x"], found["y"], found["kind"])


async def _reach_in_frame(tab: Tab, frame: RemoteFrame, handle: str, purpose: Purpose, timeout: float) -> Reached:
    deadline = time.monotonic() + timeout
    scrolled = False
    while True:
        origin = await place_of(tab, frame)
        if origin is None:
            raise TargetNotFound(GONE)
        if _is_hidden(origin) and not scrolled:
            scrolled = True
            await tab.race(frame.parent.call("intoView", frame.owner))
            continue
        left = max(deadline - time.monotonic(), 0.0)
        port = [(edge - base) / origin.s for edge, base in zip(origin.clip, (origin.x, origin.y) * 2, strict=True)]
        found = await tab.race(frame.realm.call("prepare", handle, purpose, left * 1000, port), left + ANSWER_LIMIT_S)
        if "cannot be scrolled" in found.get("problem", "") and not scrolled:
            scrolled = True
            await tab.race(frame.parent.call("intoView", frame.owner))
            continue
        inner = _result(found)
        x, y = origin.x + origin.s * inner.x, origin.y + origin.s * inner.y
        outer = next((other for other in tab.worlds.values() if other.realm is frame.parent), None)
        base = await place_of(tab, outer) if outer is not None else None
        at = ((x - base.x) / base.s, (y - base.y) / base.s) if base is not None else (x, y)
        cover = await tab.race(frame.parent.call("reachesFrame", frame.owner, *at, purpose))
        if not cover:
            return Reached(x, y, inner.kind)
        if time.monotonic() >= deadline:
            raise TargetNotActionable(f"its frame is covered by {cover}")
        await anyio.sleep(_STEP_S)


def _is_hidden(origin: Origin) -> bool:
    left, top, right, bottom = origin.clip
    return right - left < 1 or bottom - top < 1


async def realms_under(tab: Tab, point: tuple[float, float], function: str) -> list[Realm]:
    """Call ``function(x, y)`` in every process that a point lies in, and return their realms, outermost first.

    The function returns as ``remote`` the handle of the frame of another process that it finds there, or "".
    """
    x, y = point
    realms: list[Realm] = [tab.main]
    while True:
        found = await tab.race(realms[-1].call(function, x, y))
        frame = await tab.race(tab.remote_realm(realms[-1], found["remote"])) if found["remote"] else None
        inside = await tab.race(frame.parent.call("frameInside", frame.owner)) if frame is not None else None
        if frame is None or inside is None:
            return realms
        x, y = (x - inside["x"]) / inside["s"], (y - inside["y"]) / inside["s"]
        realms.append(frame.realm)
