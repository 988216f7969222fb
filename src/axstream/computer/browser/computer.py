"""``BrowserComputer``: the ``Computer`` protocol on Chromium. What each part does is in the modules that it calls."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import anyio
import msgspec

from axstream.ax.node import Node, Tree
from axstream.computer.base import Command, Effect, Focus, GivenFiles, Purpose
from axstream.computer.browser.address import as_address
from axstream.computer.browser.addressbar import AddressBar
from axstream.computer.browser.asks import deny_by_default
from axstream.computer.browser.dialogs import node_at
from axstream.computer.browser.downloads import Downloads
from axstream.computer.browser.going import LOAD_LIMIT_S, why_refused
from axstream.computer.browser.inputs import Pace
from axstream.computer.browser.launch import STOP_LIMIT_S, first_line, playwright_error
from axstream.computer.browser.opening import Home, Named, Source, open_home
from axstream.computer.browser.options import Spell, as_keyword
from axstream.computer.browser.overlays import is_part, overlay
from axstream.computer.browser.performing import Acting
from axstream.computer.browser.reach import reach
from axstream.computer.browser.reviving import failed_tree
from axstream.computer.browser.settle import (
    SETTLE_CAP_S,
    UNSETTLED,
    before_observation,
    before_question,
    walked_at_rest,
)
from axstream.computer.browser.storage import check_place, keep_state, state_of
from axstream.computer.browser.tab import DialogOpen, PageFailed, Tab
from axstream.computer.browser.tablist import is_tab, tab_of, with_tabs
from axstream.computer.browser.tabs import Tabs
from axstream.computer.browser.typist import focus_of, page_takes_keys
from axstream.computer.browser.walking import SCREEN, Origin, looking_for, place_of, shifted, walk_tab
from axstream.errors import ComputerError, Disconnected, TargetNotActionable, TargetNotFound, Unsupported, UsageError
from axstream.spec.targets import Ax

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page

SCREENSHOT_LIMIT_S = 8.0  # like any answer of the page: a large one takes half a second


class BrowserComputer:
    """A Chromium as a ``Computer``: one of its own, one that runs, or the caller's own page or context.

    ``url`` is shown on entering. Where it acts is one of: nothing named (a browser is started, with a context of its own,
    or with ``profile``, a folder that keeps cookies and storage); ``page``, the caller's own Playwright page, with the
    tabs that it opens; ``context``, the caller's own with all its tabs; ``browser``, a Playwright browser of the
    caller's, in which a context of its own is made; ``cdp``, the debugging address of a browser that runs, in which the
    tab in front is taken, or with ``url`` a new one. What was there before is never closed.

    A context that is made takes ``viewport`` (CSS pixels), ``device_scale_factor``, ``locale``, ``timezone``,
    ``user_agent``, ``color_scheme``, ``proxy`` (its ``user:password`` in it or in ``AXSTREAM_PROXY_AUTH``),
    ``extra_http_headers`` (sent to every site), ``http_credentials`` (given to the origin of ``url`` alone, or to the
    one named third), ``ignore_https_errors``, ``permissions`` (all else is denied) and ``storage_state``; whatever the
    context, ``save_storage`` is a file that gets it on leaving. ``pace`` slows input down. ``downloads`` is the folder
    for what pages download; None makes one in the system's temporary folder with the first download, which is kept, and
    named in the notes. Raises UsageError, one line, for what makes no sense, or not together.
    """

    kind = "browser"
    has_applications = False
    opens_urls = True

    def __init__(
        self,
        *,
        url: str | None = None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        spell: Spell = as_keyword,
        **named: Unpack[Named],
    ) -> None:
        self._url = url
        self._source = Source(spell=spell, **named)
        self._source.check(self._first)
        self._pace = pace
        self._home: Home | None = None
        self._tabs: Tabs | None = None
        self._denying: CDPSession | None = None
        self._bar = AddressBar()
        self._files: GivenFiles | None = None

    @property
    def page(self) -> Page:
        """Playwright's page of the tab that is in front, for what only Playwright can do (cookies, files, a look)."""
        return self.active_tab.page

    @property
    def browser(self) -> Browser:
        """Playwright's browser: ``browser=`` of other computers, each with a context of its own. It ends with this one.

        Raises Disconnected where it is not open, Unsupported for a kept profile, which is one context.
        """
        if self._home is None:
            raise Disconnected("the browser is not open; use `async with`")
        running: Browser | None = self._home.context.browser
        if running is None or self._source.profile is not None:
            raise Unsupported(
                "a kept profile is one context, and no other can be made beside it; start a second browser"
            )
        return running

    # -- life ------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> BrowserComputer:
        """Start or attach, and show the URL that was given.

        Raises UsageError or ComputerError, one line, with the fix; then nothing is left running.
        """
        if self._tabs is not None:
            return self
        try:
            await self._start()
            if self._url is not None:
                await self._show_first(self._url)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._stop(save=False)  # nothing was done that were worth an older file
            raise
        return self

    @property
    def _first(self) -> str | None:
        """The address that is shown first, as far as it is one."""
        return as_address(self._url) if self._url is not None else None

    async def _start(self) -> None:
        downloads = Downloads(self._source.downloads)
        downloads.prepare()
        self._home = await open_home(self._source, self._first)
        self._tabs = Tabs(self._home.context, downloads, hold=self._home.hold, pace=self._pace)
        await self._tabs.begin(self._home.page)
        if self._home.denies:
            granted = tuple(self._source.permissions or ())
            self._denying = await deny_by_default(self._tabs.active.session, self._home.context, granted)

    async def _show_first(self, text: str) -> None:
        url = as_address(text) or (text if text.startswith(("data:", "file:", "about:")) else None)
        if url is None:
            raise UsageError(
                f'browser: "{text}" is no address; write it like browser:https://example.com or browser:localhost:3000'
            )
        tab = self.active_tab
        tab.mark_act()
        try:
            await tab.race(
                tab.page.goto(url, wait_until="domcontentloaded", timeout=LOAD_LIMIT_S * 1000),
                LOAD_LIMIT_S + 1,
                what=url,
            )
        except DialogOpen:
            return
        except playwright_error() as error:
            raise ComputerError(why_refused(tab, url, error)) from error
        tab.url = url

    async def __aexit__(self, *exc: object) -> None:
        """Release all input; save the storage where that was asked for; close what this object opened, nothing else.

        Raises ComputerError where the storage cannot be saved, unless something else is on its way out.
        """
        failed: ComputerError | None = None
        with anyio.CancelScope(shield=True):
            failed = await self._stop(save=self._source.save_storage is not None)
        if failed is not None and not any(exc):
            raise failed

    async def _stop(self, *, save: bool) -> ComputerError | None:
        tabs, self._tabs = self._tabs, None
        home, self._home = self._home, None
        denying, self._denying = self._denying, None
        failed = None
        if tabs is not None:
            await tabs.release_all()
            await tabs.leave()
        if home is not None:
            if save:
                try:
                    await keep_state(home.context, self._source.save_storage)
                except ComputerError as error:
                    failed = error
            await home.close()
        if denying is not None and (home is None or home.chromium is None):
            with anyio.move_on_after(STOP_LIMIT_S), contextlib.suppress(playwright_error()):
                await denying.detach()
        return failed

    async def storage_state(self, path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """Return the cookies and local storage of all sites (secrets), in the form that ``storage_state=`` takes.

        With ``path`` they are written there too: whole or not at all, readable by the owner only. Raises ComputerError
        where they cannot be read or written.
        """
        if self._home is None:
            raise Disconnected("the browser is not open; use `async with`")
        if path is None:
            return await state_of(self._home.context)
        check_place(path, "storage_state")
        return await keep_state(self._home.context, path)

    @property
    def active_tab(self) -> Tab:
        """The tab that has the focus. Raises Disconnected where none is open."""
        if self._tabs is None:
            raise Disconnected("the browser is not open; use `async with`")
        return self._tabs.active

    # -- looking -----------------------------------------------------------------------------------------------------

    async def observe(self) -> Tree:
        """Return the active tab once it has settled (O7); bounded."""
        if self._tabs is not None:
            await self._tabs.arrive()
        try:
            tree = await self._look(self._settled)
            await self.active_tab.hear_asks()
        except PageFailed as error:
            tree = await self._framed(self.active_tab, failed_tree(self.active_tab, str(error)))
        news = self._tabs.take_news() if self._tabs is not None else ()
        return msgspec.structs.replace(tree, notes=(*tree.notes, *news)) if news else tree

    async def candidates(self, ax: Ax, *, whole: bool = False, known: Sequence[str] = ()) -> Tree:
        """Return what may be meant on the active tab as it is now; the whole of it where words cannot narrow it."""
        look = looking_for(ax, known, whole=whole)

        async def read(tab: Tab) -> Tree:
            return await self._framed(tab, await walked_at_rest(tab, look))

        return await self._look(read)

    async def _settled(self, tab: Tab) -> Tree:
        waited_s = await before_observation(tab)
        tree = await self._framed(tab, await walk_tab(tab, SCREEN))
        if waited_s < SETTLE_CAP_S or not tab.loading():  # a page that only changes for ever is as it is
            return tree
        return msgspec.structs.replace(tree, notes=(*tree.notes, UNSETTLED))

    async def _look(self, read: Callable[[Tab], Awaitable[Tree]]) -> Tree:
        """Read the active tab; what stands over it where something does, the tab behind it where it closes meanwhile."""
        while True:
            tab = await self._front()
            await tab.choosers.settled()
            over = overlay(tab, self._files)
            if over is not None:
                return over
            try:
                return await read(tab)
            except DialogOpen:
                if tab.dialog is not None:
                    return self._over(tab)
            except Disconnected:
                if not tab.closed:
                    raise

    async def _front(self) -> Tab:
        if self._tabs is None:
            raise Disconnected("the browser is not open; use `async with`")
        return await self._tabs.front()

    async def _framed(self, tab: Tab, tree: Tree) -> Tree:
        """Return a page's tree with what Chromium's window has around it: the address bar in use, several tabs."""
        if self._bar.focused:
            nodes = tuple(msgspec.structs.replace(node, focused=False) if node.focused else node for node in tree.nodes)
            tree = msgspec.structs.replace(tree, nodes=(*nodes, self._bar.node()))
        return await with_tabs(tree, self._tabs, tab) if self._tabs is not None else tree

    def _over(self, tab: Tab) -> Tree:
        """Return what stands over a page, where a moment ago something did."""
        over = overlay(tab, self._files)
        if over is None:
            raise ComputerError("a script dialog was answered by something else meanwhile; observe again")
        return over

    async def focus(self) -> Focus:
        """Say what has the keyboard focus: the dialog's default, the address bar, or an element of the page."""
        tab = self.active_tab
        if self._bar.focused:
            return Focus(node=self._bar.node(), takes_text=True)
        if overlay(tab, self._files) is not None:
            return self._focus_over(tab)
        try:
            await before_question(tab)
            found, realm = await focus_of(tab)
            node = msgspec.convert(found["node"], Node) if found["node"] is not None else None
            handles_keys = not found["takes"] and await page_takes_keys(tab, found, realm)
            if node is not None and realm is not tab.main:
                node = await self._placed(tab, node, realm)
            return Focus(node=node, takes_text=found["takes"], handles_keys=handles_keys)
        except DialogOpen:
            return self._focus_over(tab)
        except PageFailed:  # keys of the browser's own still work; others fail when they are pressed, and say why
            return Focus(node=None, takes_text=None)

    def _focus_over(self, tab: Tab) -> Focus:
        focused = next(node for node in self._over(tab).nodes if node.focused)
        return Focus(node=focused, takes_text=focused.editable)

    async def _placed(self, tab: Tab, node: Node, realm: object) -> Node:
        frame = next((frame for frame in tab.worlds.values() if frame.realm is realm), None)
        origin = await place_of(tab, frame) if frame is not None else None
        return shifted(node, origin) if origin is not None else node

    async def at(self, x: float, y: float) -> Node | None:
        """Return what a click at a point would reach (Z22), None for bare background."""
        tab = self.active_tab
        over = overlay(tab, self._files)
        if over is not None:
            return node_at(over, x, y)
        try:
            await before_question(tab)
            return await self._at(tab, x, y)
        except DialogOpen:
            return node_at(self._over(tab), x, y)

    async def _at(self, tab: Tab, x: float, y: float) -> Node | None:
        realm, origin = tab.main, Origin(0.0, 0.0, 1.0, (0.0, 0.0, *tab.size))
        while True:
            found = await tab.race(realm.call("at", (x - origin.x) / origin.s, (y - origin.y) / origin.s))
            if found is None or "node" in found:
                return shifted(msgspec.convert(found["node"], Node), origin) if found else None
            frame = await tab.race(tab.remote_realm(realm, found["remote"]))
            place = await place_of(tab, frame) if frame is not None else None
            if frame is None or place is None:
                return None
            realm, origin = frame.realm, place

    async def surface(self) -> tuple[float, float]:
        """Return the viewport's size in CSS pixels."""
        tab = self.active_tab
        try:
            width, height = await tab.ask("size")
        except DialogOpen:
            return tab.size
        tab.size = (width, height)
        return tab.size

    async def screenshot(self) -> bytes:
        """Return the viewport as PNG, one pixel a CSS pixel whatever the device's ratio; the page is not touched.

        Raises Unsupported while a script dialog blocks the page, or a file chooser stands over it.
        """
        tab = await self._front()
        limit = SCREENSHOT_LIMIT_S
        if tab.choosers.open is not None:
            raise Unsupported("a file chooser stands over the page, and no picture shows it; answer it first")
        try:
            # Playwright would hide the caret by a style of its own in the page.
            picture: bytes = await tab.race(
                tab.page.screenshot(type="png", scale="css", caret="initial", timeout=limit * 1000), limit + 1
            )
        except DialogOpen:
            raise Unsupported(
                f"a script dialog ({tab.dialog.kind if tab.dialog is not None else 'closed meanwhile'}) blocks the page, so that no picture of it can be taken; "
                "answer it first"
            ) from None
        except playwright_error() as error:
            raise ComputerError(f"no picture of the page could be taken: {first_line(error)}") from error
        return picture

    def allow_uploads(self, files: GivenFiles) -> None:
        """Take the files that may be given to pages from now on; until then none may."""
        self._files = files
        for tab in self._tabs or ():
            if tab.choosers.open is not None:
                tab.choosers.open.offered = None

    # -- acting ------------------------------------------------------------------------------------------------------

    async def prepare(self, handle: str, purpose: Purpose, timeout: float) -> tuple[float, float]:
        """Return the point at which an element can be acted on, once it can be (T7, Z17)."""
        tab = self.active_tab
        if is_part(handle) or overlay(tab, self._files) is not None:
            return self._in_overlay(tab, handle)
        if handle == self._bar.node().handle:
            return (0.0, 0.0)
        if is_tab(handle):
            return self._on_tab(handle, purpose)
        try:
            await before_question(tab)
            tab.ready_at = tab.arrivals
            reached = await reach(tab, handle, purpose, timeout)
            if reached.kind == "option":
                tab.choices.add(handle)
        except DialogOpen:
            return self._in_overlay(tab, handle)
        return (reached.x, reached.y)

    def _on_tab(self, handle: str, purpose: Purpose) -> tuple[float, float]:
        if self._tabs is None or tab_of(self._tabs, handle) is None:
            raise TargetNotFound("the tab is closed")
        if purpose != "click":
            raise TargetNotActionable(f"a tab of the browser takes no {purpose}; click it to switch to it")
        return (0.0, 0.0)

    def _in_overlay(self, tab: Tab, handle: str) -> tuple[float, float]:
        over = overlay(tab, self._files)
        if over is None or not is_part(handle) or handle not in over.by_handle:
            what = "a script dialog" if tab.dialog is not None else "a file chooser"
            raise TargetNotFound("it is not open any more" if is_part(handle) else f"{what} opened over it")
        box = over.nodes[over.by_handle[handle]].box
        return box.centre if box is not None else (0.0, 0.0)

    async def applications(self) -> tuple[str, ...]:
        """Return none: a browser opens addresses only."""
        return ()

    async def perform(self, command: Command) -> Effect:
        """Deliver the input; what it opened, closed or began is named in the effect's notes."""
        if self._tabs is None:
            raise Disconnected("the browser is not open; use `async with`")
        return await Acting(self._tabs, self._bar, self._files).perform(command)

    async def release_all(self) -> None:
        """Let go of every key and button that is down (E5)."""
        if self._tabs is not None:
            await self._tabs.release_all()
