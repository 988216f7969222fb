"""Documents that do not come: HTTP authentication and certificates are said as what they are, and never answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from axstream.computer.base import ClickAt, OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.refusals import asks_for_credentials, did_not_come
from axstream.errors import ComputerError, TargetNotActionable, TargetNotFound
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

WHO = "only who starts the browser can"


def test_what_a_server_says_stays_on_its_line() -> None:
    said = asks_for_credentials("http://a.example/", 'Basic realm="x`\n```", nonce="1"')
    assert said.count("\n") == 0
    assert "`" not in said
    assert "realm" not in asks_for_credentials("http://a.example/", "")
    assert "the proxy before http://a.example/ asks" in asks_for_credentials("http://a.example/", "Basic", proxy=True)


def test_other_certificates_are_told_apart() -> None:
    assert "it is that of another host" in did_not_come("https://a.example/", "net::ERR_CERT_COMMON_NAME_INVALID")
    assert "does not trust it (net::ERR_CERT_WEAK_KEY)" in did_not_come("https://a.example/", "net::ERR_CERT_WEAK_KEY")
    assert did_not_come("https://a.example/", "") == "https://a.example/ could not be loaded: no reason was given"


@pytest.mark.parametrize("scheme", ["Basic", "Digest"])
async def test_a_server_that_asks_for_a_password_is_said(show: OpenPage, site: Site, scheme: str) -> None:
    path = f"/auth?scheme={scheme}"
    asks = f'{site.base}{path} asks for a user name and password (HTTP 401, {scheme.lower()}, realm "The vault"); {WHO}'
    driver = await show(f"<title>Here</title><a href='{path}'>Vault</a><button onclick=said('well')>Other</button>")
    effect = await driver.click("link", "Vault")
    assert [note.startswith(asks) for note in effect.notes] == [True], effect
    await driver.key("alt", "left")
    await driver.click("button", "Other")
    await driver.logged("well")
    with pytest.raises(TargetNotFound) as refused:
        await driver.computer.perform(OpenUrl(url=site.base + path))
    assert str(refused.value).startswith("open: " + asks)
    assert (await driver.key("f2")).notes == ()
    await driver.computer.perform(OpenUrl(url=site.base + site.add("<p>after")))
    await driver.find("text", "after")


async def test_credentials_that_the_context_has_are_given(chromium: Browser, site: Site) -> None:
    context = await chromium.new_context(http_credentials={"username": "ada", "password": "x"})
    try:
        async with BrowserComputer(page=await context.new_page(), url=site.base + "/auth") as computer:
            await Driver(computer).find("text", "you are in")
    finally:
        await context.close()


async def test_a_computer_that_begins_at_a_refused_address_says_why(chromium: Browser, site: Site) -> None:
    with pytest.raises(ComputerError, match=f"asks for a user name and password .*{WHO}"):
        async with BrowserComputer(browser=chromium, url=site.base + "/auth"):
            raise AssertionError("it was entered")


async def test_a_certificate_that_nobody_vouches_for_is_said(show: OpenPage, site: Site, vouchless: Site) -> None:
    url = vouchless.base + vouchless.add("<p>over there")
    refused = f"{url} could not be loaded: its certificate is not accepted, nobody known vouches for it"
    driver = await show(f"<title>Here</title><a href='{url}'>There</a>")
    effect = await driver.click("link", "There")
    assert [note.startswith(refused) for note in effect.notes] == [True], effect
    with pytest.raises(TargetNotFound, match=f"^open: {refused}.*{WHO}"):
        await driver.computer.perform(OpenUrl(url=url))
    await driver.computer.perform(OpenUrl(url=site.base + site.add("<button onclick=said('well')>After</button>")))
    await driver.click("button", "After")
    await driver.logged("well")
    assert all(path != url.removeprefix(vouchless.base) for path in vouchless.asked)


async def test_no_input_accepts_a_certificate(show: OpenPage, vouchless: Site) -> None:
    """The browser's warning can be clicked and typed through; neither is for a model to do."""
    url = vouchless.base + vouchless.add("<p>over there")
    driver = await show(f"<title>Here</title><a href='{url}'>There</a>")
    await driver.click("link", "There")
    buttons = [node for node in (await driver.tree()).nodes if node.role == "button"]
    assert buttons, "the warning has buttons"
    for button in buttons:
        with pytest.raises(TargetNotActionable, match="takes no input here"):
            await driver.computer.perform(ClickAt(x=10, y=10, handle=button.handle))
    with pytest.raises(TargetNotActionable, match="takes no input here"):
        await driver.type("thisisunsafe")
    with pytest.raises(TargetNotActionable, match="takes no input here"):
        await driver.key("t")
    await driver.computer.observe()
    assert vouchless.asked == []
    await driver.key("alt", "left")
    await driver.find("link", "There")


async def test_a_context_that_accepts_certificates_shows_the_page(chromium: Browser, vouchless: Site) -> None:
    context = await chromium.new_context(ignore_https_errors=True)
    try:
        url = vouchless.base + vouchless.add("<p>over there")
        async with BrowserComputer(page=await context.new_page(), url=url) as computer:
            await Driver(computer).find("text", "over there")
    finally:
        await context.close()
        vouchless.asked.clear()


async def test_a_frame_that_does_not_come_is_said_as_a_frame(show: OpenPage, vouchless: Site) -> None:
    driver = await show(f"<button>Here</button><iframe src='{vouchless.base}/x'></iframe>")
    tree = await driver.computer.observe()
    assert any(note.startswith(f"a frame of the page: {vouchless.base}/x could not be loaded") for note in tree.notes)
    await driver.find("button", "Here")
