"""The caller's own Playwright context or page: driven, followed, and given back as it was."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

from axstream.ax.node import Tree
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.tabs import LEAVE_LIMIT_S
from axstream.errors import ActionUnsupported
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site
from tests.computer.browser.test_options_attach import REMEMBERS

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext


RELEASED_S = 2.0  # on a busy machine, besides what leaving is bounded by


@pytest.fixture
async def context(chromium: Browser) -> AsyncIterator[BrowserContext]:
    context = await chromium.new_context(viewport={"width": 777, "height": 555})
    yield context
    await context.close()


def listed(tree: Tree) -> list[str]:
    return [(node.name or "").removeprefix("browser tab: ") for node in tree.nodes if node.role == "tab"]


async def test_all_tabs_of_a_context_are_listed_and_none_is_closed(context: BrowserContext, site: Site) -> None:
    for title in ("First", "Second"):
        await (await context.new_page()).goto(site.base + site.add(f"<title>{title}</title><p>{title} page"))
    async with BrowserComputer(context=context) as computer:
        driver = Driver(computer)
        tree = await computer.observe()
        assert tree.surface.title == "Second"
        assert (tree.surface.width, tree.surface.height) == (777, 555)
        assert listed(tree) == ["First", "Second"]
        with pytest.raises(ActionUnsupported, match="not ours"):
            await driver.key("cmd", "w")
        await driver.click("tab", "browser tab: First")
        assert (await computer.observe()).surface.title == "First"
        await (await context.new_page()).goto(site.base + site.add("<title>Third</title>"))
        assert listed(await computer.observe()) == ["First", "Second", "Third"]
    assert [await page.title() for page in context.pages] == ["First", "Second", "Third"]


async def test_an_empty_context_gets_a_tab_that_goes_with_us(context: BrowserContext, site: Site) -> None:
    url = site.base + site.add("<title>Only</title>")
    async with BrowserComputer(context=context, url=url) as computer:
        assert (await computer.observe()).surface.title == "Only"
        assert len(context.pages) == 1
    assert context.pages == []


@pytest.mark.parametrize("whose", ["page", "context"])
async def test_what_was_replaced_in_a_page_is_the_browsers_own_again(
    context: BrowserContext, site: Site, whose: str
) -> None:
    page = await context.new_page()
    await page.goto(site.base + site.add(REMEMBERS))
    for _ in range(2):  # and a second one finds everything again
        computer = BrowserComputer(page=page) if whose == "page" else BrowserComputer(context=context)
        async with computer:
            driver = Driver(computer)
            await driver.click("button", "Press")
            assert await page.evaluate("changed()")
        assert await page.evaluate("changed()") == []
    assert await page.evaluate("log") == ["pressed", "pressed"]
    host = "const host = document.createElement('div'); host.attachShadow({ mode: 'closed' }); 'made'"
    assert await page.evaluate(host) == "made"
    await page.reload()
    assert await page.evaluate("changed()") == []


async def test_what_a_page_put_over_ours_stays_and_works(context: BrowserContext, site: Site) -> None:
    page = await context.new_page()
    await page.goto(site.base + site.add(REMEMBERS))
    async with BrowserComputer(page=page) as computer:
        await computer.observe()
        await page.evaluate("{ const inner = print; window.print = () => { said('mine'); inner.call(window) } } 0")
    assert await page.evaluate("changed()") == ["print"]
    await page.evaluate("print()")
    assert await page.evaluate("log") == ["mine"]


async def test_whoever_comes_again_sees_what_changed_meanwhile(context: BrowserContext, site: Site) -> None:
    """What was kept of the document when we left it is not taken for what it holds now."""
    page = await context.new_page()
    await page.goto(site.base + site.add("<title>Again</title><h1 id=h>one</h1><ul id=u><li>a</li></ul>"))
    for said in ("one", "two", "three"):
        await page.evaluate("said => { h.textContent = said }", said)
        async with BrowserComputer(page=page) as computer:
            assert ("heading", said) in pairs(await computer.observe())
            for now in (f"{said} more", f"{said} still more"):
                await page.evaluate("said => { h.textContent = said }", now)
                assert ("heading", now) in pairs(await computer.observe())


async def test_frames_of_other_processes_are_given_back_too(context: BrowserContext, site: Site) -> None:
    inner = site.add(REMEMBERS)
    page = await context.new_page()
    await page.goto(site.base + site.add(f"<title>Outer</title><iframe src=OTHER{inner}></iframe>"))
    frame = page.frames[1]
    assert frame.url.startswith(site.other)
    async with BrowserComputer(page=page) as computer:
        await Driver(computer).click("button", "Press")
        assert await frame.evaluate("log") == ["pressed"]
        assert await frame.evaluate("changed()")
    assert await frame.evaluate("changed()") == []


async def test_a_page_that_hangs_is_left_in_time(context: BrowserContext, site: Site) -> None:
    page = await context.new_page()
    await page.goto(site.base + site.add("<title>Hangs</title><button>Press</button>"))
    computer = await BrowserComputer(page=page).__aenter__()
    await computer.observe()
    await page.evaluate("setTimeout(() => { for (;;); })")
    begun = time.monotonic()
    await computer.__aexit__(None, None, None)
    assert time.monotonic() - begun < LEAVE_LIMIT_S + RELEASED_S
