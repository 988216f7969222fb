"""Clicks and hovers as a page receives them, on everything that is hard to hit or easy to lose (T7, Z17)."""

from __future__ import annotations

import pytest

from axstream.computer.base import ClickAt
from axstream.computer.browser.performing import NO_MENU
from axstream.errors import TargetNotActionable
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import pairs

SHORT_S = 0.4

MENU_STYLE = (
    "<style>ul{list-style:none;margin:0;padding:0;width:140px;background:#eee}li{position:relative;height:24px}"
    "li ul{position:absolute;left:140px;top:0}</style>"
)


async def test_a_menu_that_a_style_opens_is_gone_through(show: OpenPage) -> None:
    """Each level stands beside the one before; below the way to it are items that open others."""
    driver = await show(
        MENU_STYLE + "<style>li ul{display:none}li:hover>ul{display:block}</style><ul role=menu>"
        "<li role=menuitem aria-label=File>File<ul role=menu><li role=menuitem aria-label=Share>Share<ul role=menu>"
        + "".join(f"<li role=menuitem onclick='said({n}, event.isTrusted)'>Way {n}" for n in range(9))
        + "</ul><li role=menuitem>Print</ul><li role=menuitem>Edit<ul role=menu><li role=menuitem>Cut</ul></ul>"
    )
    await driver.hover("menuitem", "File")
    await driver.hover("menuitem", "Share")
    await driver.click("menuitem", "Way 8")
    await driver.logged("8 true")


async def test_a_menu_that_a_script_closes_when_the_pointer_leaves_is_gone_through(show: OpenPage) -> None:
    """Its items open others as soon as the pointer enters them, and a gap lies between the two levels."""
    driver = await show(
        MENU_STYLE
        + "<style>li ul{left:150px;display:none}</style><ul role=menu id=m>"
        + "".join(
            f"<li role=menuitem aria-label=Top{n} data-n={n}>Top{n}<ul role=menu>"
            + "".join(f"<li role=menuitem>Sub{n}{i}" for i in range(6))
            + "</ul>"
            for n in range(4)
        )
        + "</ul><script>let t = 0; const close = () => { for (const u of document.querySelectorAll('li ul')) u.style.display = 'none' };"
        "for (const li of $('m').children) { li.onmouseenter = () => { clearTimeout(t); close(); li.lastElementChild.style.display = 'block' };"
        "li.onmouseleave = () => { t = setTimeout(close, 50) } };"
        "for (const s of document.querySelectorAll('li li')) s.onclick = (e) => said(e.target.textContent.trim(), e.isTrusted)</script>"
    )
    await driver.hover("menuitem", "Top0")
    await driver.click("menuitem", "Sub05")
    await driver.hover("menuitem", "Top3")
    await driver.click("menuitem", "Sub30")
    await driver.logged("Sub05 true", "Sub30 true")


@pytest.mark.parametrize(
    "tip",
    [
        "<style>[role=tooltip]{visibility:hidden}button:hover+[role=tooltip]{visibility:visible}</style>",
        "<style>[role=tooltip]{visibility:hidden;opacity:0;transition:opacity .2s .2s, visibility 0s .2s}"
        "button:hover+[role=tooltip]{visibility:visible;opacity:1}</style>",
        "<script>addEventListener('DOMContentLoaded', () => { const tip = document.querySelector('[role=tooltip]'); tip.hidden = true;"
        "$('b').onmouseenter = () => setTimeout(() => tip.hidden = false, 300); $('b').onmouseleave = () => tip.hidden = true })</script>",
    ],
    ids=["style", "delayed style", "delayed script"],
)
async def test_a_tip_is_in_the_observation_after_the_pointer_came(show: OpenPage, tip: str) -> None:
    driver = await show(tip + "<button id=b>Save</button><div role=tooltip>Keeps your work</div>")
    assert "Keeps your work" not in str(pairs(await driver.computer.observe()))
    await driver.hover("button", "Save")
    assert "Keeps your work" in str(pairs(await driver.computer.observe()))


async def test_a_double_click_selects_a_word(show: OpenPage) -> None:
    driver = await show(
        "<p id=p style='font:20px monospace;width:12ch;overflow:hidden'>oneword<script>$('p').ondblclick = (e) =>"
        " said(e.detail, e.isTrusted, getSelection())</script>"
    )
    await driver.click("text", "oneword", count=2)
    await driver.logged("2 true oneword")


async def test_the_pages_own_context_menu_is_seen_and_the_browsers_is_not(show: OpenPage) -> None:
    own = await show(
        "<button id=b>Row</button><ul role=menu id=m hidden><li role=menuitem onclick=said('renamed')>Rename</ul><script>"
        "$('b').oncontextmenu = (e) => { e.preventDefault(); $('m').hidden = false }</script>"
    )
    effect = await own.click("button", "Row", button="right")
    assert (effect.summary, effect.notes) == ("right-clicked", ())
    await own.click("menuitem", "Rename")
    await own.logged("renamed")
    none = await show("<button>Row</button>")
    effect = await none.click("button", "Row", button="right")
    assert effect.notes == (NO_MENU,)


async def test_clicks_on_labels_reach_their_controls(show: OpenPage) -> None:
    driver = await show(
        "<label for=a>First</label><input type=checkbox id=a><label>Second <input type=checkbox id=b></label>"
        "<label for=r>Third</label><input type=radio id=r style='position:absolute;opacity:0;width:1px;height:1px;clip-path:inset(50%)'>"
    )
    await driver.click("text", "First")
    await driver.click("text", "Second")
    await driver.click("radio", "Third")
    assert await driver.page.evaluate("[$('a'), $('b'), $('r')].map(i => i.checked)") == [True, True, True]


async def test_what_takes_no_pointer_says_so(show: OpenPage) -> None:
    driver = await show(
        "<div onclick=said('behind') style='width:200px'><button style='pointer-events:none'>Ghost</button></div>"
        "<fieldset disabled><button>Off</button><legend><button onclick=said('legend')>Legend</button></legend></fieldset>"
        "<button inert>Inert</button>"
    )
    for name, why in (("Ghost", "takes no pointer"), ("Off", "is disabled")):
        node = await driver.find("button", name)
        with pytest.raises(TargetNotActionable, match=why):
            await driver.computer.prepare(node.handle, "click", SHORT_S)
    await driver.click("button", "Legend")
    await driver.logged("legend")


async def test_shapes_of_a_drawing_are_hit(show: OpenPage) -> None:
    """A ring is not in its own middle, a line fills little of its box."""
    driver = await show(
        "<svg width=200 height=200><g role=button aria-label=Ring onclick=said('ring')><path fill-rule=evenodd"
        " d='M100 0a100 100 0 1 0 .1 0zM100 60a40 40 0 1 1-.1 0z'/></g><path role=button aria-label=Line onclick=said('line')"
        " d='M10 190 L190 190' stroke=black stroke-width=6 /><g role=button aria-label=Arc onclick=said('arc')>"
        "<path fill=none stroke=black stroke-width=3 d='M20 150 A 60 60 0 0 1 180 150'/></g></svg>"
    )
    await driver.click("button", "Arc")
    await driver.click("button", "Ring")
    await driver.click("button", "Line")
    await driver.logged("arc", "ring", "line")


async def test_areas_of_a_picture_are_hit(show: OpenPage) -> None:
    """Far down the page, in a frame around the picture, and in no other area."""
    driver = await show(
        "<div style=height:2000px></div><img usemap=#m width=200 height=100 alt=Plan style='border:5px solid;padding:7px'"
        " src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>\"><map name=m>"
        "<area shape=rect coords='0,0,100,100' href=#west alt=West onclick=said('west')>"
        "<area shape=circle coords='150,50,40' href=#east alt=East onclick=said('east')>"
        "<area shape=poly coords='190,0,199,0,199,20' href=#tip alt=Tip onclick=said('tip')></map>"
        "<img usemap=#gone hidden><map name=gone><area shape=default href=#gone alt=Gone></map>"
    )
    for name in ("West", "East", "Tip"):
        await driver.click("link", name)
    await driver.logged("west", "east", "tip")
    assert ("link", "Gone") not in pairs(await driver.tree())


async def test_points_of_a_canvas_are_hit(show: OpenPage) -> None:
    driver = await show(
        "<canvas id=c width=300 height=200></canvas><script>$('c').onclick = (e) => said(e.offsetX, e.offsetY, e.isTrusted)</script>"
    )
    box = await driver.page.evaluate("(({x, y}) => [x, y])($('c').getBoundingClientRect())")
    await driver.computer.perform(ClickAt(x=box[0] + 120, y=box[1] + 80))
    await driver.logged("120 80 true")


async def test_what_moves_when_the_pointer_comes_is_hit_all_the_same(show: OpenPage) -> None:
    driver = await show(
        "<style>a{display:inline-block;transition:transform .2s}a:hover{transform:translateY(-6px) scale(1.1)}</style>"
        "<a href=#x onclick=said('hit')>Lift</a>"
    )
    await driver.click("link", "Lift")
    await driver.logged("hit")


async def test_details_open_and_slotted_things_are_hit(show: OpenPage) -> None:
    driver = await show(
        "<details><summary>More</summary><button onclick=said('inside')>Inside</button></details>"
        "<x-card><button slot=action onclick=said('slotted')>Buy</button></x-card><script>customElements.define('x-card', class"
        " extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<section><slot name=action>"
        "</slot></section>' } })</script>"
    )
    await driver.page.evaluate("document.querySelector('details').open = false")
    await driver.click("button", "More")
    await driver.click("button", "Inside")
    await driver.click("button", "Buy")
    await driver.logged("inside", "slotted")
