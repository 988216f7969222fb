"""The open tabs as elements, where there are several: a click on one gives it the focus (Z16). None is read here."""

from __future__ import annotations

import asyncio

import anyio
import msgspec

from axstream.ax.node import Node, Tree
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.tab import Tab
from axstream.computer.browser.tabs import Tabs

PREFIX = "tab-"
LISTED = 20  # as many as a person tells apart; the others come up as these are closed
TITLE_LIMIT_S = 0.5  # the browser answers without the page in a millisecond
_NAME = "browser tab: "  # so that no tab is taken for an element of the page


async def with_tabs(tree: Tree, tabs: Tabs, active: Tab) -> Tree:
    """Return a tree with the open tabs behind it and a note how to switch; as it is where one is open only."""
    found = tabs.open
    if len(found) < 2:
        return tree
    shown = found[:LISTED]
    names = await asyncio.gather(*(_title(tab, tree if tab is active else None) for tab in shown))
    at = len(tree.nodes)
    bar = Node(handle=f"{PREFIX}list", role="tablist", document=PREFIX, name="browser tabs")
    nodes = [
        Node(
            handle=f"{PREFIX}{tabs.number(tab)}",
            role="tab",
            document=PREFIX,
            parent=at,
            name=_NAME + name,
            interactive=True,
            selected=tab is active,
        )
        for tab, name in zip(shown, names, strict=True)
    ]
    left = f", {len(found) - LISTED} of them not listed" if len(found) > LISTED else ""
    note = f"{len(found)} tabs are open{left}; click another `browser tab` to switch to it, key cmd+w closes this one"
    return msgspec.structs.replace(tree, nodes=(*tree.nodes, bar, *nodes), notes=(*tree.notes, note))


def is_tab(handle: str) -> bool:
    """Tell whether a handle is that of a tab, open or not."""
    return handle.startswith(PREFIX)


def tab_of(tabs: Tabs, handle: str) -> Tab | None:
    """Return the open tab that a handle names."""
    return next((tab for tab in tabs.open if f"{PREFIX}{tabs.number(tab)}" == handle), None)


async def _title(tab: Tab, tree: Tree | None) -> str:
    """Return what a person sees on a tab: its title, or else its address. The page itself is not asked."""
    if tree is not None:
        return tree.surface.title or tree.surface.url
    try:
        with anyio.move_on_after(TITLE_LIMIT_S):
            info = (await tab.session.send("Target.getTargetInfo"))["targetInfo"]
            return str(info["title"] or info["url"])
    except playwright_error():
        pass  # it crashed, or closes
    return tab.title or tab.page.url
