"""Tabs, navigation, and the chords of the browser's own chrome (Z4, Z16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from axstream.computer.base import OpenApp, OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.errors import ActionUnsupported, Disconnected, TargetNotFound
from axstream.spec.targets import Ax
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def title(driver: Driver) -> str:
    return (await driver.tree()).surface.title


async def test_a_tab_that_an_act_opens_takes_the_focus_and_is_named(show: OpenPage, site: Site) -> None:
    """Z16."""
    second = site.add("<title>Second</title><button onclick='window.close()'>Close me</button>")
    driver = await show(
        f"<title>First</title><a href={second} target=_blank>Blank</a><a href={second} target=_blank rel=noopener>Bare</a>"
        f"<button onclick=\"window.open('{second}')\">Open</button>"
    )
    for role, name in (("link", "Blank"), ("link", "Bare"), ("button", "Open")):
        effect = await driver.click(role, name)
        assert effect.notes == (f"a new tab opened and has the focus: {site.base}{second}",)
        assert await title(driver) == "Second"
        if name == "Open":
            effect = await driver.click("button", "Close me")
            assert any("closed" in note for note in effect.notes)
        else:
            await driver.key("cmd", "w")
        assert await title(driver) == "First"
    with pytest.raises(ActionUnsupported, match="last tab"):
        await driver.key("cmd", "w")


async def test_a_navigation_that_an_act_began_is_there_when_it_ends(show: OpenPage, site: Site) -> None:
    """Z4: links, forms, scripts."""
    driver = await show(
        "<title>First</title><a href='/slow?ms=300'>Link</a><form action=/slow><input type=hidden name=ms value=200>"
        "<button>Send</button><input aria-label=Q name=q></form><button onclick=\"location.href='/slow?ms=100'\">Script</button>"
    )
    for role, name in (("link", "Link"), ("button", "Send"), ("button", "Script")):
        await driver.click(role, name)
        assert (await driver.computer.candidates(Ax(title="x"))).surface.title == "Slow"
        await driver.key("alt", "left")
        assert await title(driver) == "First"
    await driver.fill("textbox", "Q", "tea\n")
    assert await title(driver) == "Slow"


async def test_old_handles_are_dead_after_a_navigation(show: OpenPage) -> None:
    """T2."""
    driver = await show("<button>Same</button>")
    old = await driver.find("button", "Same")
    await driver.key("f5")
    with pytest.raises(TargetNotFound):
        await driver.computer.prepare(old.handle, "click", 0.2)
    new = await driver.find("button", "Same")
    assert new.document != old.document


async def test_the_address_bar_takes_an_address(show: OpenPage, site: Site) -> None:
    """Z16: cmd+l, text, Enter."""
    second = site.add("<title>Second</title>")
    driver = await show("<title>First</title><input aria-label=Page>")
    await driver.key("cmd", "l")
    focus = await driver.computer.focus()
    assert focus.node is not None
    assert (focus.node.name, focus.takes_text) == ("Address and search bar", True)
    assert focus.node in (await driver.tree()).nodes
    await driver.type(f"127.0.0.1:{site.port}")
    await driver.type(second)
    await driver.key("enter")
    assert await title(driver) == "Second"
    assert (await driver.computer.focus()).node is None
    await driver.key("cmd", "l")
    await driver.key("escape")
    assert (await driver.computer.focus()).node is None


async def test_the_address_bar_names_open_for_what_it_cannot_do(show: OpenPage) -> None:
    driver = await show("<input aria-label=Page id=p>")
    for text, problem in (("weather tokyo", "no search engine"), ("javascript:1", "javascript:")):
        await driver.key("cmd", "l")
        with pytest.raises(ActionUnsupported, match=f"{problem}.*`open`"):
            await driver.type(text + "\n")
    await driver.fill("textbox", "Page", "x")
    assert await driver.page.evaluate("$('p').value") == "x"


async def test_history_and_reload(show: OpenPage, site: Site) -> None:
    second = site.add("<title>Second</title><p>x")
    driver = await show("<title>First</title><p>x")
    assert (await driver.key("alt", "left")).moved is not True
    first = driver.page.url
    await driver.computer.perform(OpenUrl(url=site.base + second))
    assert await title(driver) == "Second"
    await driver.key("alt", "left")
    assert driver.page.url == first
    await driver.key("alt", "right")
    assert await title(driver) == "Second"
    asked = len(site.asked)
    await driver.key("cmd", "r")
    assert second in site.asked[asked:]


async def test_tabs_are_opened_and_switched_by_keys(show: OpenPage) -> None:
    driver = await show("<title>First</title><p>x")
    await driver.key("cmd", "t")
    assert (await driver.tree()).surface.url == "about:blank"
    await driver.key("ctrl", "tab")
    assert await title(driver) == "First"
    await driver.key("ctrl", "shift", "tab")
    assert (await driver.tree()).surface.url == "about:blank"
    await driver.key("cmd", "1")
    assert await title(driver) == "First"
    await driver.key("cmd", "9")
    await driver.key("ctrl", "w")
    assert await title(driver) == "First"


async def test_a_page_has_its_chords_first(show: OpenPage) -> None:
    """As in a window: what the page takes is the page's, the rest the browser's."""
    driver = await show(
        "<script>addEventListener('keydown', (e) => { if (e.key === 's' && e.ctrlKey) { e.preventDefault(); said('saved') } })</script>"
    )
    await driver.key("cmd", "s")
    await driver.logged("saved")
    with pytest.raises(ActionUnsupported, match="prints"):
        await driver.key("cmd", "p")
    with pytest.raises(ActionUnsupported, match="`open`"):
        await driver.key("cmd", "n")


async def test_what_cannot_be_opened_says_why(show: OpenPage, site: Site) -> None:
    """A6."""
    driver = await show("<title>First</title>")
    with pytest.raises(TargetNotFound, match=r"http://127.0.0.1:9/ could not be loaded: net::ERR_"):
        await driver.computer.perform(OpenUrl(url="http://127.0.0.1:9/"))
    with pytest.raises(ActionUnsupported, match="Notes"):
        await driver.computer.perform(OpenApp(name="Notes"))
    await driver.computer.perform(OpenUrl(url=f"{site.base}/missing"))
    await driver.find("text", "not here")
    effect = await driver.computer.perform(OpenUrl(url=f"{site.base}/nothing"))
    assert "nothing to show" in effect.summary
    effect = await driver.computer.perform(OpenUrl(url=f"{site.base}/file"))
    assert any('downloaded "report.csv" (4 bytes)' in note for note in effect.notes)


async def test_the_callers_page_is_driven_and_never_closed(chromium: Browser, site: Site) -> None:
    path = site.add("<title>Mine</title><a href=/slow?ms=1 target=_blank>Away</a>")
    context = await chromium.new_context()
    try:
        page = await context.new_page()
        stranger = await context.new_page()
        await page.goto(site.base + path)
        async with BrowserComputer(page=page) as computer:
            driver = Driver(computer)
            assert await title(driver) == "Mine"
            await driver.click("link", "Away")
            assert await title(driver) == "Slow"
            await driver.key("cmd", "w")
            with pytest.raises(ActionUnsupported, match="not ours"):
                await driver.key("cmd", "w")
        assert not page.is_closed()
        assert not stranger.is_closed()
        assert await page.title() == "Mine"
    finally:
        await context.close()


async def test_a_computer_whose_last_tab_is_gone_says_so(show: OpenPage) -> None:
    driver = await show("<p>x")
    await driver.page.close()
    with pytest.raises(Disconnected, match="last tab is closed"):
        await driver.computer.observe()
