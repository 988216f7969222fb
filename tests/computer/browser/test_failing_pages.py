"""Pages that crash, pages whose scripts do not end, and a browser that is gone: bounded, said, recovered from."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import Any

import anyio
import pytest

import axstream as ax
from axstream.computer.base import OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.inputs import DELIVERY_LIMIT_S
from axstream.computer.browser.launch import Chromium
from axstream.computer.browser.tab import PageFailed
from axstream.errors import Disconnected
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

HANGS = "<title>Hangs</title><button onclick='for (;;);'>Hang</button><button onclick=said('well')>Other</button>"


async def crash(driver: Driver) -> None:
    tab = driver.computer.active_tab
    with anyio.move_on_after(0.3), contextlib.suppress(Exception):
        await tab.session.send("Page.crash")  # it is never answered
    with anyio.fail_after(5):
        while not tab.crashed:
            await tab.wait_changed(0.05)


async def test_a_crashed_page_is_said_and_open_shows_another(show: OpenPage, site: Site) -> None:
    driver = await show("<title>Fragile</title><button>Save</button>")
    dead = driver.page
    await crash(driver)
    tree = await driver.computer.observe()
    assert tree.notes == ("the page crashed; show it again with key cmd+r, or another one with `open`",)
    with pytest.raises(PageFailed, match="crashed"):
        await driver.key("a")
    with pytest.raises(PageFailed, match="crashed"):
        await driver.tree()
    effect = await driver.computer.perform(
        OpenUrl(url=site.base + site.add("<title>Second</title><button>Go</button>"))
    )
    assert effect.notes == ("a new tab took the place of the one whose page crashed; its history is gone",)
    assert dead.is_closed()
    await driver.find("button", "Go")
    assert len(driver.page.context.pages) == 1


async def test_a_crashed_page_is_shown_again_by_reloading(show: OpenPage) -> None:
    driver = await show("<title>Fragile</title><button onclick=said('saved')>Save</button>")
    await crash(driver)
    await driver.key("cmd", "r")
    await driver.click("button", "Save")
    await driver.logged("saved")


async def test_a_burst_learns_of_a_crash_and_goes_on_with_the_next(show: OpenPage, site: Site) -> None:
    driver = await show("<title>Fragile</title><button>Save</button>")
    await crash(driver)
    ended = await burst(driver, '{"op":"click","target":{"ax":{"title":"Save"}}}')
    assert (ended.stop, "crashed" in (ended.reason or "")) == ("aborted", True)
    second = site.base + site.add("<title>Second</title><button onclick=said('gone')>Go</button>")
    await burst(
        driver,
        f'{{"op":"open","target":"{second}"}}',
        '{"op":"click","target":{"ax":{"title":"Go"}}}',
        '{"op":"observe"}',
    )
    await driver.logged("gone")


async def burst(driver: Driver, *lines: str) -> Any:
    async def chunks() -> Any:
        yield "```jsonl\n" + "".join(line + "\n" for line in lines) + "```\n"

    last: Any = None
    async for event in ax.execute(chunks(), driver.computer, policy=ax.Policy(risky="allow")):
        last = event
    return last


async def test_a_script_that_does_not_end_is_said_and_stopped_by_a_reload(show: OpenPage) -> None:
    driver = await show(HANGS)
    begun = time.monotonic()
    with pytest.raises(PageFailed, match=r"did not answer within 10 s.*cmd\+r.*`open`"):
        await driver.click("button", "Hang")
    assert time.monotonic() - begun < DELIVERY_LIMIT_S + 8
    tree = await driver.computer.observe()
    assert any("may not end" in note for note in tree.notes)
    effect = await driver.key("cmd", "r")
    assert "a script of the page that did not end was stopped" in effect.notes
    await driver.click("button", "Other")
    await driver.logged("well")


async def test_open_leaves_a_page_that_hangs(show: OpenPage, site: Site) -> None:
    """Also where its scripts begin again each time that they are stopped; then a new tab is taken."""
    second = site.base + site.add("<title>Second</title><button>Go</button>")
    for html in (
        "<title>Once</title><script>setTimeout(() => { for (;;); }, 300)</script>",
        "<title>Again</title><script>setTimeout(() => setInterval(() => { for (;;); }, 1), 300)</script>",
    ):
        driver = await show(html)
        await anyio.sleep(0.5)  # the page's own timer
        begun = time.monotonic()
        effect = await driver.computer.perform(OpenUrl(url=second))
        assert time.monotonic() - begun < 15
        assert any("did not" in note for note in effect.notes), effect
        await driver.find("button", "Go")
        assert len(driver.page.context.pages) == 1


async def test_a_page_that_is_only_busy_is_waited_for(show: OpenPage) -> None:
    driver = await show("<button onclick='const t = Date.now(); while (Date.now() - t < 2500); said(1)'>Work</button>")
    await driver.click("button", "Work")
    await driver.logged("1")


async def test_a_browser_whose_process_is_killed_is_one_clear_error(site: Site) -> None:
    running = await Chromium.start()
    try:
        assert running.browser is not None
        url = site.base + site.add("<button>Save</button>")
        async with BrowserComputer(browser=running.browser, url=url) as computer:
            driver = Driver(computer)
            save = await driver.find("button", "Save")
            session = await running.browser.new_browser_cdp_session()
            processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
            os.kill(next(int(one["id"]) for one in processes if one["type"] == "browser"), signal.SIGKILL)
            tab = computer.active_tab
            with anyio.fail_after(10):
                while not tab.closed:
                    await tab.wait_changed(0.05)
            with pytest.raises(Disconnected, match="the browser is gone"):
                await computer.observe()
            with pytest.raises(Disconnected, match="the browser is gone"):
                await computer.prepare(save.handle, "click", 1.0)
            with pytest.raises(Disconnected, match="the browser is gone"):
                await driver.key("a")
    finally:
        await running.stop()
