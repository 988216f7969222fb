"""Closed shadow roots for our world (item 1), with the page none the wiser. How one is walked is in the scripts.

Roots that scripts make are handed over as they are made, by ``js/handover.js`` in the page's own world. Markup makes
closed roots without a script (``<template shadowrootmode=closed>``), and a page may have made some before we came: those
are found through the debugger, once for a document and only where there may be some.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.realm import ASKS, HANDS, LEAVES, DocumentLeft, Realm, RealmGone

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

MAX_ROOTS = 2000  # of one look; each is a question of its own, and a page with more is walked without the rest
_GROUP = "axstream-closed"
_DECLARES = r"shadowrootmode\s*=\s*[\"']?\s*closed"


class Unsure(msgspec.Struct):
    """What may hold closed roots that nobody handed over: a whole realm to ``look`` through, markup to ``search``."""

    look: bool
    search: list[str]


@cache
def _handover() -> str:
    source = (files("axstream.computer.browser") / "js" / "handover.js").read_text("utf-8")
    return f"({source})({json.dumps(ASKS)}, {json.dumps(HANDS)}, {json.dumps(LEAVES)})"


async def watch_roots(session: CDPSession) -> None:
    """Have every document of a session hand its closed roots over from now on, the present ones too.

    It ends with the session. Raises Playwright's error where the page is gone.
    """
    await session.send("Page.enable")
    await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": _handover(), "runImmediately": True})


async def adopt_closed(realm: Realm, unsure: Unsure) -> bool:
    """Look for closed roots where there may be some; return whether any were found, and so a walk is due again."""
    try:
        if not unsure.look and not await _declared(realm, unsure.search):
            return False
        document = await realm.evaluate("document", by_value=False)
        described = await realm.session.send(
            "DOM.describeNode", {"objectId": document["objectId"], "depth": -1, "pierce": True}
        )
        roots = list(_closed_in(described["node"]))[:MAX_ROOTS]
        if roots:
            context = await realm.enter()
            await asyncio.gather(*(_adopt(realm, root, context) for root in roots))
            await realm.session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
    except (playwright_error(), DocumentLeft, RealmGone):
        return False  # the document was left meanwhile; the next one is asked anew
    return bool(roots)


async def _declared(realm: Realm, addresses: list[str]) -> bool:
    """Tell whether the markup of one of these addresses declares a closed root; where it cannot be had, it may."""
    tree = await realm.session.send("Page.getFrameTree")
    wanted = set(addresses)
    frames = [frame for frame in _frames(tree["frameTree"]) if frame["url"] + frame.get("urlFragment", "") in wanted]
    if not frames:
        return False  # it was left meanwhile
    found = await asyncio.gather(*(_declares(realm, frame) for frame in frames))
    return any(found)


async def _declares(realm: Realm, frame: dict[str, Any]) -> bool:
    question = {"frameId": frame["id"], "url": frame["url"], "query": _DECLARES, "isRegex": True}
    try:
        return bool((await realm.session.send("Page.searchInResource", question))["result"])
    except playwright_error():
        return True


async def _adopt(realm: Realm, root: int, context: int) -> None:
    node = {"backendNodeId": root, "executionContextId": context, "objectGroup": _GROUP}
    try:
        found = (await realm.session.send("DOM.resolveNode", node))["object"]["objectId"]
        function = "function () { globalThis.axs.adopt(this); }"
        await realm.session.send("Runtime.callFunctionOn", {"objectId": found, "functionDeclaration": function})
    except playwright_error():
        pass  # it left the page meanwhile


def _frames(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield tree["frame"]
    for child in tree.get("childFrames", ()):
        yield from _frames(child)


def _closed_in(top: dict[str, Any]) -> Iterator[int]:
    """Yield the backend ids of the closed roots in a described node, without recursion: pages nest deep."""
    stack = [top]
    while stack:
        node = stack.pop()
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                yield root["backendNodeId"]
            stack.append(root)
        stack += node.get("children", ())
        if "contentDocument" in node:
            stack.append(node["contentDocument"])
