"""One Chromium for all tests of the browser; each test has a context of its own. A missing Chromium fails, loudly."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.launch import Chromium
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site, open_site

if TYPE_CHECKING:
    from playwright.async_api import Browser

PAGES = Path(__file__).with_name("pages")
OpenPage = Callable[..., Awaitable[Driver]]


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
def site() -> Iterator[Site]:
    with open_site(PAGES) as site:
        yield site


@pytest.fixture(scope="module")
def vouchless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a certificate that it signed itself."""
    folder = tmp_path_factory.mktemp("tls")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    pem = folder / "both.pem"
    pem.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    with open_site(PAGES, certificate=pem) as site:
        yield site


@pytest.fixture
async def show(chromium: Browser, site: Site) -> AsyncIterator[OpenPage]:
    """Show a page, by its HTML, in a context of its own; closed when the test is over."""
    async with AsyncExitStack() as stack:

        async def open_page(html: str, **options: Any) -> Driver:
            url = site.base + site.add(html)
            return Driver(await stack.enter_async_context(BrowserComputer(url=url, browser=chromium, **options)))

        yield open_page
