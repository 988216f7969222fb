"""Inputs whose value is set and not written (dates, times, colours, ranges), by the keys and clicks that a person uses.

The page hears trusted events. Where neither keys nor clicks get there (a page that refuses keys, macOS' own colour
window, a value between a slider's steps) the value is set by script, and the effect says so.
"""

from __future__ import annotations

from typing import Any

from axstream.computer.browser.inputs import Inputs
from axstream.computer.browser.keys import IS_MAC, as_press
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.moments import Inner, inner_fields, strokes
from axstream.computer.browser.realm import DocumentLeft, Realm
from axstream.computer.browser.tab import Tab
from axstream.computer.browser.walking import place_of
from axstream.errors import TargetNotActionable

BY_SCRIPT = "no key sets this field, so its value was set by script"
FEW_STEPS = 3  # a slider that is so near is moved by arrow keys alone
MOST_STEPS = 60  # of arrow keys, after a click on the slider
CLOSE_LIMIT_MS = 500  # for the colour window to go, with which the page hears of the colour
_COLOUR_TABS = 3  # from the open colour window's plane to its first number
_FORMS = {
    "date": "YYYY-MM-DD",
    "time": "HH:MM",
    "datetime-local": "YYYY-MM-DDTHH:MM",
    "month": "YYYY-MM",
    "week": "YYYY-Www",
    "color": "#rrggbb",
    "range": "a number",
}


class Setting:
    """Sets the focused input of one tab."""

    def __init__(self, tab: Tab, inputs: Inputs) -> None:
        self._tab = tab
        self._inputs = inputs

    async def set(self, text: str, realm: Realm) -> tuple[str, ...]:
        """Set it, and return what there is to say. Raises TargetNotActionable naming the form where it is another."""
        plan = await self._tab.race(realm.call("setting", text))
        if not plan["ok"]:
            form = _FORMS.get(plan["type"], "")
            raise TargetNotActionable(f'type: a {plan["type"]} field does not take "{text[:60]}"; write it as {form}')
        if plan["value"] != plan["now"]:
            await self._by_keys(plan, realm)
        held = await self._tab.race(realm.call("held", plan["handle"], plan["value"]))
        notes: tuple[str, ...] = ()
        if not held["met"] and not held["gone"]:
            held["value"] = await self._tab.race(realm.call("setByScript", plan["handle"], plan["value"]))
            notes = (BY_SCRIPT,)
        if not held["gone"] and held["value"] != text:
            notes += (f"the field holds {held['value']}",)
        return notes

    async def _by_keys(self, plan: dict[str, Any], realm: Realm) -> None:
        match plan["type"]:
            case "color":
                await self._colour(plan, realm)
            case "range":
                await self._slide(plan, realm)
            case _:
                await self._moment(plan, realm)

    async def _press(self, key: str) -> None:
        await self._inputs.press(as_press((), key))

    # -- dates and times -----------------------------------------------------------------------------------------------

    async def _moment(self, plan: dict[str, Any], realm: Realm) -> None:
        """Write each inner field, whatever their order; the one that completes the value last, so that it is heard once."""
        for stroke in strokes(await self._fields(realm), plan["value"], plan["type"], filled=plan["now"] != ""):
            if isinstance(stroke, str):
                await self._inputs.type(stroke)
            else:
                await self._inputs.repeat(stroke.key, stroke.times)

    async def _fields(self, realm: Realm) -> tuple[Inner, ...]:
        """Return the inner fields of the focused input as they stand on the screen: names, least, greatest.

        Their order is that of the platform's language, which no page can ask for.
        """
        try:
            element = await self._tab.race(realm.evaluate("axs.focusedElement()", by_value=False))
            question = {"objectId": element["objectId"], "depth": -1, "pierce": True}
            described = await self._tab.race(realm.session.send("DOM.describeNode", question))
        except (playwright_error(), DocumentLeft):
            return ()
        return tuple(inner_fields(described["node"]))

    # -- colours and ranges ----------------------------------------------------------------------------------------------

    async def _colour(self, plan: dict[str, Any], realm: Realm) -> None:
        """Red, green and blue as numbers into the browser's colour window; each is looked at before it is taken."""
        ask = self._tab.race
        if IS_MAC:
            return
        if not plan["open"]:
            await self._press("space")
        if not await ask(realm.call("colourOpen", plan["handle"])):
            return
        await ask(realm.call("frames", 2))  # until then its window hears no key
        for _ in range(_COLOUR_TABS):
            await self._press("tab")
        wanted: str = plan["value"]
        for at in (1, 3, 5):
            await self._inputs.press(as_press(("ctrl",), "a"))
            await self._inputs.type(str(int(wanted[at : at + 2], 16)))
            held: str | None = await ask(realm.call("colourOpen", plan["handle"]))
            if held is None or held[at : at + 2] != wanted[at : at + 2]:
                break  # it is another window than ours
            if at < 5:
                await self._press("tab")
        else:
            await self._press("enter")
            await ask(realm.call("colourClosed", plan["handle"], CLOSE_LIMIT_MS))
            return
        await self._press("escape")

    async def _slide(self, plan: dict[str, Any], realm: Realm) -> None:
        """Click where the value lies on the slider; arrow keys do the rest."""
        ask, handle, value = self._tab.race, plan["handle"], plan["value"]
        steps = await ask(realm.call("stepsTo", handle, value))
        if abs(steps) > FEW_STEPS:
            point = await ask(realm.call("onSlider", handle, value))
            frame = next((frame for frame in self._tab.worlds.values() if frame.realm is realm), None)
            origin = await place_of(self._tab, frame) if frame is not None else None
            if point is not None and (frame is None or origin is not None):
                x, y = (point["x"], point["y"])
                if origin is not None:
                    x, y = origin.x + origin.s * x, origin.y + origin.s * y
                await self._inputs.click(x, y, "left", 1)
                steps = await ask(realm.call("stepsTo", handle, value))
        if abs(steps) <= MOST_STEPS:
            await self._inputs.repeat("ArrowUp" if steps > 0 else "ArrowDown", abs(steps))
