"""Runs the stream in one application after the other and asks the page itself what came of each part."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

import axstream
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.launch import Chromium
from axstream.errors import AxstreamError
from axstream.runtime.executor import Executor
from axstream.testing.serving import served
from axstream.trace.events import Executed, Failed, Rejected, RunEvent

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Route

STREAM = Path(__file__).with_name("stream.jsonl")
SHOWN_S = 6.0  # until an application shows its field; the heavy ones build themselves for seconds
HOLDS_S = 2.0  # until what a part should have done is there
APP_LIMIT_S = 90.0
#: What the list shows, asked of the page: text and whether it is ticked, of each item that can be seen.
ITEMS = """() => {
  const list = document.querySelector("#todo-list, .todo-list, [id$=todo-list]");
  if (!list) return null;
  const items = [...list.querySelectorAll("li")].filter((li) => li.getClientRects().length);
  return items.map((li) => {
    const edit = [...li.querySelectorAll("input:not([type=checkbox])")].find((field) => field.getClientRects().length);
    const box = li.querySelector("input[type=checkbox]");
    return [(edit ? "editing " + edit.value : (li.querySelector("label") ?? li).innerText).trim(), box ? box.checked : li.classList.contains("completed")];
  });
}"""
FIELD = "input#new-todo, input.new-todo, #todoapp input[placeholder], .todoapp input[placeholder], input[placeholder^='What']"

Items = list[tuple[str, bool]]


def _names(items: Items) -> list[str]:
    return sorted(name for name, _ in items)


#: By part of the stream: whether the list is as it should be behind each of its lines (only the last, but for filters).
CHECKS: dict[str, list[Callable[[Items], bool] | None]] = {
    "add": [None, None, lambda items: _names(items) == ["Buy milk", "Call Ada", "Write letter"]],
    "tick": [lambda items: [name for name, ticked in items if ticked] == ["Write letter"] and len(items) == 3],
    "edit": [None, None, lambda items: _names(items) == ["Buy milk", "Call Bob", "Write letter"]],
    "delete": [None, lambda items: "Buy milk" not in _names(items) and len(items) == 2],
    "filter": [
        lambda items: items == [("Call Bob", False)] or items == [("Call Ada", False)],
        lambda items: items == [("Write letter", True)],
        lambda items: len(items) == 2 and ("Write letter", True) in items,
    ],
}
PARTS = tuple(CHECKS)


class Outcome(msgspec.Struct, kw_only=True):
    """What became of the stream in one application: the parts that did what they should, and why the others did not."""

    app: str
    parts: dict[str, bool]
    why: str = ""
    outside: int = 0
    seconds: float = 0.0

    @property
    def works(self) -> bool:
        return all(self.parts.get(part, False) for part in PARTS)


def stream_parts() -> dict[str, list[str]]:
    """Return the lines of the stream by part."""
    parts: dict[str, list[str]] = {}
    for line in STREAM.read_text("utf-8").splitlines():
        if line.startswith("# "):
            part = parts[line[2:]] = []
        else:
            part.append(line + "\n")
    return parts


async def run_all(package: Path, only: frozenset[str] | None, *, say: Callable[[str], object]) -> list[Outcome]:
    """Run the stream in each application, in a context of its own."""
    names = sorted(folder.parent.name for folder in (package / "examples").glob("*/index.html"))
    if only is not None and (unknown := only - set(names)):
        raise SystemExit(f"no such application: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    outcomes: list[Outcome] = []
    running = await Chromium.start()
    try:
        if running.browser is None:
            raise AssertionError("the browser has started")
        with served(package) as base:
            for name in names:
                if only is None or name in only:
                    outcome = await _run_one(running.browser, base, name)
                    say(f"  {outcome.app:28} {_marks(outcome)} {outcome.seconds:5.1f} s  {outcome.why}")
                    outcomes.append(outcome)
    finally:
        await running.stop()
    return outcomes


def _marks(outcome: Outcome) -> str:
    return " ".join(f"{part}:{'yes' if outcome.parts.get(part) else 'NO '}" for part in PARTS)


async def _run_one(browser: Browser, base: str, name: str) -> Outcome:
    outcome = Outcome(app=name, parts={})
    begun = time.monotonic()

    async def refuse(route: Route) -> None:
        if urlsplit(route.request.url).hostname in ("127.0.0.1", None):
            await route.continue_()
        else:
            outcome.outside += 1
            await route.abort()

    try:
        async with asyncio.timeout(APP_LIMIT_S), BrowserComputer(browser=browser) as screen:
            await screen.page.context.route("**/*", refuse)
            await screen.page.goto(f"{base}/examples/{name}/index.html", wait_until="commit")
            await _App(screen, outcome).run()
    except TimeoutError:
        outcome.why = outcome.why or f"not done within {APP_LIMIT_S:g} s"
    except AxstreamError as error:
        outcome.why = outcome.why or f"{type(error).__name__}: {error}"
    outcome.seconds = time.monotonic() - begun
    return outcome


class _App:
    """One application that is open, and what became of the stream in it."""

    def __init__(self, screen: Any, outcome: Outcome) -> None:
        self._page: Page = screen.page
        self._screen = screen
        self._outcome = outcome
        self._ended: asyncio.Queue[Executed | Failed | Rejected] = asyncio.Queue()

    async def run(self) -> None:
        if not await self._shows_field():
            self._outcome.why = "shows no field for new items"
            return
        executor = Executor(
            self._screen, policy=axstream.Policy(risky="allow"), bare=True, on_failure="continue", emit=self._hear
        )
        result = await executor.run_burst(self._lines())
        if result.stop not in ("exhausted", "done"):
            self._outcome.why = self._outcome.why or f"the burst ended as {result.stop}: {result.reason}"

    def _hear(self, _: float, event: RunEvent) -> None:
        if isinstance(event, Executed | Failed | Rejected):
            self._ended.put_nowait(event)

    async def _shows_field(self) -> bool:
        try:
            await self._page.locator(FIELD).first.wait_for(state="visible", timeout=SHOWN_S * 1000)
        except Exception:
            return False
        with contextlib.suppress(Exception):  # its scripts come behind its markup; a person waits for them too
            await self._page.wait_for_load_state("networkidle", timeout=SHOWN_S * 1000)
        return True

    async def _lines(self) -> AsyncIterator[str]:
        """Give the stream line by line; behind a line that something should have come of, ask the page."""
        for part, lines in stream_parts().items():
            self._outcome.parts[part] = True
            for line, check in zip(lines, CHECKS[part], strict=True):
                yield line
                event = await self._ended.get()
                if not isinstance(event, Executed):
                    self._miss(part, f"{getattr(event, 'message', event)}")
                elif check is not None and not await self._holds(check):
                    self._miss(part, f"the list shows {await self._items()} behind {line.strip()}")

    def _miss(self, part: str, why: str) -> None:
        self._outcome.parts[part] = False
        self._outcome.why = self._outcome.why or f"{part}: {why}"

    async def _items(self) -> Items | None:
        found = await self._page.evaluate(ITEMS)
        return None if found is None else [(str(name), bool(ticked)) for name, ticked in found]

    async def _holds(self, check: Callable[[Items], bool]) -> bool:
        deadline = time.monotonic() + HOLDS_S
        while True:
            items = await self._items()
            if items is not None and check(items):
                return True
            if time.monotonic() >= deadline:
                return False
            await asyncio.sleep(0.05)
