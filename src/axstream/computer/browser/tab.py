"""One tab: its realms, its script dialog, what it is loading. It asks the page and hears its events; it acts on nothing.

An open script dialog stops the page's thread: whatever was asked stays unanswered until the dialog is. So every
question races with a dialog opening, and is bounded in time.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import msgspec

from axstream.computer.browser.asks import TAKE_LIMIT_S, Asks, watch_asks
from axstream.computer.browser.choosers import Choosers
from axstream.computer.browser.closed import watch_roots
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.realm import DocumentLeft, Realm, RealmGone
from axstream.computer.browser.refusals import Refusals
from axstream.errors import ActionError, ComputerError, ComputerTimeout, Disconnected

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Dialog, Frame, Page, Request

T = TypeVar("T")

ANSWER_LIMIT_S = 8.0  # a page that does not answer within this runs a script that does not end
HUNG_LIMIT_S = 1.0  # once it did not answer it is asked for this long, until it does: its script may have ended
CRASHED = "the page crashed; show it again with key cmd+r, or another one with `open`"
NOWHERE_S = 0.15  # for what a navigation without a document became: a download is announced 10 ms later
COMMIT_LIMIT_S = 1.0  # Z4: for a navigation that an act began
#: Requests that say nothing about whether a page is ready: they stay open, or change nothing that is seen.
_ENDLESS = frozenset({"websocket", "eventsource", "media", "ping", "manifest", "texttrack"})
_SESSION_LIMIT_S = 10.0


class DialogOpen(Exception):
    """A script dialog is open, so the page cannot answer. Never leaves the backend."""


class PageFailed(ActionError):
    """The page crashed, or does not answer. What is left is to show it again, or another one."""


class OpenDialog(msgspec.Struct, kw_only=True):
    """A script dialog that waits for its answer. ``text`` is what stands in a prompt's field."""

    number: int
    kind: str  # alert, confirm, prompt or beforeunload
    message: str
    text: str
    dialog: Any
    heard: float = 0.0


class RemoteFrame(msgspec.Struct, kw_only=True, frozen=True):
    """Where a frame of another process lies: the point of the parent's realm that its origin is at, and its scale."""

    realm: Any
    parent: Any
    owner: str  # the handle of its element in the parent's realm


def _swallow(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()


class Tab:
    """A page and what was heard of it. Made by ``Tab.attach``."""

    def __init__(self, page: Page, session: CDPSession, opener: Tab | None) -> None:
        self.page = page
        self.session = session
        self.opener = opener
        self.main = Realm(session)
        self.dialog: OpenDialog | None = None
        self.dialogs = 0
        self.news: list[str] = []  # what happened by itself: said in the next effect
        self.choosers = Choosers(self._tell)
        self.refusals = Refusals(page)
        self.asks = Asks(self._tell)
        self.arrivals = 0  # documents that came, in any frame
        self.ready_at = 0  # how many had come when an element was made ready for an act
        self._asks_told = False  # since the main process of the page was asked behind an act
        self.closed = False
        self.crashed = False
        self.hung = False  # it did not answer when it was asked last
        self.downloads = 0
        self.popups_due = 0  # windows that the page opened and that are not tabs yet
        self.pointer: tuple[float, float] | None = None
        self.title = ""
        self.url = ""
        self.size = (0.0, 0.0)
        self.document = ""  # the handle of the document that was walked last
        self.blocked: set[asyncio.Future[Any]] = set()  # input that waits for a dialog's answer
        self.acted_at = 0.0
        self.frames_due = False
        self.expects_s = 0.0  # for how long after the last act an effect may still show
        self._navigating: dict[str, float] = {}
        self._nowhere_at = 0.0  # when a navigation ended without a document
        self._requests: dict[Any, float] = {}
        self._changed = asyncio.Event()
        self._remote: dict[Any, Realm | None] = {}  # by Playwright frame
        self._frame_ids: dict[str, str] = {}  # of frame elements, by their handle; an element keeps its frame
        self.choices: set[str] = set()  # handles of options that are chosen and not clicked
        self.worlds: dict[str, RemoteFrame] = {}  # realms of other processes by the world id in their handles

    @classmethod
    async def attach(cls, page: Page, opener: Tab | None = None) -> Tab:
        """Begin to listen to a page. Raises Disconnected where it is closed already."""
        error_class = playwright_error()
        try:
            session = await page.context.new_cdp_session(page)
            tab = cls(page, session, opener)
            tab._listen()
            await tab._watch(session)
        except error_class as error:
            raise Disconnected("the tab was closed while it opened") from error
        return tab

    # -- what is heard -------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        page, session = self.page, self.session
        self.refusals.listen()
        page.on("dialog", self._on_dialog)
        page.on("close", self._on_close)
        page.on("crash", self._on_crash)
        page.on("framenavigated", self._on_arrival)
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_request_end)
        page.on("requestfailed", self._on_request_end)
        session.on("Page.javascriptDialogClosed", self._on_dialog_closed)
        session.on("Page.frameRequestedNavigation", self._on_navigation_requested)
        session.on("Page.frameStartedNavigating", self._on_navigation_started)
        for event in (
            "Page.frameNavigated",
            "Page.navigatedWithinDocument",
            "Page.frameDetached",
        ):
            session.on(event, self._on_navigation_end)
        session.on("Page.frameStoppedLoading", self._on_loading_stopped)
        session.on("Page.windowOpen", self._on_window_open)

    def detach(self) -> None:
        """Stop listening; the caller's page goes on as it was."""
        self.refusals.ignore()
        for event, handler in (
            ("dialog", self._on_dialog),
            ("close", self._on_close),
            ("crash", self._on_crash),
            ("request", self._on_request),
            ("requestfinished", self._on_request_end),
            ("requestfailed", self._on_request_end),
        ):
            self.page.remove_listener(event, handler)

    async def _watch(self, session: CDPSession) -> None:
        """Have what cannot be heard of otherwise told by the documents of a session, from now on."""
        await watch_roots(session)
        await self.choosers.watch(session)
        await watch_asks(session)

    def _tell(self, news: str) -> None:
        self.news.append(news)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _on_dialog(self, dialog: Dialog) -> None:
        self.dialogs += 1
        self.dialog = OpenDialog(
            number=self.dialogs,
            kind=dialog.type,
            message=dialog.message,
            text=dialog.default_value,
            dialog=dialog,
            heard=time.monotonic(),
        )
        self.news.append(f"a {dialog.type} dialog opened" if dialog.type != "alert" else "an alert opened")
        self._wake()

    def _on_dialog_closed(self, _event: Any) -> None:
        # Chromium says so also for dialogs answered by others (the caller's own handler).
        self.dialog = None
        self._wake()

    def _on_close(self, _page: Any) -> None:
        self.closed = True
        self.dialog = None
        self._wake()

    def _on_crash(self, _page: Any) -> None:
        self.crashed = True
        self._wake()

    def _on_request(self, request: Request) -> None:
        if request.resource_type not in _ENDLESS:
            self._requests[request] = time.monotonic()

    def _on_request_end(self, request: Request) -> None:
        self._requests.pop(request, None)

    def hear_download(self) -> None:
        """A download began in the place of a navigation."""
        self.downloads += 1
        self._navigating.clear()
        self._nowhere_at = 0.0
        self._wake()

    def _on_navigation_requested(self, event: dict[str, Any]) -> None:
        if event.get("disposition", "currentTab") == "currentTab":
            self._navigating[event["frameId"]] = time.monotonic()

    def _on_navigation_started(self, event: dict[str, Any]) -> None:
        if event.get("navigationType") not in ("sameDocument", "historySameDocument"):
            self._navigating[event["frameId"]] = time.monotonic()

    def _on_navigation_end(self, event: dict[str, Any]) -> None:
        frame = event.get("frame", {}).get("id") or event.get("frameId", "")
        if self._navigating.pop(frame, None) is not None:
            self._wake()

    def _on_loading_stopped(self, event: dict[str, Any]) -> None:
        if event["frameId"] in self._navigating:  # it came to nothing, or became a download
            self._nowhere_at = time.monotonic()
            self._on_navigation_end(event)

    def _on_arrival(self, _frame: Any) -> None:
        self.arrivals += 1

    def _on_window_open(self, _event: Any) -> None:
        self.popups_due += 1

    # -- asking ----------------------------------------------------------------------------------------------------

    @property
    def failing(self) -> bool:
        """Whether the page crashed, or did not answer when it was asked last."""
        return self.crashed or self.hung

    async def race(self, question: Awaitable[T], limit: float = ANSWER_LIMIT_S, *, what: str = "") -> T:
        """Await a question to the page. Raises DialogOpen, PageFailed, Disconnected instead of hanging.

        ``what`` is asked instead of the page, where it is not the page: then ComputerTimeout names it. Where the caller
        is cancelled the question goes on unheard.
        """
        task = asyncio.ensure_future(question)
        limit = min(limit, HUNG_LIMIT_S) if self.hung and not what else limit
        deadline = time.monotonic() + limit
        try:
            while True:
                if task.done():
                    self.hung = self.hung and bool(what)
                    return task.result()
                if self.dialog is not None:
                    raise DialogOpen
                if self.closed:
                    raise Disconnected("the tab was closed")
                if self.crashed:
                    raise PageFailed(CRASHED)
                waiter = asyncio.ensure_future(self._changed.wait())
                try:
                    await asyncio.wait(
                        {task, waiter}, timeout=deadline - time.monotonic(), return_when=asyncio.FIRST_COMPLETED
                    )
                finally:
                    waiter.cancel()
                if not task.done() and time.monotonic() >= deadline:
                    if what:
                        raise ComputerTimeout(f"{what} did not answer within {limit:g} s")
                    self.hung = True
                    raise PageFailed(
                        f"the page did not answer within {limit:g} s: a script in it may not end; stop it and show the "
                        "page again with key cmd+r, or another one with `open`"
                    )
        except RealmGone as error:
            raise Disconnected("the tab was closed") from error
        finally:
            if not task.done():
                task.add_done_callback(_swallow)

    def hold_up(self, task: asyncio.Future[Any]) -> None:
        """Keep what a dialog stopped in the middle; it ends when the dialog is answered."""
        self.blocked.add(task)
        task.add_done_callback(self.blocked.discard)
        task.add_done_callback(_swallow)

    async def ask(self, function: str, *args: Any, limit: float = ANSWER_LIMIT_S) -> Any:
        """Call our script in the main document, raced and bounded."""
        return await self.race(self.main.call(function, *args), limit)

    def tell_asks(self, asks: list[str]) -> None:
        """Take in what the main process of the page said behind an act that was asked of it."""
        self._asks_told = True
        self.asks.tell(asks, self.page.url)

    async def hear_asks(self) -> None:
        """Take in what the page asked a person for; where it cannot be asked now, the next time."""
        if self.failing or self.dialog is not None or self.closed:
            return
        told, self._asks_told = self._asks_told, False
        main = () if told else (self.main,)
        realms = {id(realm): realm for realm in (*main, *(frame.realm for frame in self.worlds.values()))}
        with anyio.move_on_after(TAKE_LIMIT_S):
            for realm in realms.values():
                with contextlib.suppress(DialogOpen, DocumentLeft, RealmGone, Disconnected, ComputerError, PageFailed):
                    await self.race(self.asks.take(realm, self.page.url), ANSWER_LIMIT_S)

    @property
    def realms(self) -> list[Realm]:
        """The realm of each process that is listened to, the main one first."""
        return [self.main, *(realm for realm in self._remote.values() if realm is not None)]

    # -- frames of other processes ---------------------------------------------------------------------------------

    async def remote_realm(self, parent: Realm, owner: str) -> RemoteFrame | None:
        """Return the realm of the frame whose element is ``owner`` in ``parent``, None where it cannot be reached."""
        if owner not in self._frame_ids:
            frame_id = await self._frame_id(parent, owner)
            if frame_id is None:
                return None
            self._frame_ids[owner] = frame_id
        for again in (False, True):
            if again:
                self._forget_frames()
            for frame in self.page.frames:
                realm = await self._realm_of(frame)
                if realm is not None and realm.frame_id == self._frame_ids[owner]:
                    return RemoteFrame(realm=realm, parent=parent, owner=owner)
        return None

    async def _frame_id(self, parent: Realm, owner: str) -> str | None:
        try:
            element = await parent.evaluate(f"axs.nodeOf({owner!r})", by_value=False)
            if "objectId" not in element:
                return None
            described = await parent.session.send("DOM.describeNode", {"objectId": element["objectId"]})
        except (playwright_error(), DocumentLeft):
            return None
        frame_id: str | None = described["node"].get("frameId")
        return frame_id

    async def _realm_of(self, frame: Frame) -> Realm | None:
        if frame == self.page.main_frame:
            return None
        if frame not in self._remote or frame.is_detached():
            self._remote[frame] = None
            error_class = playwright_error()
            try:
                session = await self.page.context.new_cdp_session(frame)
                await self._watch(session)
                tree = await session.send("Page.getFrameTree")
            except error_class:
                return None  # it belongs to its parent's process, or went away
            self._remote[frame] = Realm(session, tree["frameTree"]["frame"]["id"])
            session.on("close", lambda _: self._remote.pop(frame, None))
        return self._remote[frame]

    def _forget_frames(self) -> None:
        """Look anew at frames that had no process of their own: they may have got one."""
        for frame, realm in list(self._remote.items()):
            if realm is None or frame.is_detached():
                del self._remote[frame]

    # -- waiting ---------------------------------------------------------------------------------------------------

    def mark_act(self) -> None:
        """An act begins: what it asks for is loading from now on."""
        self.acted_at = time.monotonic()
        self._navigating.clear()

    @property
    def navigating(self) -> bool:
        """Whether a navigation that was asked for is not there yet."""
        return bool(self._navigating)

    async def commit(self, limit: float = COMMIT_LIMIT_S) -> None:
        """Wait until no navigation is pending, at most ``limit`` seconds (Z4), and what one without a document became."""
        deadline = time.monotonic() + limit
        while self.navigating and not (self.closed or self.crashed or self.dialog is not None):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            await self.wait_changed(left)
        while (left := self._nowhere_at + NOWHERE_S - time.monotonic()) > 0 and not (self.closed or self.crashed):
            await self.wait_changed(left)

    def loading(self) -> int:
        """Count the requests that were begun after the last act and are not answered."""
        return sum(1 for begun in self._requests.values() if begun >= self.acted_at)

    async def wait_changed(self, limit: float) -> None:
        """Wait for any news of this tab, at most ``limit`` seconds."""
        changed = self._changed
        with anyio.move_on_after(limit):
            await changed.wait()

    def take_news(self) -> tuple[str, ...]:
        """Return what happened by itself since this was asked last."""
        news, self.news = (*self.news, *self.refusals.take()), []
        return news
