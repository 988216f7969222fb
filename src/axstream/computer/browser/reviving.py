"""Tabs whose page crashed or hangs: stopping a script that does not end, putting a new tab in the place of a dead one.

Whether a page fails is heard and asked in ``tab``; what is shown instead is decided by the acts that come here.
"""

from __future__ import annotations

import contextlib

import anyio

from axstream.ax.node import Box, Node, Surface, Tree
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.tab import DialogOpen, PageFailed, Tab
from axstream.computer.browser.tabs import Tabs

BUSY_LIMIT_S = 2.0  # a page that is left has this long to end what it does, before that is stopped
STOP_LIMIT_S = 1.0  # what stops a script answers in 0.1 s; a page that begins the next one at once is given up


async def usable(tabs: Tabs, tab: Tab) -> Tab:
    """Return a tab that can show a page: this one, its script stopped where that did not end, or a new one in its place.

    Bounded; what it took is in the news. The caller's own page is left as it is where it cannot be used.
    """
    if not tab.crashed:
        if await _answers(tab, BUSY_LIMIT_S):
            return tab
        with anyio.move_on_after(STOP_LIMIT_S), contextlib.suppress(playwright_error()):
            await tab.session.send("Runtime.terminateExecution")
        if await _answers(tab, STOP_LIMIT_S):
            tab.news.append("a script of the page that did not end was stopped")
            return tab
    why = "crashed" if tab.crashed else "did not answer"
    fresh = await tabs.replace(tab)
    fresh.news.append(f"a new tab took the place of the one whose page {why}; its history is gone")
    return fresh


async def _answers(tab: Tab, limit: float) -> bool:
    try:
        await tab.race(tab.session.send("Runtime.evaluate", {"expression": "1"}), limit)
    except DialogOpen:  # it waits for a person, and so it lives
        return True
    except (PageFailed, playwright_error()):
        return False
    return True


def failed_tree(tab: Tab, why: str) -> Tree:
    """Return the screen while its page cannot be read: nothing but what is known of it, and why."""
    width, height = tab.size
    url = tab.page.url or tab.url
    root = Node(handle=tab.document or "failed-page", role="document", url=url, box=Box(0, 0, width, height))
    return Tree(nodes=(root,), surface=Surface(width=width, height=height, url=url), notes=(why,), complete=False)
