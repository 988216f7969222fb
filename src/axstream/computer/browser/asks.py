"""What pages ask a person or the browser for, and nobody sees: permissions, printing, the full screen. Heard and told.

Nothing is granted or answered here: permissions are given by whoever starts the browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from axstream.computer.browser.realm import LEAVES, TAKES, TELLS, Realm

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession

TAKE_LIMIT_S = 1.0  # a question of a millisecond; a page that is busy longer is heard the next time
_WHAT = {
    "place": "where the computer is (geolocation)",
    "notifications": "leave to show notifications",
    "clipboard": "what the clipboard holds (clipboard-read)",
    "camera": "the camera",
    "microphone": "the microphone",
    "screen": "a picture of the screen",
    "midi": "MIDI devices",
    "device": "a device that is plugged in or near",
}
#: What Chromium asks a person for; all else it decides by itself, such as writing into the clipboard on a click.
_PROMPTS = ("geolocation", "notifications", "camera", "microphone", "clipboard-read", "midi")
_STATES = {
    "granted": "it is granted",
    "denied": "it is denied; only who starts the browser can grant it (permissions)",
    "prompt": "nobody is there to allow it; only who starts the browser can (permissions)",
}
_OTHERS = {
    "print": "the page asked to print; nothing was printed",
    "fullscreen on": "the page fills the full screen now; key escape leaves it",
    "fullscreen off": "the page left the full screen",
}
_MOST = 500  # different things told of one tab; a page that asks for ever is not told for ever


@cache
def _script() -> str:
    source = (files("axstream.computer.browser") / "js" / "asks.js").read_text("utf-8")
    return f"({source})({json.dumps(TAKES)}, {json.dumps(TELLS)}, {json.dumps(LEAVES)})"


async def deny_by_default(
    session: CDPSession, context: BrowserContext, granted: tuple[str, ...] = ()
) -> CDPSession | None:
    """Have the browser deny, in a context of ours, what it would ask a person for, but for what is ``granted``.

    A window with nobody before it would leave the page waiting for ever. It holds for as long as the session that is
    returned; None where the browser cannot be told.
    """
    if context.browser is None:
        return None
    place = (await session.send("Target.getTargetInfo"))["targetInfo"]["browserContextId"]
    browser = await context.browser.new_browser_cdp_session()
    for name in _PROMPTS:
        if name not in granted:
            wish = {"permission": {"name": name}, "setting": "denied", "browserContextId": place}
            await browser.send("Browser.setPermission", wish)
    return browser


async def watch_asks(session: CDPSession) -> None:
    """Have the documents of a session keep what they ask for, from now on, the present ones too."""
    await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _script(), "runImmediately": True})


class Asks:
    """What the documents of one tab asked for. ``tell`` takes it in a line."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[tuple[str, str]] = set()

    async def take(self, realm: Realm, where: str) -> None:
        """Tell what the documents of a realm asked for since this was called last. ``where`` is the page's address."""
        self.tell(await realm.call_once("takeAsks"), where)

    def tell(self, asks: list[str], where: str) -> None:
        """Tell what documents asked for. What is not in our own words is left out: a page can forge it."""
        for said in asks:
            if said in _OTHERS:
                self._tell(_OTHERS[said])
                continue
            kind, _, rest = said.partition(" ")
            what, _, state = rest.partition(" ")
            if kind != "asked" or what not in _WHAT or state not in _STATES:
                continue
            here = (where, said)  # a page may ask over and over
            if here not in self._told and len(self._told) < _MOST:
                self._told.add(here)
                self._tell(f"the page asked for {_WHAT[what]}: {_STATES[state]}")
