"""The wheel: turned under the pointer, else over the nearest scroller, and what moved by it (A3). Nothing else scrolls here."""

from __future__ import annotations

from typing import Any

from axstream.computer.base import Effect, Wheel
from axstream.computer.browser.inputs import NOTCH_PX, Inputs
from axstream.computer.browser.reach import realms_under
from axstream.computer.browser.tab import Tab

SCROLL_CAP_MS = 1000  # facts: settled after about 90 ms; pages that scroll smoothly by script take longer
_SIGNS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class Scrolling:
    """Turns the wheel in one tab."""

    def __init__(self, tab: Tab, inputs: Inputs) -> None:
        self._tab = tab
        self._inputs = inputs

    async def turn(self, command: Wheel) -> Effect:
        """Turn it, and say what moved by how many pixels. The pointer stays where it is."""
        if self._tab.pointer is None:  # nobody moved it yet: a person's would be somewhere over the page
            width, height = await self._tab.ask("size")
            await self._inputs.move(width / 2, height / 2)
        point = self._tab.pointer or (0.0, 0.0)
        found = await self._turn_at(point, command)
        if found["stuck"] and not found["moved"] and not found["taken"]:
            # After a turn sideways at an end Chromium gives nothing the wheel until the pointer stirs.
            await self._inputs.move(*point)
            found = await self._turn_at(point, command)
        notes: tuple[str, ...] = ()
        if found["stuck"] and not found["moved"] and not found["taken"]:
            return Effect(summary=f"nothing scrolled: {found['stuck'][0]} did not go {command.direction}", moved=False)
        if not found["moved"] and not found["ends"] and not found["taken"]:
            near = await self._tab.ask("nearestScroller", *point, *_SIGNS[command.direction])
            if near is not None:
                found = await self._turn_at((near["x"], near["y"]), command)
                notes = ("nothing under the pointer scrolls, so the nearest that does was scrolled",)
        if found["moved"]:
            said = ", ".join(_say(step) for step in found["moved"])
            return Effect(summary=f"scrolled {said} {command.direction}{_end(found['moved'])}", moved=True, notes=notes)
        if found["taken"]:
            return Effect(
                summary=f"turned the wheel {command.direction}: nothing scrolled, the page took the wheel itself"
            )
        if found["ends"]:
            return Effect(summary=f"nothing scrolled: {found['ends'][0]} is at its end", moved=False)
        return Effect(summary=f"turned the wheel {command.direction}: nothing here scrolls that way", moved=False)

    async def _turn_at(self, point: tuple[float, float], command: Wheel) -> dict[str, Any]:
        realms = await realms_under(self._tab, point, "scrollStart")
        right, down = _SIGNS[command.direction]
        for _ in range(command.clicks):
            await self._inputs.wheel(*point, right * NOTCH_PX, down * NOTCH_PX)
        found: dict[str, Any] = {"moved": [], "ends": [], "stuck": [], "taken": False}
        for realm in reversed(realms):  # the innermost takes the wheel first
            cap = 0 if found["moved"] or found["taken"] else SCROLL_CAP_MS
            one = await self._tab.race(realm.call("scrollEnd", right, down, cap))
            found["moved"] += one["moved"]
            found["ends"] += one["ends"]
            found["stuck"] += one["stuck"]
            found["taken"] = found["taken"] or one["taken"]
        return found


def _say(step: dict[str, Any]) -> str:
    return f"{step['what']} by {abs(step['dy'] or step['dx'])} px"


def _end(moved: list[dict[str, Any]]) -> str:
    return ", to its end" if len(moved) == 1 and moved[0]["end"] else ""
