"""Leaving the full screen by Escape, as Chromium's window does it before the page hears of the key (Z16)."""

from __future__ import annotations

from axstream.computer.base import PressKeys
from axstream.computer.browser.realm import DocumentLeft
from axstream.computer.browser.settle import after_act
from axstream.computer.browser.tab import Tab

ESCAPE = PressKeys(modifiers=(), key="escape")
_LEAVE = "document.fullscreenElement !== null && (document.exitFullscreen().catch(() => {}), true)"


async def leave_full_screen(tab: Tab) -> bool:
    """Leave the full screen where the page is on it, and return whether it was. Bounded like any question."""
    try:
        left = (await tab.race(tab.main.evaluate(_LEAVE))).get("value")
    except DocumentLeft:
        return False
    if left:
        await after_act(tab)
    return bool(left)
