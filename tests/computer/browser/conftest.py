"""One Chromium for all tests of the browser; each test has a context of its own. A missing Chromium fails, loudly."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.launch import Chromium
from axstream.testing.serving import served

if TYPE_CHECKING:
    from playwright.async_api import Browser

PAGES = Path(__file__).with_name("pages")
OpenPage = Callable[..., Awaitable[BrowserComputer]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
async def chromium(anyio_backend: str) -> AsyncIterator[Browser]:
    running = await Chromium.start()
    try:
        assert running.browser is not None
        yield running.browser
    finally:
        await running.stop()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with served(PAGES) as base:
        yield base


@pytest.fixture
async def opened(chromium: Browser, site: str) -> AsyncIterator[OpenPage]:
    """Open a page of the gallery, by its file's name, or a whole URL; closed when the test is over."""
    async with AsyncExitStack() as stack:

        async def open_page(name: str, **options: Any) -> BrowserComputer:
            url = name if ":" in name else f"{site}/{name}"
            return await stack.enter_async_context(BrowserComputer(url=url, browser=chromium, **options))

        yield open_page
