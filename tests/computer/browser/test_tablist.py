"""Several open tabs: listed, switched between by clicks, returned from when they close; bounded (Z16)."""

from __future__ import annotations

import pytest

from axstream.ax.ids import IdBook
from axstream.ax.node import Node
from axstream.ax.outline import outline
from axstream.ax.resolve import Found, resolve
from axstream.computer.browser import tabs as tabs_module
from axstream.computer.browser.tablist import LISTED
from axstream.errors import TargetNotActionable, TargetNotFound
from axstream.spec.targets import Ax
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

OPENS = """<title>First</title><button onclick="window.open('SECOND')">Open</button>
<button onclick="for (let n = 0; n < 3; n++) window.open('SECOND?' + n)">Flood</button><button onclick="said('well')">Second</button>"""
SECOND = (
    "<title>Second</title><button onclick=said('here')>Here</button><button onclick='window.close()'>Close me</button>"
)


async def begun(show: OpenPage, site: Site) -> Driver:
    return await show(OPENS.replace("SECOND", site.add(SECOND)))


async def listed(driver: Driver) -> list[tuple[str, bool]]:
    return [(node.name, node.selected) for node in (await driver.tree()).nodes if node.role == "tab"]


async def test_one_tab_is_not_listed(show: OpenPage, site: Site) -> None:
    driver = await begun(show, site)
    assert await listed(driver) == []
    assert (await driver.computer.observe()).notes == ()


async def test_several_tabs_are_listed_and_a_click_switches(show: OpenPage, site: Site) -> None:
    driver = await begun(show, site)
    await driver.click("button", "Open")
    assert await listed(driver) == [("browser tab: First", False), ("browser tab: Second", True)]
    tree = await driver.computer.observe()
    assert tree.notes == ("2 tabs are open; click another `browser tab` to switch to it, key cmd+w closes this one",)
    text = outline(tree, IdBook()).text
    assert 'tab "browser tab: First"' in text
    assert 'tab "browser tab: Second" selected' in text
    effect = await driver.click("tab", "browser tab: First")
    assert effect.summary == f"switched to the tab {driver.page.url}"
    assert await listed(driver) == [("browser tab: First", True), ("browser tab: Second", False)]
    await driver.click("button", "Second")
    await driver.logged("well")
    await driver.click("tab", "browser tab: Second")
    await driver.click("button", "Here")
    await driver.logged("here")


async def test_a_title_of_the_page_is_never_taken_for_a_tab(show: OpenPage, site: Site) -> None:
    driver = await begun(show, site)
    await driver.click("button", "Open")
    await driver.click("tab", "browser tab: First")
    tree = await driver.tree()
    for ax, role in ((Ax(title="Second"), "button"), (Ax(role="tab", title="browser tab: Second"), "tab")):
        found = resolve(tree, ax, IdBook())
        assert isinstance(found, Found)
        assert found.node.role == role


async def test_a_tab_that_closes_is_returned_from_and_not_listed_any_more(show: OpenPage, site: Site) -> None:
    driver = await begun(show, site)
    await driver.click("button", "Open")
    second = await driver.find("tab", "browser tab: Second")
    effect = await driver.click("button", "Close me")
    assert any("the tab was closed; back on: " in note for note in effect.notes)
    assert await listed(driver) == []
    with pytest.raises(TargetNotFound, match="the tab is closed"):
        await driver.computer.prepare(second.handle, "click", 0.2)
    await driver.click("button", "Open")
    assert (await driver.find("tab", "browser tab: Second")).handle != second.handle


async def test_a_tab_takes_clicks_only(show: OpenPage, site: Site) -> None:
    driver = await begun(show, site)
    await driver.click("button", "Open")
    first: Node = await driver.find("tab", "browser tab: First")
    with pytest.raises(TargetNotActionable, match="takes no drag; click it"):
        await driver.computer.prepare(first.handle, "drag", 0.2)


async def test_tabs_that_we_open_are_listed_once(show: OpenPage) -> None:
    driver = await show("<title>First</title>")
    await driver.key("cmd", "t")
    await driver.key("cmd", "t")
    assert [name for name, _ in await listed(driver)] == [
        "browser tab: First",
        "browser tab: about:blank",
        "browser tab: about:blank",
    ]


async def test_tabs_without_end_are_closed_and_said(
    show: OpenPage, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabs_module, "MAX_TABS", 2)
    driver = await begun(show, site)
    effect = await driver.click("button", "Flood")
    notes = (*effect.notes, *(await driver.computer.observe()).notes)
    assert "a new tab was closed at once: 2 are open" in notes
    await driver.until(lambda: _holds(driver, 2))
    assert LISTED > 2


async def _holds(driver: Driver, count: int) -> bool:
    await driver.computer.observe()
    return len(await listed(driver)) == len(driver.page.context.pages) == count
