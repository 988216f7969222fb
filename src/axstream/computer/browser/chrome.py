"""Chords of the browser's own chrome (Z16): the page has them first, as in a real window; then they are emulated."""

from __future__ import annotations

import asyncio

import anyio

from axstream.computer.base import Effect, PressKeys
from axstream.computer.browser.addressbar import AddressBar
from axstream.computer.browser.going import LOAD_LIMIT_S, show, why_refused
from axstream.computer.browser.keys import Chrome, as_press
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.reviving import usable
from axstream.computer.browser.settle import after_act
from axstream.computer.browser.tab import Tab
from axstream.computer.browser.tabs import Tabs
from axstream.computer.browser.typist import focus_of
from axstream.errors import ActionUnsupported, TargetNotFound

CLOSE_LIMIT_S = 2.0  # for a tab to close, or to ask whether it may


class ChromeChords:
    """Presses one chord that the browser itself knows."""

    def __init__(self, tabs: Tabs, bar: AddressBar) -> None:
        self._tabs = tabs
        self._bar = bar

    async def press(self, tab: Tab, command: PressKeys, chord: Chrome) -> Effect:
        """Let the page have the chord; where it does not take it, do what the browser would.

        Raises ActionUnsupported, naming what to use instead, for what is not emulated.
        """
        said = "+".join((*command.modifiers, command.key))
        if not (chord.reserved or self._bar.focused or tab.failing):
            _, realm = await focus_of(tab)
            await tab.race(realm.call("armKey"))
            await self._tabs.inputs(tab).press(as_press(command.modifiers, command.key))
            await after_act(tab)
            if await tab.race(realm.call("keyTaken")):
                return Effect(summary=f"pressed {said}")
        if not chord.does:
            raise ActionUnsupported(f"key: {said} {chord.what}, which is not possible here; {chord.instead}")
        if chord.does == "address":
            self._bar.focus(tab.page.url)
            return Effect(summary="focused the address bar")
        self._bar.leave()
        return await self._emulate(tab, chord.does, said)

    async def _emulate(self, tab: Tab, does: str, said: str) -> Effect:
        match does:
            case "reload" | "back" | "forward":
                return await self._travel(tab, does)
            case "new_tab":
                await self._tabs.open_new(tab)
                return Effect(summary="opened a new tab")
            case "close_tab":
                return await self._close(tab, said)
            case _:
                return await self._switch(tab, does)

    async def _travel(self, tab: Tab, does: str) -> Effect:
        if tab.failing:
            if does != "reload":
                raise ActionUnsupported(f"key: there is no way {does} from a page that failed; use `open` with a URL")
            url, revived = tab.page.url, await usable(self._tabs, tab)
            if revived is not tab:
                return await show(revived, url)
        page = tab.page
        ways = {"reload": page.reload, "back": page.go_back, "forward": page.go_forward}
        before = page.url
        try:
            answer = await tab.race(
                ways[does](wait_until="commit", timeout=LOAD_LIMIT_S * 1000), LOAD_LIMIT_S + 1, what=before
            )
        except playwright_error() as error:
            raise TargetNotFound(f"key: {why_refused(tab, 'the page', error)}") from error
        if does == "reload":
            return Effect(summary="reloaded the page")
        if answer is None and page.url == before:
            return Effect(summary=f"there is no page to go {does} to", moved=False)
        return Effect(summary=f"went {does} to {page.url}")

    async def _close(self, tab: Tab, said: str) -> Effect:
        if not self._tabs.may_close(tab):
            raise ActionUnsupported(
                f"key: {said} would close the last tab, or one that is not ours; end with `done`, or use `open` with a URL"
            )
        with anyio.move_on_after(CLOSE_LIMIT_S):
            await tab.page.close(run_before_unload=not tab.failing)
        deadline = asyncio.get_running_loop().time() + CLOSE_LIMIT_S
        while not tab.closed and tab.dialog is None and asyncio.get_running_loop().time() < deadline:
            await tab.wait_changed(0.05)
        if tab.closed:
            await self._tabs.show(self._tabs.active)
        return Effect(summary="closed the tab" if tab.closed else "asked the tab to close")

    async def _switch(self, tab: Tab, does: str) -> Effect:
        tabs = self._tabs.open
        at = tabs.index(tab)
        if does == "next_tab":
            chosen = tabs[(at + 1) % len(tabs)]
        elif does == "previous_tab":
            chosen = tabs[at - 1]
        elif does == "last_tab":
            chosen = tabs[-1]
        else:
            number = int(does.removeprefix("tab:"))
            if number > len(tabs):
                return Effect(summary=f"there is no tab {number}; {len(tabs)} open", moved=False)
            chosen = tabs[number - 1]
        if chosen is tab:
            return Effect(summary="no other tab is open", moved=False)
        await self._tabs.show(chosen)
        return Effect(summary=f"switched to the tab {chosen.page.url}")
