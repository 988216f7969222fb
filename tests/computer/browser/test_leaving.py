"""beforeunload: a page that objects to being left is asked about, whatever would leave it, and nobody answers by itself."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from axstream.computer.base import Effect, OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.tab import ANSWER_LIMIT_S
from axstream.errors import TargetNotActionable
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

OBJECTS = """<title>Draft</title><input aria-label=Draft><a href=SECOND>Link</a><form action=SECOND><button>Send</button></form>
<button onclick="history.back()">Back</button><script>onbeforeunload = (event) => event.preventDefault()</script>"""


async def objecting(show: OpenPage, site: Site) -> Driver:
    """Show a page that was used, and so may object; a page lies before it."""
    second = site.add("<title>Second</title><p>second")
    html = site.add(OBJECTS.replace("SECOND", second))
    driver = await show(f"<title>Before</title><a href={html}>Go</a>")
    await driver.click("link", "Go")
    await driver.fill("textbox", "Draft", "x")
    return driver


async def leave(driver: Driver, site: Site, way: str) -> Effect:
    match way:
        case "open":
            return await driver.computer.perform(OpenUrl(url=site.base + site.add("<title>Second</title><p>second")))
        case "reload":
            return await driver.key("cmd", "r")
        case "back":
            return await driver.key("alt", "left")
        case _:
            return await driver.click("link" if way == "Link" else "button", way)


@pytest.mark.parametrize("way", ["open", "reload", "back", "Link", "Send", "Back"])
async def test_whatever_leaves_a_page_that_objects_is_asked_about(show: OpenPage, site: Site, way: str) -> None:
    driver = await objecting(show, site)
    for answer in ("escape", "enter"):
        begun = time.monotonic()
        effect = await leave(driver, site, way)
        if "a beforeunload dialog opened" not in effect.notes:  # a script's own going back begins when its task is over
            await driver.find("alertdialog", "leave this page?")
        assert time.monotonic() - begun < ANSWER_LIMIT_S
        tree = await driver.computer.observe()
        assert pairs(tree)[1] == ("alertdialog", "leave this page?")
        assert ("button", "Cancel") in pairs(tree)
        with pytest.raises(TargetNotActionable, match="answer it first"):
            await driver.type("x")
        await driver.key(answer)
        if answer == "escape":
            assert await driver.page.evaluate("document.querySelector('input').value") == "x"
    wanted = {"reload": "Draft", "back": "Before", "Back": "Before"}.get(way, "Second")
    await driver.until(lambda: _title(driver, wanted))
    if way == "reload":
        assert (await driver.find("textbox", "Draft")).value == ""


async def _title(driver: Driver, title: str) -> bool:
    return (await driver.tree()).surface.title == title


async def test_closing_a_tab_that_objects_is_asked_about(show: OpenPage, site: Site) -> None:
    html = site.add(OBJECTS)
    driver = await show(f"<title>First</title><a href={html} target=_blank>Open</a>")
    await driver.click("link", "Open")
    await driver.fill("textbox", "Draft", "x")
    await driver.key("cmd", "w")
    await driver.find("alertdialog", "leave this page?")
    await driver.click("button", "Cancel")
    assert await _title(driver, "Draft")
    await driver.key("cmd", "w")
    await driver.find("alertdialog", "leave this page?")
    await driver.click("button", "OK")
    await driver.until(lambda: _title(driver, "First"))


async def test_where_nobody_answers_the_page_stays_and_the_computer_closes_in_time(
    chromium: Browser, show: OpenPage, site: Site
) -> None:
    """The default: never answered by itself; a computer that is left takes its own context along, bounded."""
    driver = await objecting(show, site)
    await leave(driver, site, "Link")
    begun = time.monotonic()
    await driver.computer.__aexit__(None, None, None)
    assert time.monotonic() - begun < ANSWER_LIMIT_S
    context = await chromium.new_context()
    try:
        page = await context.new_page()
        await page.goto(site.base + site.add(OBJECTS.replace("SECOND", "/slow?ms=1")))
        async with BrowserComputer(page=page) as computer:
            mine = Driver(computer)
            await mine.fill("textbox", "Draft", "x")
            await leave(mine, site, "Link")
            await mine.find("alertdialog", "leave this page?")
        assert await page.title() == "Draft"
        assert await page.evaluate("document.querySelector('input').value") == "x"
    finally:
        await context.close()
