"""Dates, times, colours and ranges as a page receives them: by keys and clicks, trusted, and heard as a whole (A1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from axstream.computer.base import TypeText
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.setting import BY_SCRIPT
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import PRELUDE, Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

HEARS = "<script>for (const t of ['input', 'change']) $('f').addEventListener(t, (e) => said(t, e.isTrusted, $('f').value))</script>"


def heard(*values: str) -> list[str]:
    return [f"{event} true {value}".rstrip() for value in values for event in ("input", "change")]


async def settled_log(driver: Driver) -> list[str]:
    return [line.rstrip() for line in await driver.log()]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2024-02-29"),
        ("date", "1987-11-05"),
        ("date", "2031-01-31"),
        ("time", "13:45"),
        ("time", "00:05"),
        ("time", "12:00"),
        ("datetime-local", "2024-02-29T23:59"),
        ("month", "2024-12"),
        ("week", "2024-W09"),
    ],
)
async def test_a_moment_is_heard_once_and_trusted(show: OpenPage, kind: str, value: str) -> None:
    driver = await show(f"<input type={kind} aria-label=F id=f>" + HEARS)
    effect = await driver.fill("textbox", "F", value)
    assert effect.notes == ()
    assert await settled_log(driver) == heard(value)


@pytest.mark.parametrize(
    ("attributes", "value"),
    [
        ("type=date value=1999-12-31", "2024-10-17"),
        ("type=time value=01:02", "23:58"),
        ("type=time step=1 value=01:02:03", "23:58:59"),
        ("type=time step=0.001", "23:58:59.042"),
        ("type=datetime-local value=1999-12-31T23:59", "2024-06-01T00:00"),
        ("type=month value=1999-12", "2024-06"),
        ("type=week value=1999-W51", "2026-W53"),
        ("type=date min=2024-01-01 max=2026-12-31", "2025-05-20"),
        ("type=date max=2030-12-31", "2030-12-31"),
    ],
)
async def test_what_stood_there_is_replaced_by_keys_alone(show: OpenPage, attributes: str, value: str) -> None:
    driver = await show(f"<input {attributes} aria-label=F id=f>" + HEARS)
    effect = await driver.fill("textbox", "F", value, clear=True)
    assert effect.notes == ()
    log = await settled_log(driver)
    assert log[-2:] == heard(value)
    assert all("true" in line for line in log)


async def test_a_moment_is_emptied_by_keys(show: OpenPage) -> None:
    driver = await show("<input type=date value=1999-12-31 aria-label=F id=f>" + HEARS)
    node = await driver.find("textbox", "F")
    await driver.click("textbox", "F")
    await driver.computer.perform(TypeText(text="", clear=True, handle=node.handle))
    assert await settled_log(driver) == heard("")


async def test_a_value_that_is_there_already_is_not_heard_again(show: OpenPage) -> None:
    driver = await show("<input type=date value=1999-12-31 aria-label=F id=f>" + HEARS)
    await driver.fill("textbox", "F", "1999-12-31")
    assert await driver.log() == []


async def test_a_field_that_refuses_keys_is_set_by_script_and_says_so(show: OpenPage) -> None:
    """As pages do that want their own picker used."""
    driver = await show("<input type=date aria-label=F id=f onkeydown='return false'>" + HEARS)
    effect = await driver.fill("textbox", "F", "2024-02-29")
    assert effect.notes == (BY_SCRIPT,)
    await driver.logged("input false 2024-02-29", "change false 2024-02-29")


async def test_seconds_that_no_inner_field_shows_are_set_by_script(show: OpenPage) -> None:
    driver = await show("<input type=time aria-label=F id=f>" + HEARS)
    assert (await driver.fill("textbox", "F", "13:45:00")).notes == ("the field holds 13:45",)
    assert (await driver.fill("textbox", "F", "13:45:30")).notes == (BY_SCRIPT,)
    assert await driver.page.evaluate("$('f').value") == "13:45:30"


async def test_a_page_that_makes_something_else_of_it_is_left_alone(show: OpenPage) -> None:
    driver = await show(
        "<input type=date aria-label=F id=f>"
        + HEARS
        + "<script>$('f').onchange = () => $('f').value = '2000-01-01'</script>"
    )
    effect = await driver.fill("textbox", "F", "2024-02-09")
    assert effect.notes == ("the field holds 2000-01-01",)
    assert "false" not in " ".join(await driver.log())


async def test_the_inner_fields_are_read_whatever_language_the_page_has(show: OpenPage, chromium: Browser) -> None:
    """Theirs is that of the browser's windows; the page's and `Intl`'s is another one here."""
    context = await chromium.new_context(locale="de-DE")
    page = await context.new_page()
    try:
        async with BrowserComputer(page=page) as computer:
            await page.set_content(PRELUDE + "<html lang=de><input type=datetime-local aria-label=F id=f>" + HEARS)
            driver = Driver(computer)
            assert (
                await driver.page.evaluate("new Date(0).toLocaleDateString(undefined, {timeZone: 'UTC'})") == "1.1.1970"
            )
            assert (await driver.fill("textbox", "F", "2024-02-29T13:45")).notes == ()
            assert await settled_log(driver) == heard("2024-02-29T13:45")
    finally:
        await context.close()


async def test_a_colour_is_set_in_the_colour_window(show: OpenPage) -> None:
    driver = await show("<input type=color value=#102030 aria-label=F id=f>" + HEARS)
    effect = await driver.fill("textbox", "F", "#ff8800")
    assert effect.notes == ()
    await driver.page.evaluate("$('f').focus()")
    await driver.type("#00C8fe")
    log = await driver.log()
    assert [line for line in log if line.startswith("change")] == ["change true #ff8800", "change true #00c8fe"]
    assert all("true" in line for line in log)


@pytest.mark.parametrize(
    ("attributes", "value"),
    [
        ("", "73"),
        ("value=70", "71"),
        ("min=-1 max=1 step=0.01", "-0.37"),
        ("max=1000000 step=10000 style='width:600px'", "430000"),
        ("dir=rtl", "20"),
        ("style='writing-mode:vertical-lr'", "80"),
        ("style='writing-mode:vertical-lr;direction:rtl'", "80"),
        ("style='zoom:1.5;width:300px'", "12"),
        ("min=5 max=5", "5"),
    ],
)
async def test_a_slider_is_moved_by_hand(show: OpenPage, attributes: str, value: str) -> None:
    driver = await show(f"<input type=range {attributes} aria-label=F id=f>" + HEARS)
    effect = await driver.fill("slider", "F", value)
    assert effect.notes == ()
    assert await driver.page.evaluate("$('f').value") == value
    assert all("true" in line for line in await driver.log())


async def test_a_slider_that_is_typed_into_goes_straight_there(show: OpenPage) -> None:
    """The click that gives it the focus does not move it."""
    driver = await show("<input type=range value=10 aria-label=F id=f style='width:400px'>" + HEARS)
    await driver.fill("slider", "F", "90")
    assert await driver.log() == heard("90")


async def test_a_value_between_the_steps_of_a_slider_is_the_nearest(show: OpenPage) -> None:
    driver = await show("<input type=range step=10 aria-label=F id=f>" + HEARS)
    assert (await driver.fill("slider", "F", "73")).notes == ("the field holds 70",)


async def test_a_slider_with_too_fine_steps_is_set_by_script_and_says_so(show: OpenPage) -> None:
    driver = await show("<input type=range max=1000000 aria-label=F id=f>" + HEARS)
    assert (await driver.fill("slider", "F", "123456")).notes == (BY_SCRIPT,)
    assert await driver.page.evaluate("$('f').value") == "123456"


async def test_inputs_in_a_frame_of_another_site_are_set_by_hand(show: OpenPage, site: Site) -> None:
    inner = site.add(
        "<input type=range aria-label=R id=r style='margin:40px'><input type=date aria-label=D id=d><script>"
        "for (const i of [$('r'), $('d')]) i.oninput = (e) => parent.postMessage(`${e.isTrusted} ${i.value}`, '*')</script>"
    )
    driver = await show(
        f"<iframe src='OTHER{inner}' style='margin:50px' width=600></iframe><script>onmessage = (e) => said(e.data)</script>"
    )
    await driver.fill("slider", "R", "90")
    await driver.fill("textbox", "D", "2024-02-09")
    await driver.until(lambda: _has(driver, "true 2024-02-09"))
    assert "true 90" in await driver.log()
    assert "false" not in " ".join(await driver.log())


async def _has(driver: Driver, line: str) -> bool:
    return line in await driver.log()
