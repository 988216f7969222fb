"""Who listens to keys where the focus is: asked of Chromium's debugger, since no page can tell. Nothing is acted on."""

from __future__ import annotations

import asyncio

from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.realm import Realm

_KEYS = frozenset({"keydown", "keypress", "keyup"})
#: Whatever a key event passes, from the focus outwards. In the page's own world: listeners belong to one.
_PATH = (
    "(() => { let el = document.activeElement; while (el && el.shadowRoot && el.shadowRoot.activeElement)"
    " el = el.shadowRoot.activeElement; const path = []; for (let n = el; n; n = n.parentNode || n.host) path.push(n);"
    " path.push(window); return path; })()"
)


async def hears_keys(realm: Realm) -> bool:
    """Tell whether a key pressed now would be heard by a script of the page's document."""
    session = realm.session
    try:
        path = (await session.send("Runtime.evaluate", {"expression": _PATH}))["result"].get("objectId")
        if path is None:
            return False
        found = await session.send("Runtime.getProperties", {"objectId": path, "ownProperties": True})
        objects = [entry["value"]["objectId"] for entry in found["result"] if "objectId" in entry.get("value", {})]
        heard = await asyncio.gather(
            *(session.send("DOMDebugger.getEventListeners", {"objectId": object_id}) for object_id in objects)
        )
        await session.send("Runtime.releaseObject", {"objectId": path})
    except playwright_error():
        return False  # the document was left meanwhile
    return any(listener["type"] in _KEYS for answer in heard for listener in answer["listeners"])
