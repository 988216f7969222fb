"""One document tree of one process: our script in an isolated world of it, and calls to that script. No page is read here.

The page's own scripts neither see nor change an isolated world, and it reaches every frame of its process. A frame of
another process has a realm of its own. A world dies with its document; the next call makes a new one.
"""

from __future__ import annotations

import json
import secrets
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from axstream.ax.roles import CANONICAL_ROLES, INTERACTIVE_ROLES
from axstream.computer.browser.launch import first_line, playwright_error
from axstream.errors import ComputerError

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

WORLD = "axstream"
SCRIPTS = (
    "registry.js",
    "closed.js",
    "describe.js",
    "rest.js",
    "index.js",
    "mask.js",
    "walk.js",
    "act.js",
    "input.js",
    "set.js",
    "choose.js",
    "scroll.js",
    "heard.js",
    "drag.js",
    "guard.js",
)
#: The names of the events by which closed roots come from the page's own world; no page can guess them.
ASKS, HANDS = secrets.token_hex(16), secrets.token_hex(16)
#: The same for what a page asked a person for.
TAKES, TELLS = secrets.token_hex(16), secrets.token_hex(16)
LEAVES = secrets.token_hex(16)  # what stands in the page's own world goes
TRIES = 4  # a document that is left while it is asked is asked anew; a page that reloads for ever is not
#: What Chromium says of a document that was left while we asked it something.
_LEFT = (
    "Cannot find context",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Promise was collected",
    "Cannot find execution context",
    "uniqueContextId not found",
    "Frame with the given id was not found",
    "No frame for given id found",
    "No frame with given id found",
    "Frame was detached",
)
_GONE = (
    "Target closed",
    "Target page, context or browser has been closed",
    "Session closed",
    "session has been closed",
    "Target crashed",
    "has been detached",
)


class DocumentLeft(Exception):
    """The document was left while it was asked; its handles are dead. Never leaves the backend."""


class RealmGone(Exception):
    """The page, frame or browser is closed. Never leaves the backend."""


@cache
def script() -> str:
    """Return the whole script that a world gets: the names library, then ours, each part in one scope."""
    folder = files("axstream.computer.browser") / "js"
    names = (folder / "names.bundle.js").read_text("utf-8")
    ours = "\n".join((folder / name).read_text("utf-8") for name in SCRIPTS)
    config = json.dumps(
        {
            "roles": sorted(CANONICAL_ROLES),
            "interactive": sorted(INTERACTIVE_ROLES),
            "asks": ASKS,
            "hands": HANDS,
            "takes": TAKES,
            "tells": TELLS,
            "leaves": LEAVES,
        }
    )
    return (
        "(() => { if (globalThis.axs) return;"
        f"{names}\n"
        f"const axs = {{}}; const config = {config};\n{ours}\n"
        "axs.watch(document); globalThis.axs = axs; return axs.tryNames(); })()"
    )


class Realm:
    """The local root of one process, on its CDP session. ``frame_id`` is that of its top document."""

    def __init__(self, session: CDPSession, frame_id: str = "") -> None:
        self.session = session
        self.frame_id = frame_id
        self._context: int | None = None

    async def enter(self) -> int:
        """Return the id of the world's execution context, made where the document has none yet."""
        if self._context is None:
            if not self.frame_id:
                tree = await self.session.send("Page.getFrameTree")
                self.frame_id = tree["frameTree"]["frame"]["id"]
            made = await self.session.send(
                "Page.createIsolatedWorld",
                {"frameId": self.frame_id, "worldName": WORLD, "grantUniveralAccess": True},
            )
            context: int = made["executionContextId"]
            if await self._say(context, script()) == "slow":
                # The browser keeps no accessibility tree; have one kept for this document, or do without it.
                await self.session.send("Accessibility.enable")
                await self.session.send("Accessibility.getRootAXNode")
                await self._say(context, "axs.decideNames()")
            self._context = context
        return self._context

    async def _say(self, context: int, expression: str) -> Any:
        said = await self.session.send("Runtime.evaluate", {"contextId": context, "expression": expression})
        if "exceptionDetails" in said:
            raise ComputerError(
                f"the page could not be read: {said['exceptionDetails'].get('text', 'no reason given')}"
            )
        return said["result"].get("value")

    async def evaluate(self, expression: str, *, by_value: bool = True) -> dict[str, Any]:
        """Evaluate in the world and return CDP's remote object. Raises DocumentLeft or RealmGone."""
        error_class = playwright_error()
        try:
            context = await self.enter()
            answer = await self.session.send(
                "Runtime.evaluate",
                {"contextId": context, "expression": expression, "returnByValue": by_value, "awaitPromise": True},
            )
        except error_class as error:
            text = str(error)
            if any(words in text for words in _GONE):
                raise RealmGone(first_line(error)) from error
            if any(words in text for words in _LEFT):
                self._context = None
                raise DocumentLeft(first_line(error)) from error
            raise ComputerError(f"the browser refused a question: {first_line(error)}") from error
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text", "")
            raise ComputerError(f"the page could not be read: {said.splitlines()[0] if said else 'no reason given'}")
        result: dict[str, Any] = answer["result"]
        return result

    async def call(self, function: str, *args: Any) -> Any:
        """Call ``axs.FUNCTION`` and return its JSON value; where the document was left, that of the next one."""
        expression = f"axs.{function}({','.join(json.dumps(argument) for argument in args)})"
        for _ in range(TRIES - 1):
            try:
                return (await self.evaluate(expression)).get("value")
            except DocumentLeft:
                self.frame_id = ""
        return (await self.evaluate(expression)).get("value")

    async def call_once(self, function: str, *args: Any) -> Any:
        """Call ``axs.FUNCTION`` in the document that is there; raises DocumentLeft where it was left meanwhile."""
        expression = f"axs.{function}({','.join(json.dumps(argument) for argument in args)})"
        return (await self.evaluate(expression)).get("value")
