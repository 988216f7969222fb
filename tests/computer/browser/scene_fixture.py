"""The browser as the contract suite wants it: the standard scene in HTML, its report, changes behind its back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import msgspec

from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.inputs import Pace
from axstream.testing.contract import Mutation, Report
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

SLOW = Pace(drag_s=0.5, character_s=0.003)
_READ = """() => ({
    ...report, pressed: pressed(),
    values: window.values?.() ?? {}, checked: window.checked?.() ?? {}, scrolled: window.scrolled?.() ?? {},
})"""


class BrowserFixture:
    """A context of its own for each check, in the one browser of the session."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self.second_url: str | None = f"{site.base}/second.html"
        self._browser = browser
        self._site = site
        self._computer: BrowserComputer | None = None
        self._context: Any = None
        self._page: Page | None = None

    async def open(self, *, slow: bool = False) -> BrowserComputer:
        self._context = await self._browser.new_context(viewport={"width": 1000, "height": 700})
        self._page = await self._context.new_page()
        await self._page.goto(f"{self._site.base}/contract.html")
        self._computer = BrowserComputer(page=self._page, pace=SLOW if slow else Pace())
        return await self._computer.__aenter__()

    @property
    def page(self) -> Page:
        assert self._page is not None
        return self._page

    async def report(self) -> Report:
        return msgspec.convert(await self.page.evaluate(_READ), Report)

    async def mutate(self, what: Mutation) -> None:
        await self.page.evaluate("what => mutate(what)", what)

    async def pause(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def close(self) -> None:
        if self._computer is not None:
            await self._computer.__aexit__(None, None, None)
        if self._context is not None:
            await self._context.close()
