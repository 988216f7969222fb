"""The wheel on real pages: what moves, what is said of it, and that the pointer stays (A3)."""

from __future__ import annotations

import pytest

from axstream.computer.base import MoveTo
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

TALL = "<div style=height:3000px>tall</div>"


def box(name: str, inner: str, style: str = "") -> str:
    return f"<div role=region aria-label={name} id={name} style='width:300px;height:200px;overflow:auto;{style}'>{inner}</div>"


async def test_nested_scrollers_take_turns(show: OpenPage) -> None:
    driver = await show(
        box(
            "Outer", box("Inner", "<div style=height:350px>x</div>", "height:100px") + "<div style=height:350px>y</div>"
        )
        + TALL
    )
    await driver.hover("region", "Inner")
    assert (await driver.wheel("down")).summary == 'scrolled region "Inner" by 100 px down'
    assert (await driver.wheel("down", 2)).summary.startswith('scrolled region "Inner" by 150 px down')
    assert (await driver.wheel("down")).summary == 'scrolled region "Outer" by 100 px down'
    assert await driver.page.evaluate("scrollY") == 0


async def test_a_scroller_goes_sideways_in_either_reading_direction(show: OpenPage) -> None:
    wide = "<div style='width:900px;height:50px'>wide</div>"
    driver = await show(box("Left", wide) + box("Right", wide, "direction:rtl"))
    await driver.hover("region", "Left")
    assert (await driver.wheel("right", 2)).summary == 'scrolled region "Left" by 200 px right'
    assert (await driver.wheel("left", 9)).summary == 'scrolled region "Left" by 200 px left, to its end'
    assert (await driver.wheel("left")).summary == 'nothing scrolled: region "Left" is at its end'
    await driver.hover("region", "Right")
    assert (await driver.wheel("right")).summary == 'nothing scrolled: region "Right" is at its end'
    assert (await driver.wheel("left", 2)).summary == 'scrolled region "Right" by 200 px left'


async def test_the_end_of_the_page_is_said(show: OpenPage) -> None:
    driver = await show(TALL)
    assert (await driver.wheel("up")).summary == "nothing scrolled: the page is at its end"
    assert (await driver.wheel("down", 100)).summary.endswith("px down, to its end")
    effect = await driver.wheel("down")
    assert (effect.summary, effect.moved) == ("nothing scrolled: the page is at its end", False)


async def test_the_nearest_scroller_is_taken_where_nothing_under_the_pointer_scrolls(show: OpenPage) -> None:
    """An application that fills the window and scrolls a part of it; the page sees the pointer nowhere else."""
    driver = await show(
        "<style>html,body{height:100%;margin:0;overflow:hidden}</style><div style='height:100px'>Head</div>"
        + box("Far", TALL, "position:absolute;top:400px;left:900px")
        + box("Near", TALL, "position:absolute;top:120px;left:0")
        + "<script>addEventListener('mousemove', (e) => said('at', e.clientX, e.clientY))</script>"
    )
    await driver.computer.perform(MoveTo(x=20, y=20))
    effect = await driver.wheel("down", 3)
    assert effect.summary == 'scrolled region "Near" by 300 px down'
    assert effect.notes == ("nothing under the pointer scrolls, so the nearest that does was scrolled",)
    await driver.logged("at 20 20")


async def test_a_page_without_anything_to_scroll_says_so(show: OpenPage) -> None:
    driver = await show("<p>short")
    effect = await driver.wheel("down")
    assert (effect.summary, effect.moved) == ("turned the wheel down: nothing here scrolls that way", False)


async def test_a_page_at_its_end_leaves_its_other_scrollers_alone(show: OpenPage) -> None:
    driver = await show(box("Side", TALL, "position:fixed;right:0;top:0") + TALL)
    await driver.computer.perform(MoveTo(x=20, y=300))
    await driver.wheel("down", 100)
    assert (await driver.wheel("down")).moved is False
    assert await driver.page.evaluate("$('Side').scrollTop") == 0


async def test_a_map_that_takes_the_wheel_is_said(show: OpenPage) -> None:
    driver = await show(
        "<canvas id=c width=300 height=300></canvas><script>$('c').addEventListener('wheel', (e) => { e.preventDefault();"
        "said('wheel', e.isTrusted, e.deltaY) }, {passive: false})</script>" + TALL
    )
    await driver.computer.perform(MoveTo(x=50, y=50))
    effect = await driver.wheel("down", 2)
    assert effect.summary == "turned the wheel down: nothing scrolled, the page took the wheel itself"
    assert effect.moved is None
    await driver.logged("wheel true 100", "wheel true 100")


async def test_a_page_that_scrolls_smoothly_by_itself_is_waited_for(show: OpenPage) -> None:
    driver = await show(
        TALL
        + "<script>let to = 0; addEventListener('wheel', (e) => { e.preventDefault(); to += e.deltaY; const go = () => {"
        "scrollTo(0, scrollY + Math.ceil((to - scrollY) / 6)); if (scrollY < to) requestAnimationFrame(go) }; go() },"
        "{passive: false})</script>"
    )
    assert (await driver.wheel("down", 3)).summary == "scrolled the page by 300 px down"


@pytest.mark.parametrize("style", ["scroll-snap-type:y mandatory", "scroll-behavior:smooth"])
async def test_a_scroller_that_snaps_is_said_where_it_rests(show: OpenPage, style: str) -> None:
    cells = "".join(f"<div style='height:200px;scroll-snap-align:start'>{n}</div>" for n in range(9))
    driver = await show(box("Cells", cells, style))
    await driver.hover("region", "Cells")
    effect = await driver.wheel("down", 2)
    at = await driver.page.evaluate("$('Cells').scrollTop")
    assert at > 0
    assert effect.summary == f'scrolled region "Cells" by {at} px down'


async def test_the_rows_that_a_list_draws_as_it_scrolls_are_in_the_next_observation(show: OpenPage) -> None:
    driver = await show(
        box("Rows", "<div id=pad style='height:100000px;position:relative'></div>")
        + "<script>const draw = () => { const first = Math.floor($('Rows').scrollTop / 20); $('pad').innerHTML = Array.from({length: 12},"
        "(_, i) => `<div style='position:absolute;top:${(first + i) * 20}px'>row ${first + i}</div>`).join('') };"
        "$('Rows').onscroll = () => requestAnimationFrame(draw); draw()</script>"
    )
    await driver.hover("region", "Rows")
    await driver.wheel("down", 20)
    tree = await driver.computer.observe()
    assert ("text", "row 100") in [(node.role, node.name) for node in tree.nodes]


async def test_frames_scroll_first_and_the_page_behind_them_next(show: OpenPage, site: Site) -> None:
    inner = site.add("<div style=height:400px>inner</div>")
    for origin in ("BASE", "OTHER"):
        driver = await show(f"<iframe title=Frame src='{origin}{inner}' style='height:200px;border:0'></iframe>" + TALL)
        await driver.find("text", "inner")
        await driver.hover("iframe", "Frame")
        first = await driver.wheel("down")
        assert first.moved is True
        assert "by 100 px down" in first.summary
        assert await driver.page.evaluate("scrollY") == 0
        await driver.wheel("down", 9)
        assert (await driver.wheel("down")).summary == "scrolled the page by 100 px down"
