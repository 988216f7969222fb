"""What pages ask a person for: permissions are denied and said, printing hangs nothing, Escape leaves the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from axstream.computer.browser.computer import BrowserComputer
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

ASKS = """<button id=place>Place</button><button id=notify>Notify</button><button id=camera>Camera</button>
<button id=paste>Paste</button><script>
$("place").onclick = () => navigator.geolocation.getCurrentPosition(() => said("place"), (e) => said("no place", e.code));
$("notify").onclick = async () => said(await Notification.requestPermission());
$("camera").onclick = () => navigator.mediaDevices.getUserMedia({ video: true }).then(() => said("seen"), (e) => said(e.name));
$("paste").onclick = () => navigator.clipboard.readText().then(() => said("read"), (e) => said(e.name));
</script>"""


async def told(driver: Driver, words: str) -> str:
    """Return the first note with these words that an observation gives."""
    with anyio.fail_after(5):
        while True:
            for note in (await driver.computer.observe()).notes:
                if words in note:
                    return note


async def press(driver: Driver, button: str, words: str) -> str:
    """Click, and return the note with these words, of the effect or of what is observed then."""
    effect = await driver.click("button", button)
    return next((note for note in effect.notes if words in note), "") or await told(driver, words)


@pytest.mark.parametrize(
    ("button", "heard", "note"),
    [
        ("Place", "no place 1", "the page asked for where the computer is (geolocation): it is denied"),
        ("Notify", "denied", "the page asked for leave to show notifications: it is denied"),
        ("Paste", "NotAllowedError", "the page asked for what the clipboard holds (clipboard-read): it is denied"),
        ("Camera", "", "the page asked for the camera: "),
    ],
)
async def test_what_a_page_asks_for_is_denied_and_said(show: OpenPage, button: str, heard: str, note: str) -> None:
    driver = await show(ASKS)
    assert note in await press(driver, button, "the page asked for")
    await driver.until(lambda: _said(driver))
    [said] = await driver.log()
    assert said == heard or (not heard and said in ("NotAllowedError", "NotFoundError"))


async def _said(driver: Driver) -> bool:
    return bool(await driver.log())


async def test_what_the_context_grants_is_said_as_granted(chromium: Browser, site: Site) -> None:
    context = await chromium.new_context(permissions=["geolocation"], geolocation={"latitude": 48.1, "longitude": 11.6})
    try:
        async with BrowserComputer(page=await context.new_page(), url=site.base + site.add(ASKS)) as computer:
            driver = Driver(computer)
            assert "it is granted" in await press(driver, "Place", "the page asked for")
            await driver.logged("place")
    finally:
        await context.close()


async def test_what_is_never_asked_for_is_left_as_it_is(show: OpenPage) -> None:
    """A button that copies works, as it does for a person."""
    driver = await show(
        "<button id=copy>Copy</button><script>$('copy').onclick = () =>"
        "navigator.clipboard.writeText('x').then(() => said('copied'), (e) => said(e.name))</script>"
    )
    await driver.click("button", "Copy")
    await driver.logged("copied")


async def test_a_page_that_asks_over_and_over_is_said_once(show: OpenPage) -> None:
    driver = await show(ASKS)
    await press(driver, "Place", "geolocation")
    await driver.click("button", "Place")
    await driver.until(lambda: _said_twice(driver))
    assert not any("geolocation" in note for note in (await driver.computer.observe()).notes)


async def _said_twice(driver: Driver) -> bool:
    return len(await driver.log()) == 2


async def test_printing_is_said_and_hangs_nothing(show: OpenPage) -> None:
    driver = await show(
        "<button onclick=\"print(); said('printed')\">Print</button><script>onbeforeprint = () => said('before');"
        "onafterprint = () => said('after')</script>"
    )
    assert await press(driver, "Print", "print") == "the page asked to print; nothing was printed"
    await driver.logged("before", "after", "printed")


async def test_a_frame_and_a_page_that_asks_at_once_are_heard(show: OpenPage, site: Site) -> None:
    frame = site.add("<button onclick='print()'>Inner</button>")
    driver = await show(f"<iframe src=OTHER{frame}></iframe><script>print()</script>")
    assert await told(driver, "asked to print")
    assert await press(driver, "Inner", "asked to print")


FULL = """<style>#stage { background: white }</style><div id=stage><button id=inside>Inside</button></div>
<button id=enter>Enter</button><script>
$("enter").onclick = () => $("stage").requestFullscreen();
$("inside").onclick = () => said("inside");
document.onfullscreenchange = () => said(document.fullscreenElement ? "full" : "small");
onkeydown = (event) => said(event.key);
</script>"""


async def test_the_full_screen_is_said_observed_and_left_by_escape(show: OpenPage) -> None:
    driver = await show(FULL)
    assert "key escape leaves it" in await press(driver, "Enter", "full screen")
    await driver.logged("full")
    tree = await driver.computer.observe()
    enter = next((node for node in tree.nodes if (node.role, node.name) == ("button", "Enter")), None)
    assert enter is None or enter.covered or not enter.onscreen
    await driver.click("button", "Inside")
    await driver.logged("full", "inside")
    effect = await driver.key("escape")
    assert effect.summary == "left the full screen"
    await driver.logged("full", "inside", "small")
    assert ("button", "Enter") in pairs(await driver.computer.observe())
    await driver.key("escape")
    await driver.logged("full", "inside", "small", "Escape")


async def test_a_page_cannot_tell_that_it_is_heard(show: OpenPage) -> None:
    driver = await show(
        "<script>said(Object.keys(window).filter((key) => key.startsWith('axs')).length);"
        "said(print, print.name, print.length, Geolocation.prototype.getCurrentPosition.name);"
        "said(Object.prototype.hasOwnProperty.call(print, 'prototype'), Function.prototype.toString.toString());"
        "try { Geolocation.prototype.watchPosition.call({}) } catch (e) { said(e.name) }</script>"
    )
    await driver.logged(
        "0",
        "function print() { [native code] } print 0 getCurrentPosition",
        "false function toString() { [native code] }",
        "TypeError",
    )
