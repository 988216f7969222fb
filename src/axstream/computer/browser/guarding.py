"""What the guard in a page (``js/guard.js``) made of a press, as an error that says whether anything was pressed."""

from __future__ import annotations

import asyncio
from typing import TypedDict

from axstream.computer.browser.realm import DocumentLeft, Realm, RealmGone
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.computer.browser.walking import world_of
from axstream.errors import Disconnected, TargetNotActionable, TargetSlipped


class Averted(TypedDict):
    """A press that the guard stopped: why, and whether an earlier part of it was received."""

    averted: str
    received: bool


async def check_there(tab: Tab, handle: str) -> None:
    """Raise TargetSlipped where a document came since an element was made ready, and the element went with the old one."""
    if tab.arrivals == tab.ready_at:
        return
    frame = tab.worlds.get(world_of(handle))
    realm = frame.realm if frame is not None else tab.main
    try:
        there = await tab.race(realm.call_once("isThere", handle))
    except (DocumentLeft, RealmGone):
        there = False
    if not there:
        raise TargetSlipped("it went away with its page; nothing was pressed")


async def check_landed(tab: Tab, handle: str | None, averted: Averted | None) -> None:
    """Raise TargetSlipped where a press on an element was stopped before the page heard of it.

    ``averted`` is what the main process said. Raises TargetNotActionable where a part of the press was received, so that
    it must not be pressed once more.
    """
    frame = tab.worlds.get(world_of(handle)) if handle is not None else None
    if frame is not None:
        realms = {id(realm): realm for realm in (frame.realm, frame.parent)}.values()
        found = await asyncio.gather(*(stood_down(tab, realm) for realm in realms))
        averted = next((one for one in found if one is not None), averted)
    if averted is None:
        return
    if averted["received"]:
        raise TargetNotActionable(f"it {averted['averted']}; the press was received, what belongs to it was not")
    raise TargetSlipped(f"it {averted['averted']}; nothing was pressed")


async def stood_down(tab: Tab, realm: Realm) -> Averted | None:
    """Ask a process what its guard stopped; it is on guard no longer then."""
    try:
        averted: Averted | None = await tab.race(realm.call("stoodDown"))
    except (DialogOpen, DocumentLeft, Disconnected):
        return None  # then the press had an effect
    return averted
