"""The open tabs: which one has the focus, what opened, what closed (Z16). No tab is read or acted on here."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import anyio
import msgspec

from axstream.computer.browser.downloads import Downloads
from axstream.computer.browser.inputs import Inputs, Pace
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.leaving import dismiss, leave_page
from axstream.computer.browser.tab import Tab
from axstream.computer.browser.visiting import leave_to_others, visit
from axstream.errors import Disconnected

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Download, Page

LEAVE_LIMIT_S = 3.0  # for pages that hang; what is closed afterwards takes them along
OPEN_LIMIT_S = 2.0  # for a window that the page opened to become a tab
MAX_TABS = 50  # a page that opens window after window is not followed for ever
SHOW_LIMIT_S = 2.0  # to come to the front; a page that crashed may never
CLOSE_LIMIT_S = 3.0  # for a page that hangs to be closed; measured: 0.5 s
GOING_S = 0.2  # between the end of its tabs and that of a browser; they are told together
GONE = "the browser is gone: its process ended, or it was closed; start anew"


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """Whose the tabs are. By default: the given page is the caller's, and what it opens is followed.

    ``own``: all of the context is ours, and ends with us. ``whole``: all tabs of the caller's context are followed.
    ``mine``: the first tab was opened for us. ``keeps_all``: a person's browser, in which nothing is closed at the end.
    """

    own: bool = False
    whole: bool = False
    mine: bool = False
    keeps_all: bool = False


class Tabs:
    """The tabs of one computer."""

    def __init__(self, context: BrowserContext, downloads: Downloads, *, hold: Hold, pace: Pace) -> None:
        self._context = context
        self.downloads = downloads
        self._hold = hold
        self._own = hold.own
        self._whole = hold.own or hold.whole
        self._theirs: set[Tab] = set()  # the caller's, which are never closed
        self._pace = pace
        self._tabs: list[Tab] = []
        self._inputs: dict[Tab, Inputs] = {}
        self._numbers: dict[Tab, int] = {}
        self._active: Tab | None = None
        self._front: Tab | None = None
        self._made: list[Tab] = []  # tabs that we opened in the caller's context
        self._attaching: set[Page] = set()
        self._following: set[asyncio.Task[None]] = set()
        self._news: list[str] = []
        self._gone = anyio.Event()
        self._adding = asyncio.Lock()  # a page that we open ourselves is heard of as well
        self._arrived = asyncio.Event()

    def __iter__(self) -> Any:
        return iter(self._tabs)

    async def begin(self, page: Page) -> None:
        """Take the first page in, and follow what opens from now on."""
        self._context.on("close", self._on_gone)
        if self._hold.keeps_all:
            self._context.on("dialog", leave_to_others)
        if self._hold.whole:
            for other in self._context.pages:
                if other != page:
                    with contextlib.suppress(Disconnected):
                        await self.add(other)
        self._front = await self.add(page)
        self._theirs.update(() if self._own else self._tabs)
        if self._hold.mine:
            self._theirs.discard(self._front)
            self._made.append(self._front)
        if self._whole:
            self._context.on("page", self._on_page)
            self._context.on("download", self._on_download)  # also of windows that close at once

    async def add(self, page: Page, opener: Tab | None = None) -> Tab:
        """Take a page in as a tab, and give it the focus."""
        for tab in self._tabs:
            if tab.page is page or tab.page == page:
                return tab
        tab = await Tab.attach(page, opener)
        self._tabs.append(tab)
        self._inputs[tab] = Inputs(tab, self._pace)
        self._numbers[tab] = len(self._numbers) + 1
        if self._hold.keeps_all:
            await visit(tab)
        if not self._whole:
            page.on("popup", self._on_page)
            page.on("download", self._on_download)
        self._active = tab
        return tab

    def _on_page(self, page: Page) -> None:
        self._attaching.add(page)
        task = asyncio.ensure_future(self._follow(page, self._active))
        self._following.add(task)
        task.add_done_callback(self._following.discard)

    async def _follow(self, page: Page, opener: Tab | None) -> None:
        try:
            with anyio.move_on_after(OPEN_LIMIT_S):
                async with self._adding:
                    if any(tab.page == page for tab in self._tabs):
                        return
                    if opener is not None:
                        opener.popups_due = max(opener.popups_due - 1, 0)
                    if len(self.open) >= MAX_TABS:
                        self._news.append(f"a new tab was closed at once: {MAX_TABS} are open")
                        with contextlib.suppress(playwright_error()):
                            await page.close()
                        return
                    tab = await self.add(page, opener)
                with contextlib.suppress(playwright_error()):
                    await page.wait_for_load_state("domcontentloaded", timeout=OPEN_LIMIT_S * 1000)
                    tab.url = page.url
                self._news.append(f"a new tab opened and has the focus: {page.url}")
        except Disconnected:
            pass  # it closed at once
        finally:
            self._attaching.discard(page)
            self._arrived.set()
            self._arrived = asyncio.Event()

    async def arrive(self) -> None:
        """Wait until windows that pages opened are tabs, at most ``OPEN_LIMIT_S``."""
        deadline = time.monotonic() + OPEN_LIMIT_S
        while time.monotonic() < deadline:
            due = any(tab.popups_due > 0 for tab in self._tabs if not tab.closed)
            if not due and not self._attaching:
                return
            arrived = self._arrived
            with anyio.move_on_after(deadline - time.monotonic()):
                await arrived.wait()
        for tab in self._tabs:
            tab.popups_due = 0

    def _on_download(self, download: Download) -> None:
        tab = next((tab for tab in self._tabs if tab.page == download.page), self._active)
        if tab is not None:
            tab.hear_download()
        self.downloads.begin(download)

    def _on_gone(self, _context: Any) -> None:
        self._gone.set()

    def take_news(self) -> tuple[str, ...]:
        """Return what happened by itself in the tabs, and what opened and closed, since this was asked last."""
        heard = [note for tab in self._tabs for note in tab.take_news()]
        news, self._news = (*heard, *self._news, *self.downloads.take_news()), []
        return news

    @property
    def open(self) -> list[Tab]:
        """The tabs that are not closed, in the order in which they opened."""
        return [tab for tab in self._tabs if not tab.closed]

    @property
    def active(self) -> Tab:
        """The tab that has the focus; where it closed, its opener or the last one. Raises Disconnected without any."""
        if self._gone.is_set():
            raise Disconnected(GONE)
        tab = self._active
        if tab is None or tab.closed:
            tab = self._fall_back(tab)
        return tab

    async def front(self) -> Tab:
        """Return the active tab, brought to the front if it was not: behind another one a page draws no frames."""
        if not self.open:  # of a browser that goes, the tabs are heard of first
            with anyio.move_on_after(GOING_S):
                await self._gone.wait()
        tab = self.active
        if tab is not self._front:
            await self.show(tab)
        return tab

    def _fall_back(self, closed: Tab | None) -> Tab:
        opener = closed.opener if closed is not None else None
        while opener is not None and opener.closed:
            opener = opener.opener
        left = self.open
        if opener is None and not left:
            raise Disconnected("the browser's last tab is closed; nothing is left to act on")
        self._active = opener or left[-1]
        self._news.append(f"the tab was closed; back on: {self._active.page.url}")
        return self._active

    async def open_new(self, opener: Tab) -> Tab:
        """Open an empty tab and give it the focus."""
        async with self._adding:
            tab = await self.add(await self._context.new_page(), opener)
        self._made.append(tab)
        return tab

    async def replace(self, tab: Tab) -> Tab:
        """Open an empty tab in the place of one whose page cannot be used any more, and close that where it is ours."""
        fresh = await self.open_new(tab)
        fresh.opener = tab.opener
        if self._own or tab in self._made:
            self._tabs.remove(fresh)
            self._tabs.insert(self._tabs.index(tab), fresh)
            with anyio.move_on_after(CLOSE_LIMIT_S), contextlib.suppress(playwright_error()):
                await tab.page.close()
            tab.closed = True
        await self.show(fresh)
        return fresh

    def may_close(self, tab: Tab) -> bool:
        """Tell whether a tab may be closed: not the caller's own page, not the last one."""
        return len(self.open) > 1 and tab not in self._theirs

    def number(self, tab: Tab) -> int:
        """Return the number of a tab; those of closed ones are not used again."""
        return self._numbers[tab]

    def inputs(self, tab: Tab) -> Inputs:
        """Return the pointer and keyboard of a tab."""
        return self._inputs[tab]

    async def show(self, tab: Tab) -> None:
        """Give a tab the focus, so that it draws frames."""
        self._active = self._front = tab
        with anyio.move_on_after(SHOW_LIMIT_S), contextlib.suppress(playwright_error()):
            await tab.page.bring_to_front()

    async def release_all(self) -> None:
        """Let go of all that is pressed, in every tab (E5)."""
        for tab in self.open:
            await self._inputs[tab].release_all()

    async def leave(self) -> None:
        """Stop following; nothing is closed."""
        self._context.remove_listener("close", self._on_gone)
        if self._hold.keeps_all and self._tabs:
            self._context.remove_listener("dialog", leave_to_others)
        if self._whole and self._tabs:
            self._context.remove_listener("page", self._on_page)
            self._context.remove_listener("download", self._on_download)
        await self.downloads.leave()
        for task in list(self._following):
            task.cancel()
        with anyio.move_on_after(LEAVE_LIMIT_S):
            for tab in self._tabs:
                await self._leave(tab)

    async def _leave(self, tab: Tab) -> None:
        if not self._whole:
            tab.page.remove_listener("popup", self._on_page)
            tab.page.remove_listener("download", self._on_download)
        tab.detach()
        if tab in self._made and not (self._own or self._hold.keeps_all):
            with contextlib.suppress(playwright_error()):
                await tab.page.close()
        elif self._own:
            await dismiss(tab)
        else:
            await leave_page(tab)
