"""Drags as a page receives them: by its own pointer events and by the platform's protocol, over frames too (A7)."""

from __future__ import annotations

import pytest

from axstream.computer.base import DragTo
from axstream.computer.browser.inputs import Pace
from axstream.computer.browser.performing import NOT_TAKEN, UNTOLD
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

#: A list that is sorted by pointer events; it follows the pointer by frames, and forgets what is under way on release.
SORTED = """<ul id=l role=listbox style='list-style:none;margin:0;padding:0;width:200px'></ul><script>
const l = $('l'); for (const name of ['One', 'Two', 'Three', 'Four']) l.insertAdjacentHTML('beforeend',
  `<li role=option aria-label=${name} style='height:30px;touch-action:none'>${name}</li>`);
let held = null, from = 0, frame = 0, timer = 0;
l.onpointerdown = (e) => { const li = e.target.closest('li'); from = e.clientY;
  if (HOLD) timer = setTimeout(() => held = li, HOLD); else held = li; l.setPointerCapture(e.pointerId) };
l.onpointermove = (e) => { if (!held) return clearTimeout(timer); if (Math.abs(e.clientY - from) < 5 || frame) return;
  frame = requestAnimationFrame(() => { frame = 0; const over = [...l.children].find((o) => { const r = o.getBoundingClientRect();
    return e.clientY >= r.top && e.clientY < r.bottom }); if (over && over !== held) l.insertBefore(held, [...l.children].indexOf(over) >
    [...l.children].indexOf(held) ? over.nextSibling : over) }) };
l.onpointerup = (e) => { cancelAnimationFrame(frame); frame = 0; clearTimeout(timer); held = null;
  said([...l.children].map((o) => o.textContent), e.isTrusted) };
</script>"""

CARD = (
    "<div draggable=true id=a role=button aria-label=Card style='width:80px;height:30px'>Card</div><script>"
    "$('a').ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'card'); e.dataTransfer.effectAllowed = 'move' };"
    "$('a').ondragend = (e) => said('end', e.dataTransfer.dropEffect)</script>"
)
BIN = (
    "<div id=z role=group aria-label=Bin style='width:200px;height:100px;background:#ccc'>bin</div><script>"
    "$('z').ondragover = (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'move' }; $('z').ondrop = (e) => { e.preventDefault();"
    "top.postMessage(`dropped ${e.dataTransfer.getData('text/plain')} ${e.isTrusted}`, '*') }</script>"
)
HEAR = "<script>onmessage = (e) => said(e.data)</script>"


async def test_a_list_is_sorted_by_the_pointer(show: OpenPage) -> None:
    driver = await show(SORTED.replace("HOLD", "0"))
    await driver.drag(("option", "One"), ("option", "Three"))
    await driver.logged("Two,Three,One,Four true")
    await driver.drag(("option", "Four"), ("option", "Two"))
    assert (await driver.log())[-1] == "Four,Two,Three,One true"


async def test_a_list_that_wants_the_button_held_first_is_sorted_at_a_slower_pace(show: OpenPage) -> None:
    driver = await show(SORTED.replace("HOLD", "150"), pace=Pace(drag_s=3.0))
    await driver.drag(("option", "One"), ("option", "Three"))
    await driver.logged("Two,Three,One,Four true")


async def test_a_card_is_dropped_in_a_frame(show: OpenPage, site: Site) -> None:
    """Of another site too, where the page that it came from is not told what became of it; that is said."""
    inner = site.add(BIN)
    for origin, end, notes in (("BASE", ["end move"], ()), ("OTHER", ["end none"], (UNTOLD,))):
        driver = await show(
            CARD
            + f"<iframe src='{origin}{inner}' style='margin-top:60px'></iframe><button onclick=said('after')>After</button>"
            + HEAR
        )
        effect = await driver.drag(("button", "Card"), ("group", "Bin"))
        assert effect.notes == notes
        await driver.click("button", "After")
        assert sorted(await driver.log()) == sorted(["dropped card true", *end, "after"])


async def test_a_card_is_dragged_out_of_a_frame(show: OpenPage, site: Site) -> None:
    inner = site.add(CARD)
    for origin in ("BASE", "OTHER"):
        driver = await show(f"<iframe src='{origin}{inner}' style='height:60px'></iframe>" + BIN + HEAR)
        await driver.drag(("button", "Card"), ("group", "Bin"))
        await _dropped(driver)


async def _dropped(driver: Driver) -> None:
    await driver.page.wait_for_function("log.includes('dropped card true')", timeout=3000)


async def test_what_is_dropped_where_nothing_takes_it_says_so(show: OpenPage) -> None:
    driver = await show(CARD + "<p id=p>Nowhere")
    effect = await driver.drag(("button", "Card"), ("text", "Nowhere"))
    assert effect.notes == (NOT_TAKEN,)
    await driver.logged("end none")


async def test_text_that_is_selected_is_dragged_into_a_field(show: OpenPage) -> None:
    driver = await show("<p id=p>word<textarea aria-label=F id=f style='display:block;margin-top:80px'></textarea>")
    await driver.click("text", "word", count=2)
    await driver.drag(("text", "word"), ("textbox", "F"))
    await driver.until(lambda: driver.page.evaluate("$('f').value.trim() === 'word'"))


async def test_a_line_is_drawn_on_a_canvas_from_its_edge(show: OpenPage) -> None:
    driver = await show(
        "<style>body{margin:0}</style><canvas id=c width=300 height=200></canvas><script>const at = []; $('c').onpointermove = (e) =>"
        " e.buttons && at.push([e.offsetX, e.offsetY]); $('c').onpointerdown = (e) => said('down', e.offsetX, e.offsetY);"
        "addEventListener('pointerup', (e) => said('up', e.offsetX, e.offsetY, at.length))</script>"
    )
    await driver.computer.perform(DragTo(x=0, y=0, to_x=200, to_y=100))
    await driver.logged("down 0 0", "up 200 100 11")


async def test_a_page_that_scrolls_while_something_is_dragged_is_said(show: OpenPage) -> None:
    driver = await show(
        "<style>body{margin:0}</style><div role=button aria-label=Knob id=k style='width:60px;height:30px;touch-action:none'></div>"
        "<div style=height:3000px></div><script>let on = false; $('k').onpointerdown = (e) => { on = true; $('k').setPointerCapture(e.pointerId) };"
        "$('k').onpointermove = (e) => { if (on && e.clientY > innerHeight - 80) scrollBy(0, 25) }; $('k').onpointerup = () => on = false</script>"
    )
    x, y = await driver.point("button", "Knob", purpose="drag")
    effect = await driver.computer.perform(DragTo(x=x, y=y, to_x=x, to_y=700))
    moved = await driver.page.evaluate("scrollY")
    assert moved > 0
    assert effect.notes == (f"the page scrolled by {moved} px meanwhile",)


@pytest.mark.parametrize("vertical", [False, True])
async def test_a_thumb_with_captured_pointer_follows(show: OpenPage, vertical: bool) -> None:
    axis = "clientY" if vertical else "clientX"
    driver = await show(
        "<div id=k role=slider tabindex=0 aria-label=Knob style='position:absolute;left:0;top:0;width:20px;height:20px;background:red'></div>"
        "<script>const k = $('k'); let at = null; k.onpointerdown = (e) => { at = e.AXIS; k.setPointerCapture(e.pointerId) };"
        "k.onlostpointercapture = (e) => said(k.dataset.v, e.isTrusted); k.onpointermove = (e) => { if (k.hasPointerCapture(e.pointerId))"
        " k.dataset.v = e.AXIS - at }</script>".replace("AXIS", axis)
    )
    to = (10, 310) if vertical else (310, 10)
    await driver.computer.perform(DragTo(x=10, y=10, to_x=to[0], to_y=to[1]))
    await driver.logged("300 true")
