"""Attaching to a browser that runs: it, its tabs and what its pages hold are afterwards as they were before."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import anyio
import pytest

from axstream.computer.base import DragTo, OpenUrl
from axstream.computer.browser import attach, open_browser
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.inputs import Pace
from axstream.computer.browser.launch import find_chromium
from axstream.errors import ComputerError
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site
from tests.computer.browser.own_chromium import OwnChromium, own_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser

#: Remembers the browser's own functions before anybody came, and says which of them are others now.
REMEMBERS = """<title>Mine</title><label>Draft <input></label><button onclick="said('pressed')">Press</button><script>
const places = [[Element.prototype, "attachShadow"], [Function.prototype, "toString"], [window, "print"],
  [Permissions.prototype, "query"], [Geolocation.prototype, "getCurrentPosition"], [Notification, "requestPermission"]];
const before = places.map(([owner, key]) => Object.getOwnPropertyDescriptor(owner, key)?.value);
window.changed = () => places.filter(([owner, key], at) =>
  Object.getOwnPropertyDescriptor(owner, key)?.value !== before[at]).map(([, key]) => key);
</script>"""


async def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        await anyio.sleep(0.02)


@pytest.fixture(scope="module")
async def running(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OwnChromium]:
    with own_chromium(
        find_chromium(None, chromium.browser_type.executable_path), tmp_path_factory.mktemp("person")
    ) as running:
        yield running


@pytest.fixture
def tab(running: OwnChromium, site: Site) -> Iterator[str]:
    """A tab of the person's, in front."""
    tab = running.open(site.base + site.add(REMEMBERS))
    yield tab
    if tab in running.tabs():
        running.close(tab)


async def test_the_tab_in_front_is_taken_and_all_is_as_it_was_afterwards(running: OwnChromium, tab: str) -> None:
    before = running.tabs()
    async with open_browser(f"cdp={running.address}") as computer:
        driver = Driver(computer)
        assert computer.page.url == before[tab]
        await driver.fill("textbox", "Draft", "Ada")
        await driver.click("button", "Press")
        await driver.logged("pressed")
        assert await computer.page.evaluate("changed()")  # or the check below would prove nothing
        assert computer.page.viewport_size is None  # the window is as large as it was
        picture = await computer.screenshot()
        assert struct.unpack(">II", picture[16:24]) == await computer.surface()  # of a PNG: its width and height
    assert running.alive
    assert running.tabs() == before
    async with BrowserComputer(cdp=str(running.port)) as again:
        page = again.page
        assert page.url == before[tab]
        assert await page.evaluate("document.querySelector('input').value") == "Ada"


async def test_what_was_replaced_in_a_page_is_the_browsers_own_again(
    running: OwnChromium, tab: str, chromium: Browser
) -> None:
    """Also in documents that came while we were there, and in frames."""
    async with open_browser(f"cdp={running.address}") as computer:
        await computer.observe()
        inner = computer.page.url
        await computer.page.evaluate(
            "url => new Promise(done => { const f = document.createElement('iframe'); f.src = url; f.onload = done;"
            "document.body.append(f) })",
            inner,
        )
        await computer.observe()
        assert await computer.page.evaluate("changed()")
        assert await computer.page.evaluate("frames[0].changed()") == []
    browser = await chromium.browser_type.connect_over_cdp(running.address)
    try:
        [page] = [page for page in browser.contexts[0].pages if page.url == inner]
        assert await page.evaluate("changed()") == []
        kept = await page.evaluate("frames[0].changed()")  # its document took ours for the browser's own
        assert {"attachShadow", "toString", "print"} <= set(kept)
    finally:
        await browser.close()


async def test_it_is_the_tab_in_front_and_not_the_last_one(running: OwnChromium, tab: str, site: Site) -> None:
    last = running.open(site.base + site.add("<title>Last</title>"))
    running.show(tab)
    async with BrowserComputer(cdp=running.address) as computer:
        assert (await computer.observe()).surface.title == "Mine"
    running.close(last)


async def test_a_dialog_that_stands_in_the_way_is_said(
    running: OwnChromium, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attach, "ATTACH_LIMIT_S", 3.0)
    tab = running.open(site.base + site.add("<title>Asks</title><script>alert('now')</script>"))
    await until(lambda: any(key == tab and url.startswith(site.base) for key, url in running.tabs().items()))
    with pytest.raises(ComputerError, match="one of its tabs hangs or shows a dialog; close that, and try again"):
        await BrowserComputer(cdp=running.address).__aenter__()
    running.close(tab)
    async with BrowserComputer(cdp=running.address):
        pass


async def test_an_address_opens_a_tab_beside_the_persons(running: OwnChromium, tab: str, site: Site) -> None:
    url = site.base + site.add("<title>Beside</title><p>beside")
    before = running.tabs()
    async with BrowserComputer(cdp=running.address, url=url) as computer:
        assert (await computer.observe()).surface.title == "Beside"
    after = running.tabs()
    assert before.items() <= after.items()
    [new] = after.keys() - before.keys()
    assert after[new] == url
    running.close(new)


async def test_the_persons_other_tabs_are_neither_shown_nor_touched(running: OwnChromium, tab: str, site: Site) -> None:
    """A dialog that opens in one of them is the person's to answer."""
    asks = """<title>Bank</title><script>addEventListener("message", () => 0);
      new BroadcastChannel("ask").onmessage = async () => { await fetch("/told-asking"); confirm("Pay?"); fetch("/told-answered") };
      </script>"""
    other = running.open(site.base + site.add(asks))
    front = running.open(
        site.base + site.add("<title>Front</title><script>const ask = new BroadcastChannel('ask')</script>")
    )
    site.asked.clear()
    try:
        async with open_browser(f"cdp={running.address}") as computer:
            tree = await computer.observe()
            assert tree.surface.title == "Front"
            assert not [node for node in tree.nodes if "Bank" in node.name]
            await computer.page.evaluate("ask.postMessage('now')")
            await until(lambda: "/told-asking" in site.asked)
            for _ in range(5):
                await computer.observe()
            await anyio.sleep(0.3)
            assert "/told-answered" not in site.asked
    finally:
        running.close(front)
        running.close(other)


async def test_a_window_that_the_page_opens_is_followed_and_stays(running: OwnChromium, site: Site) -> None:
    second = site.add("<title>Second</title><p>second")
    tab = running.open(site.base + site.add(f"<title>First</title><a href={second} target=_blank>Open</a>"))
    async with open_browser(f"cdp={running.address}") as computer:
        driver = Driver(computer)
        await driver.click("link", "Open")
        assert (await computer.observe()).surface.title == "Second"
    [opened] = [key for key, url in running.tabs().items() if url == site.base + second]
    running.close(opened)
    assert tab in running.tabs()
    running.close(tab)


async def test_a_download_is_told_and_left_to_that_browser(running: OwnChromium, site: Site) -> None:
    tab = running.open(site.base + site.add("<title>Reports</title><a href='/give?name=report.bin'>Report</a>"))
    async with open_browser(f"cdp={running.address}") as computer:
        driver = Driver(computer)
        effect = await driver.click("link", "Report")
        notes = [*effect.notes, *(await computer.observe()).notes]
        assert [note for note in notes if "a download began: report.bin" in note]
    running.close(tab)


async def test_several_computers_may_be_in_it_each_in_a_context_of_its_own(
    running: OwnChromium, tab: str, site: Site
) -> None:
    url = site.base + site.add("<title>Jar</title><p>jar")
    async with BrowserComputer(cdp=running.address, url=url) as person:
        await person.page.evaluate("document.cookie = 'who=person'")
        async with BrowserComputer(browser=person.browser, url=url) as apart:
            assert await apart.page.evaluate("document.cookie") == ""
            await apart.page.evaluate("document.cookie = 'who=apart'")
            assert await person.page.evaluate("document.cookie") == "who=person"
        mine = person.page.url
    [new] = [key for key, at in running.tabs().items() if at == mine]
    running.close(new)


async def test_every_button_is_up_when_it_is_left_in_mid_drag(running: OwnChromium, tab: str, site: Site) -> None:
    """E5."""
    html = "<title>Held</title><script>onmousedown = () => fetch('/told-down'); onmouseup = () => fetch('/told-up')</script>"
    site.asked.clear()
    async with BrowserComputer(cdp=running.address, pace=Pace(drag_s=30.0)) as computer:
        await computer.perform(OpenUrl(url=site.base + site.add(html)))
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(computer.perform, DragTo(x=10, y=10, to_x=300, to_y=300))
                await until(lambda: "/told-down" in site.asked)
                scope.cancel()
    await until(lambda: "/told-up" in site.asked)


# -- what is there instead ---------------------------------------------------------------------------------------


@contextmanager
def answering(body: bytes, *, status: int = 200) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"<html>hello", 200, "is no Chromium (HTTP 200 where it would name itself)"),
        (b"no", 404, "is no Chromium (HTTP 404 where it would name itself)"),
        (b"[" * 100_000, 200, "is no Chromium"),
        (
            b'{"Browser": "Firefox/140.0", "webSocketDebuggerUrl": "ws://127.0.0.1:1/x"}',
            200,
            "is Firefox/140.0, and only",
        ),
        (b'{"Browser": "Chrome/140.0"}', 200, "is Chrome/140.0, and only Chromium"),
        (b'{"Browser": "Chrome/140.0", "webSocketDebuggerUrl": "ws://127.0.0.1:9/x"}', 200, "nothing listens at"),
    ],
)
async def test_what_is_no_browser_is_said_in_one_line(body: bytes, status: int, said: str) -> None:
    with answering(body, status=status) as address, pytest.raises(ComputerError) as caught:
        await BrowserComputer(cdp=address).__aenter__()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


async def test_nobody_there_and_nobody_who_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attach, "ASK_LIMIT_S", 0.3)
    with closing(socket.socket()) as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(
            ComputerError, match=f"nothing listens at {address}; start the browser with --remote-debugging"
        ):
            await BrowserComputer(cdp=address).__aenter__()
        silent.listen(5)
        with pytest.raises(ComputerError, match=f"{address} took the connection and said nothing"):
            await BrowserComputer(cdp=address).__aenter__()


async def test_a_stale_address_of_a_browser_is_said_without_its_secret(running: OwnChromium) -> None:
    stale = f"ws://127.0.0.1:{running.port}/devtools/browser/11111111-2222-3333-4444-555555555555"
    with pytest.raises(ComputerError) as caught:
        await BrowserComputer(cdp=stale).__aenter__()
    assert "11111111" not in str(caught.value)
    assert "a new one each time" in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_browser_that_ends_meanwhile_is_one_clear_error(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with own_chromium(
        find_chromium(None, chromium.browser_type.executable_path), tmp_path_factory.mktemp("ends")
    ) as running:
        computer = await open_browser(f"cdp={running.address}").__aenter__()
    try:
        with pytest.raises(ComputerError, match="the browser is gone"):
            await computer.observe()
    finally:
        await computer.__aexit__(None, None, None)
