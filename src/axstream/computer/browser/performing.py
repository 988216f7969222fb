"""One command on the active tab: pointer, wheel, keys, text, addresses, and the answer to a dialog. Finding is elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from typing import assert_never

import msgspec

from axstream.computer.base import (
    ClickAt,
    Command,
    DragTo,
    Effect,
    GivenFiles,
    MoveTo,
    OpenApp,
    OpenUrl,
    PressKeys,
    TypeText,
    Wheel,
)
from axstream.computer.browser.addressbar import HANDLE as BAR_HANDLE
from axstream.computer.browser.addressbar import AddressBar
from axstream.computer.browser.answering import Answering
from axstream.computer.browser.choosing import Choosing
from axstream.computer.browser.chrome import ChromeChords
from axstream.computer.browser.fullscreen import ESCAPE, leave_full_screen
from axstream.computer.browser.giving import Giving
from axstream.computer.browser.going import show
from axstream.computer.browser.guarding import check_landed, check_there
from axstream.computer.browser.keys import as_press, chrome_chord
from axstream.computer.browser.reach import realms_under
from axstream.computer.browser.reviving import usable
from axstream.computer.browser.scrolling import Scrolling
from axstream.computer.browser.settle import after_act, after_click, before_question, expects
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.computer.browser.tablist import is_tab, tab_of
from axstream.computer.browser.tabs import Tabs
from axstream.computer.browser.typist import Typist, pieces
from axstream.computer.browser.walking import world_of
from axstream.errors import ActionUnsupported, Disconnected, TargetNotActionable, TargetNotFound

NOT_TAKEN = "what was dragged was dropped where nothing takes it"
#: Driven from outside, Chromium tells what was taken only where the drag ends in the process that it began in.
UNTOLD = (
    "dropped in a frame of another site; the one that it came from hears that it ended, and not whether it was taken"
)
WARNED = (
    "the browser's warning about the page's certificate takes no input here; go back with key alt+left, or go on with "
    "`open`"
)
NO_MENU = "the page has no context menu of its own here; the browser's cannot be seen or used"


class Acting:
    """Performs commands, one at a time, on the tab that has the focus."""

    def __init__(self, tabs: Tabs, bar: AddressBar, files: GivenFiles | None) -> None:
        self._tabs = tabs
        self._bar = bar
        self._files = files

    async def perform(self, command: Command) -> Effect:
        """Deliver the input and say what it did; new tabs, dialogs and downloads are in the notes."""
        tab = await self._tabs.front()
        if tab.dialog is not None:
            effect = await Answering(tab).answer(command)
        elif (chooser := tab.choosers.open) is not None and not tab.failing:
            effect = await Giving(tab, self._tabs.inputs(tab), chooser, self._files).answer(command)
        else:
            effect = await self._deliver(tab, command)
        with contextlib.suppress(DialogOpen):
            await self._tabs.arrive()
        await tab.hear_asks()
        await self._tabs.downloads.finish()
        await self._tabs.front()
        notes = (*effect.notes, *self._tabs.take_news())
        return msgspec.structs.replace(effect, notes=notes)

    async def _deliver(self, tab: Tab, command: Command) -> Effect:
        """Do it; a dialog that it opens, or its closing the tab, is an effect and no failure."""
        try:
            if not tab.failing:
                await before_question(tab)
            if tab.dialog is not None:
                return await Answering(tab).answer(command)
            if tab.refusals.warned and not self._bar.focused:
                check_warned(command)
            if isinstance(command, ClickAt | MoveTo) and command.handle is not None and not _is_framed(command.handle):
                await check_there(tab, command.handle)
            tab.mark_act()
            tab.expects_s = expects(command)
            return await self._do(tab, command)
        except DialogOpen:
            return Effect(summary=_say(command))
        except Disconnected:
            if not tab.closed or not self._tabs.open:
                raise
            return Effect(summary=_say(command))

    async def _do(self, tab: Tab, command: Command) -> Effect:
        inputs = self._tabs.inputs(tab)
        match command:
            case ClickAt():
                return await self._click(tab, command)
            case MoveTo(x=x, y=y):
                await inputs.move(x, y)
                await tab.ask("tasks")
                tab.frames_due = True
                return Effect(summary="moved the pointer")
            case DragTo():
                return await self._drag(tab, command)
            case TypeText():
                return await self._type(tab, command)
            case PressKeys():
                return await self._press(tab, command)
            case Wheel():
                return await Scrolling(tab, inputs).turn(command)
            case OpenUrl(url=url):
                self._bar.leave()
                return await self._show(tab, url)
            case OpenApp(name=name):
                raise ActionUnsupported(
                    f'open: a browser has no applications, so none called "{name}"; use `open` with a URL'
                )
            case _:
                assert_never(command)

    # -- pointer ---------------------------------------------------------------------------------------------------

    async def _click(self, tab: Tab, command: ClickAt) -> Effect:
        if command.handle == BAR_HANDLE:
            self._bar.focus(tab.page.url)
            return Effect(summary="focused the address bar")
        self._bar.leave()
        if command.handle is not None and is_tab(command.handle):
            return await self._switch(command.handle)
        if command.handle is not None and command.handle in tab.choices and command.button == "left":
            frame = tab.worlds.get(world_of(command.handle))
            realm = frame.realm if frame is not None else tab.main
            choosing = Choosing(tab, self._tabs.inputs(tab))
            return await choosing.choose(realm, command.handle, (command.x, command.y))
        if command.button == "right":
            return await self._right_click(tab, command)
        click = self._tabs.inputs(tab).click(command.x, command.y, command.button, command.count)
        await check_landed(tab, command.handle, await after_click(tab, click, command.count))
        return Effect(summary=_say(command))

    async def _switch(self, handle: str) -> Effect:
        tab = tab_of(self._tabs, handle)
        if tab is None:
            raise TargetNotFound("the tab is closed; observe again")
        await self._tabs.show(tab)
        return Effect(summary=f"switched to the tab {tab.page.url}")

    async def _right_click(self, tab: Tab, command: ClickAt) -> Effect:
        """Say where the page leaves it to the browser's own menu, since nothing of that can be seen."""
        realms = await realms_under(tab, (command.x, command.y), "armMenu")
        await self._tabs.inputs(tab).click(command.x, command.y, command.button, command.count)
        await check_landed(tab, command.handle, await after_act(tab))
        left = await tab.race(realms[-1].call("menuLeft"))
        return Effect(summary=_say(command), notes=(NO_MENU,) if left else ())

    async def _drag(self, tab: Tab, command: DragTo) -> Effect:
        """Say where nothing took what was dropped, and what scrolled under the pointer meanwhile."""
        end = (await realms_under(tab, (command.to_x, command.to_y), "remoteAt"))[-1]
        realms = await realms_under(tab, (command.x, command.y), "armDrag")
        source = realms[-1]

        async def began() -> bool:
            begun: bool = await tab.race(source.call("dragBegan"))
            return begun

        inputs = self._tabs.inputs(tab)
        await inputs.drag(command.x, command.y, command.to_x, command.to_y, began, crosses=end is not source)
        await after_act(tab)
        found = await tab.race(source.call("dragged"))
        notes = ((UNTOLD if end is not source else NOT_TAKEN),) if found["refused"] else ()
        moved = tuple(
            f"{step['what']} scrolled by {abs(step['dy'] or step['dx'])} px meanwhile" for step in found["scrolled"]
        )
        return Effect(summary="dragged", notes=(*notes, *moved))

    # -- keyboard --------------------------------------------------------------------------------------------------

    async def _press(self, tab: Tab, command: PressKeys) -> Effect:
        if self._bar.focused and chrome_chord(command.modifiers, command.key) is None:
            effect = self._bar.key(command.modifiers, command.key)
            return effect if effect is not None else await self._go(tab)
        chord = chrome_chord(command.modifiers, command.key)
        inputs = self._tabs.inputs(tab)
        if chord is not None:
            return await ChromeChords(self._tabs, self._bar).press(tab, command, chord)
        if command == ESCAPE and await leave_full_screen(tab):
            return Effect(summary="left the full screen")
        await inputs.press(as_press(command.modifiers, command.key))
        await after_act(tab)
        return Effect(summary=_say(command))

    async def _type(self, tab: Tab, command: TypeText) -> Effect:
        if not self._bar.focused or (command.handle is not None and command.handle != BAR_HANDLE):
            self._bar.leave()
            return await Typist(tab, self._tabs.inputs(tab)).type(command)
        if command.clear:
            self._bar.clear()
        parts = pieces(command.text)
        for at, piece in enumerate(parts):
            if piece == "\n":
                effect = await self._go(tab)
                rest = "".join(parts[at + 1 :])
                return await Typist(tab, self._tabs.inputs(tab)).type(TypeText(text=rest)) if rest else effect
            if piece == "\t":
                self._bar.leave()
                rest = "".join(parts[at + 1 :])
                if rest:
                    return await Typist(tab, self._tabs.inputs(tab)).type(TypeText(text=rest))
            else:
                self._bar.put(piece)
        await asyncio.sleep(0)
        return Effect(summary="typed in the address bar")

    async def _go(self, tab: Tab) -> Effect:
        url = self._bar.address()
        self._bar.leave()
        return await self._show(tab, url)

    async def _show(self, tab: Tab, url: str) -> Effect:
        return await show(await usable(self._tabs, tab), url)


def check_warned(command: Command) -> None:
    """Raise TargetNotActionable for input to the browser's warning about a certificate: it could accept it."""
    match command:
        case PressKeys(modifiers=modifiers, key=key) if chrome_chord(modifiers, key) is not None:
            return
        case ClickAt(handle=str() as handle) if is_tab(handle) or handle == BAR_HANDLE:
            return
        case ClickAt() | DragTo() | TypeText() | PressKeys():
            raise TargetNotActionable(WARNED)


def _is_framed(handle: str) -> bool:
    """Tell whether something belongs to the browser's own window."""
    return handle == BAR_HANDLE or is_tab(handle)


def _say(command: Command) -> str:
    match command:
        case ClickAt(button="right"):
            return "right-clicked"
        case ClickAt(count=2):
            return "double-clicked"
        case ClickAt():
            return "clicked"
        case PressKeys(modifiers=modifiers, key=key):
            return f"pressed {'+'.join((*modifiers, key))}"
        case DragTo():
            return "dragged"
        case _:
            return ""
