"""Options of native lists, chosen as a person does: the list opens, keys go to the option, Enter takes it (Z16).

The page hears one trusted ``input`` and one trusted ``change``. Which option is meant is decided elsewhere.
"""

from __future__ import annotations

from typing import Any

from axstream.computer.base import Effect
from axstream.computer.browser.guarding import check_landed, stood_down
from axstream.computer.browser.inputs import Inputs
from axstream.computer.browser.keys import IS_MAC, as_press
from axstream.computer.browser.reach import reach
from axstream.computer.browser.realm import Realm
from axstream.computer.browser.settle import after_act
from axstream.computer.browser.tab import Tab
from axstream.errors import TargetNotActionable, TargetNotFound

MOST_STEPS = 2000  # arrow keys to an option, about a second's worth; from the nearer end of the list
REACH_S = 1.0  # for an option of a list that is on the screen


class Choosing:
    """Chooses options in one tab."""

    def __init__(self, tab: Tab, inputs: Inputs) -> None:
        self._tab = tab
        self._inputs = inputs

    async def choose(self, realm: Realm, handle: str, point: tuple[float, float] | None) -> Effect:
        """Choose an option; ``point`` is where its closed list can be clicked, None where the list has the focus.

        In a list where several can be chosen the option is chosen too, or no longer (Ctrl and a click). Raises
        TargetNotFound or TargetNotActionable; TargetSlipped where its list gave way to the press.
        """
        plan = await self._tab.race(realm.call("choosing", handle))
        if plan.get("gone"):
            raise TargetNotFound("the option is not on the page any more")
        if "problem" in plan:
            raise TargetNotActionable(plan["problem"])
        said = f'"{plan["label"][:80]}"' + (f' in "{plan["select"][:80]}"' if plan["select"] else "")
        if not plan["dropdown"]:
            await self._click(handle, point, many=plan["many"])
            return Effect(
                summary=f"no longer chosen: {said}" if plan["many"] and not plan["changed"] else f"chose {said}"
            )
        if not plan["changed"]:
            if plan["open"]:
                await self._press("escape")
            return Effect(summary=f"{said} was chosen already")
        notes = await self._from_list(realm, handle, plan, point)
        return Effect(summary=f"chose {said}", notes=notes)

    async def _click(self, handle: str, point: tuple[float, float] | None, *, many: bool) -> None:
        """Click an option that is on the screen."""
        if point is None:
            at = await reach(self._tab, handle, "click", REACH_S)
            point = (at.x, at.y)
        await self._inputs.click(*point, "left", 1, held=as_press(("cmd",), "a").modifiers if many else ())
        await check_landed(self._tab, handle, await after_act(self._tab))

    async def _from_list(
        self, realm: Realm, handle: str, plan: dict[str, Any], point: tuple[float, float] | None
    ) -> tuple[str, ...]:
        ask = self._tab.race
        # macOS draws the list itself, where no key of ours arrives.
        shown = {"open": False, "drawn": False} if IS_MAC else await self._open(realm, handle, point, plan["open"])
        if shown["drawn"]:
            await self._click(handle, None, many=False)
        elif shown["open"] and plan["to"] >= 0 and min(plan["to"], plan["count"] - plan["to"]) <= MOST_STEPS:
            from_start = plan["to"] <= plan["count"] / 2
            steps = plan["to"] if from_start else plan["count"] - 1 - plan["to"]
            await self._press("home" if from_start else "end")
            await self._inputs.repeat("ArrowDown" if from_start else "ArrowUp", steps)
            await self._press("enter")
            await after_act(self._tab)
        elif shown["open"]:
            await self._press("escape")
        done = await ask(realm.call("chosen", handle))
        if done["gone"] or done["selected"] or done["meant"]:  # what the page makes of it is its own affair
            return ()
        await ask(realm.call("choose", handle))
        await after_act(self._tab)
        return ("its list takes no keys, so it was chosen by script",)

    async def _open(
        self, realm: Realm, handle: str, point: tuple[float, float] | None, is_open: bool
    ) -> dict[str, bool]:
        ask = self._tab.race
        if not is_open and point is not None:
            await self._inputs.click(*point, "left", 1)
            await check_landed(self._tab, handle, await stood_down(self._tab, self._tab.main))
        elif not is_open:
            await self._inputs.press(as_press(("alt",), "down"))
        shown: dict[str, bool] = await ask(realm.call("openList", handle))
        if not shown["open"] and point is not None:
            await self._inputs.press(as_press(("alt",), "down"))
            shown = await ask(realm.call("openList", handle))
        return shown

    async def _press(self, key: str) -> None:
        await self._inputs.press(as_press((), key))
