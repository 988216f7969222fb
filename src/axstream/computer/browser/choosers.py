"""File choosers that a page opens: heard, and kept until they are answered. None is answered or shown here.

Chromium is told not to open its own window for them; what it would have asked comes as an event with the file field.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import anyio
import msgspec

from axstream.computer.base import Offered
from axstream.computer.browser.launch import playwright_error

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

DESCRIBE_LIMIT_S = 1.0  # what is known of a field comes with one answer of the browser
#: `showOpenFilePicker` and its like: Chromium refuses them by itself where its window may not open.
REFUSED = "the page asked for a file in a way that can only be refused here, and heard that nobody chose one"


class OpenChooser(msgspec.Struct, kw_only=True):
    """A file chooser that waits for its answer. ``text`` is what is typed as its file name, ``marked`` what was clicked."""

    number: int
    field: int  # the backend id of the page's file field
    session: Any
    frame: str
    wants: Literal["file", "files", "folder"]
    accepts: str = ""
    offered: Offered | None = None
    text: str = ""
    marked: list[str] = []
    described: anyio.Event = msgspec.field(default_factory=anyio.Event)


class Choosers:
    """The file chooser of one tab. ``tell`` takes what happened, in a few words."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.open: OpenChooser | None = None
        self._tell = tell
        self._count = 0
        self._describing: set[asyncio.Task[None]] = set()

    async def watch(self, session: CDPSession) -> None:
        """Hear the choosers of the frames of a session from now on. It ends with the session."""
        session.on("Page.fileChooserOpened", lambda event: self._on_opened(session, event))
        session.on("Page.frameNavigated", lambda event: self._on_left(event["frame"]["id"]))
        session.on("Page.frameDetached", lambda event: self._on_left(event["frameId"]))
        await session.send("Page.setInterceptFileChooserDialog", {"enabled": True})

    def close(self) -> None:
        """Forget the chooser: it was answered."""
        self.open = None

    async def settled(self) -> OpenChooser | None:
        """Return the open chooser, once it is known what it wants; bounded."""
        chooser = self.open
        if chooser is not None:
            with anyio.move_on_after(DESCRIBE_LIMIT_S):
                await chooser.described.wait()
        return self.open

    def _on_opened(self, session: CDPSession, event: dict[str, Any]) -> None:
        if "backendNodeId" not in event:
            self._tell(REFUSED)
            return
        self._count += 1
        self.open = OpenChooser(
            number=self._count,
            field=event["backendNodeId"],
            session=session,
            frame=event["frameId"],
            wants="files" if event["mode"] == "selectMultiple" else "file",
        )
        self._tell("a file chooser opened")
        task = asyncio.ensure_future(self._describe(self.open))
        self._describing.add(task)
        task.add_done_callback(self._describing.discard)

    async def _describe(self, chooser: OpenChooser) -> None:
        with contextlib.suppress(playwright_error()):  # the field went away: it is answered without
            found = await chooser.session.send("DOM.describeNode", {"backendNodeId": chooser.field})
            pairs = found["node"].get("attributes", [])
            attributes = dict(zip(pairs[::2], pairs[1::2], strict=False))
            chooser.accepts = attributes.get("accept", "")
            if "webkitdirectory" in attributes:
                chooser.wants = "folder"
        chooser.described.set()

    def _on_left(self, frame: str) -> None:
        if self.open is not None and self.open.frame == frame:
            self.open = None
            self._tell("the page was left, and its file chooser closed")
