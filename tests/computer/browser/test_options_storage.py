"""Cookies and local storage go out to a file and come in again; two sessions in one browser share none of them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from axstream.computer.browser.computer import BrowserComputer
from axstream.errors import ComputerError, Disconnected, UsageError
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

JAR = "<title>Jar</title><script>const keep = (w) => { document.cookie = `who=${w}; max-age=900`; localStorage.who = w }</script>"
HELD = "[document.cookie, localStorage.who ?? null]"


@pytest.fixture
def jar(site: Site) -> str:
    return site.base + site.add(JAR)


async def test_storage_goes_out_to_a_file_and_comes_in_again(chromium: Browser, jar: str, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    async with BrowserComputer(browser=chromium, url=jar, save_storage=file) as computer:
        await computer.page.evaluate("keep('Zoë')")
        assert not file.exists()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["state.json"]
    for state in (file, str(file), json.loads(file.read_text("utf-8"))):
        async with BrowserComputer(browser=chromium, url=jar, storage_state=state) as computer:
            assert await computer.page.evaluate(HELD) == ["who=Zoë", "Zoë"]
    async with BrowserComputer(browser=chromium, url=jar) as computer:
        assert await computer.page.evaluate(HELD) == ["", None]


async def test_storage_is_asked_for_in_between(chromium: Browser, jar: str, tmp_path: Path) -> None:
    async with BrowserComputer(browser=chromium, url=jar) as computer:
        await computer.page.evaluate("keep('Ada')")
        state = await computer.storage_state()
        assert [(cookie["name"], cookie["value"]) for cookie in state["cookies"]] == [("who", "Ada")]
        assert await computer.storage_state(tmp_path / "state.json") == state
        with pytest.raises(UsageError, match="there is no folder"):
            await computer.storage_state(tmp_path / "none" / "state.json")
    assert json.loads((tmp_path / "state.json").read_text("utf-8")) == state
    with pytest.raises(Disconnected, match="not open"):
        await computer.storage_state()


async def test_two_sessions_in_one_browser_share_nothing(chromium: Browser, jar: str) -> None:
    async with (
        BrowserComputer(browser=chromium, url=jar) as one,
        BrowserComputer(browser=one.browser, url=jar) as two,
    ):
        assert one.browser is two.browser
        await one.page.evaluate("keep('one')")
        assert await two.page.evaluate(HELD) == ["", None]
        await two.page.evaluate("keep('two')")
        assert await one.page.evaluate(HELD) == ["who=one", "one"]


async def test_a_browser_of_ours_serves_others_until_it_ends(jar: str) -> None:
    async with BrowserComputer(url=jar) as one:
        two = await BrowserComputer(browser=one.browser, url=jar).__aenter__()
        await one.page.evaluate("keep('one')")
        assert await two.page.evaluate(HELD) == ["", None]
    with pytest.raises(Disconnected, match="the browser is gone"):
        await two.observe()
    await two.__aexit__(None, None, None)


async def test_what_cannot_be_saved_is_said_and_an_older_file_stands(
    chromium: Browser, jar: str, tmp_path: Path
) -> None:
    file = tmp_path / "state.json"
    file.write_text("older")
    with pytest.raises(ComputerError, match=r"the storage state could not be read"):
        async with BrowserComputer(browser=chromium, url=jar, save_storage=file) as computer:
            await computer.page.context.close()
    assert file.read_text() == "older"
    # What is on its way out already is not hidden by it, and a start that failed replaces nothing.
    computer = await BrowserComputer(browser=chromium, url=jar, save_storage=file).__aenter__()
    await computer.page.context.close()
    await computer.__aexit__(ZeroDivisionError, ZeroDivisionError(), None)
    with pytest.raises(ComputerError, match="could not be loaded"):
        await BrowserComputer(browser=chromium, url="http://127.0.0.1:9/", save_storage=file).__aenter__()
    assert file.read_text() == "older"
    assert os.listdir(tmp_path) == ["state.json"]


async def test_of_the_callers_own_page_the_storage_is_saved_too(chromium: Browser, jar: str, tmp_path: Path) -> None:
    context = await chromium.new_context()
    try:
        page = await context.new_page()
        await page.goto(jar)
        async with BrowserComputer(page=page, save_storage=tmp_path / "state.json"):
            await page.evaluate("keep('mine')")
        assert "mine" in (tmp_path / "state.json").read_text("utf-8")
    finally:
        await context.close()
