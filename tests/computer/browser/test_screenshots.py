"""Pictures of a real page, with the ids of its elements on them; the page notices nothing (item 1)."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

import axstream as ax
from axstream.errors import Unsupported
from axstream.runtime.marks import COLOURS
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

PAGE = """<style>body{margin:0;background:#fff} button,input,#over{position:absolute;width:120px;height:40px}
  input{width:200px} #over{background:#0000;left:90px;top:290px;width:140px;height:60px}</style>
<button style="left:100px;top:100px">Save</button>
<input type=password aria-label=Password value=hunter2 style="left:300px;top:100px">
<button disabled style="left:100px;top:200px">Off</button>
<button style="left:100px;top:300px">Under</button><div id=over>.</div>
<script>window.changes = 0; window.before = null;
  const state = () => document.documentElement.outerHTML + Object.getOwnPropertyNames(window);
  addEventListener("load", () => { before = state(); new MutationObserver((list) => { changes += list.length }).observe(
    document, {subtree: true, childList: true, attributes: true, characterData: true}) })</script>"""


def opened(picture: bytes | None) -> Image.Image:
    assert picture is not None
    image = Image.open(io.BytesIO(picture))
    assert image.format == "PNG"
    return image.convert("RGB")


def hexed(image: Image.Image, x: float, y: float) -> str:
    pixel = image.getpixel((round(x), round(y)))
    assert isinstance(pixel, tuple)
    return "#" + "".join(f"{int(part):02x}" for part in pixel[:3])


async def test_the_ids_of_the_outline_are_drawn_on_the_picture_and_the_page_stays_as_it_was(show: OpenPage) -> None:
    driver = await show(PAGE)
    bare = opened((await ax.observe(driver.computer, screenshot=True)).picture)
    seen = await ax.observe(driver.computer, marks=True)
    marked = opened(seen.picture)
    assert bare.size == marked.size == (1280, 720)
    assert [(role, title) for _, role, title in seen.elements][:2] == [("button", "Save"), ("textbox", "Password")]
    assert (hexed(bare, 101, 98), hexed(marked, 101, 98)) == ("#ffffff", COLOURS["button"])
    assert (hexed(bare, 301, 98), hexed(marked, 301, 98)) == ("#ffffff", COLOURS["field"])
    inside = (310, 104, 490, 136)  # what stands in the field is on the picture what it is on the page
    assert marked.crop(inside).tobytes() == bare.crop(inside).tobytes()
    assert await driver.page.evaluate("[changes, before === state()]") == [0, True]


async def test_covered_and_disabled_elements_are_marked_as_such(show: OpenPage) -> None:
    driver = await show(PAGE)
    seen = await ax.observe(driver.computer, marks=True)
    assert re.search(r'button "Off" disabled', seen.text)
    assert re.search(r'button "Under" covered', seen.text)
    marked = opened(seen.picture)
    assert hexed(marked, 100, 220) == "#5f6368"
    assert {hexed(marked, 100, y) for y in range(302, 338)} > {COLOURS["button"]}


@pytest.mark.parametrize("ratio", [1, 2])
async def test_a_picture_has_a_pixel_for_each_css_pixel(chromium: object, site: Site, ratio: int) -> None:
    """A8."""
    context = await chromium.new_context(viewport={"width": 640, "height": 480}, device_scale_factor=ratio)  # type: ignore[attr-defined]
    page = await context.new_page()
    await page.goto(site.base + site.add(PAGE))
    async with ax.browser(page=page) as screen:
        image = opened((await ax.observe(screen, marks=True)).picture)
    await context.close()
    assert image.size == (640, 480)
    assert hexed(image, 101, 98) == COLOURS["button"]


async def test_what_is_scrolled_away_is_not_marked_and_what_came_is(show: OpenPage) -> None:
    driver = await show(
        "<body style='margin:0'><div style='height:2000px'>a</div><button style='width:99px;height:40px'>Low</button>"
    )
    await driver.page.evaluate("scrollTo(0, 5000)")
    seen = await ax.observe(driver.computer, marks=True)
    marked = opened(seen.picture)
    assert [title for _, _, title in seen.elements] == ["Low"]
    bottom = [y for y in range(620, 720) if hexed(marked, 0, y) == COLOURS["button"]]
    assert bottom


async def test_a_script_dialog_is_drawn_from_its_elements(show: OpenPage) -> None:
    """Z16: the page cannot be pictured while it blocks."""
    driver = await show("<button onclick=\"setTimeout(() => confirm('Really leave?'))\">Ask</button>")
    await driver.click("button", "Ask")

    async def is_open() -> bool:
        return "Cancel" in (await ax.observe(driver.computer)).text

    await driver.until(is_open)
    with pytest.raises(Unsupported, match=r"script dialog \(confirm\).*answer it first"):
        await ax.observe(driver.computer, screenshot=True)
    seen = await ax.observe(driver.computer, marks=True)
    image = opened(seen.picture)
    assert image.size == (1280, 720)
    assert {hexed(image, x, y) for x in range(400, 900, 2) for y in range(40, 220, 2)} >= {COLOURS["button"], "#000000"}
    await driver.key("enter")
