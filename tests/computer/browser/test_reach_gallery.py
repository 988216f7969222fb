"""Bringing an element to where it can be acted on, and acting there (T7, Z17, A7)."""

from __future__ import annotations

import pytest

from axstream.errors import TargetNotActionable, TargetNotFound
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

SHORT_S = 0.4


async def test_what_lies_under_a_sticky_header_is_scrolled_out_of_it(show: OpenPage) -> None:
    driver = await show(
        "<div style='position:sticky;top:0;height:300px;background:#ccc'>head</div><div style=height:900px></div>"
        "<button onclick=said('hit')>Low</button><div style=height:3000px></div>"
    )
    await driver.page.evaluate("scrollTo(0, 1100)")
    await driver.click("button", "Low")
    await driver.logged("hit")


async def test_what_is_covered_in_part_is_clicked_where_it_can_be_seen(show: OpenPage) -> None:
    driver = await show(
        "<button onclick=said('hit') style='width:400px;height:100px'>Wide</button>"
        "<div style='position:fixed;left:150px;top:0;width:150px;height:300px;background:#ccc'></div>"
    )
    await driver.click("button", "Wide")
    await driver.logged("hit")


async def test_a_cover_that_goes_away_is_waited_for(show: OpenPage) -> None:
    driver = await show(
        "<button onclick=said('hit')>Save</button><div id=toast style='position:fixed;inset:0;background:#ccc'>Saved</div>"
        "<script>setTimeout(() => $('toast').remove(), 400)</script>"
    )
    await driver.click("button", "Save")
    await driver.logged("hit")


async def test_a_cover_is_named_by_what_can_be_read_of_it(show: OpenPage) -> None:
    driver = await show(
        "<button>Save</button><div style='position:fixed;inset:0;background:#ccc'><p>Please wait</p></div>"
    )
    node = await driver.find("button", "Save")
    with pytest.raises(TargetNotActionable, match=r'button "Save" is covered by .*Please wait'):
        await driver.computer.prepare(node.handle, "click", SHORT_S)


async def test_a_cover_outside_the_frame_counts(show: OpenPage, site: Site) -> None:
    inner = site.add("<button>Inner</button>")
    for origin in ("BASE", "OTHER"):
        driver = await show(
            f"<iframe src='{origin}{inner}'></iframe><div role=dialog aria-label=Consent"
            " style='position:fixed;inset:0;background:#ccc'></div>"
        )
        node = await driver.find("button", "Inner")
        with pytest.raises(TargetNotActionable, match="Consent"):
            await driver.computer.prepare(node.handle, "click", SHORT_S)


async def test_a_frame_of_another_site_is_scrolled_to(show: OpenPage, site: Site) -> None:
    inner = site.add(
        '<div style=height:2000px>tall</div><button onclick=\'parent.postMessage("hit","*")\'>Deep</button>'
    )
    driver = await show(
        f"<div style=height:3000px></div><iframe src='OTHER{inner}' style='height:150px'></iframe>"
        "<script>onmessage=(e)=>said(e.data)</script>"
    )
    await driver.click("button", "Deep")
    await driver.logged("hit")


async def test_a_link_over_two_lines_is_hit_on_one_of_them(show: OpenPage) -> None:
    driver = await show(
        "<div style='width:200px;font:20px monospace'>aaaaaaaaaaa <a href='#x' onclick=said('hit')>bbbb ccc</a></div>"
    )
    await driver.click("link", "bbbb ccc")
    await driver.logged("hit")


async def test_a_zoomed_and_transformed_page_is_hit(show: OpenPage) -> None:
    driver = await show(
        "<div style='zoom:1.5;transform:scale(.8) rotate(10deg);transform-origin:0 0'><div style=height:100px></div>"
        "<button onclick=said('hit')>Turned</button></div>"
    )
    await driver.click("button", "Turned")
    await driver.logged("hit")


async def test_a_frame_that_is_scaled_is_hit(show: OpenPage, site: Site) -> None:
    inner = site.add("<div style=height:60px></div><button onclick='parent.postMessage(\"hit\")'>Small</button>")
    driver = await show(
        f"<iframe src='BASE{inner}' style='transform:scale(.5);transform-origin:0 0'></iframe><script>onmessage=(e)=>said(e.data)</script>"
    )
    await driver.click("button", "Small")
    await driver.logged("hit")


async def test_what_moves_by_animation_is_hit_where_it_rests(show: OpenPage) -> None:
    """T7: also where no script moves it."""
    driver = await show(
        "<style>#b{position:absolute;left:0;transition:left .5s}#b.go{left:600px}</style>"
        "<button id=b onclick=said('hit',getComputedStyle(this).left)>Slide</button>"
    )
    node = await driver.find("button", "Slide")
    await driver.page.evaluate("$('b').classList.add('go')")
    x, _ = await driver.computer.prepare(node.handle, "click", 2.0)
    assert x > 600
    await driver.click("button", "Slide")
    await driver.logged("hit 600px")


async def test_an_element_removed_while_it_is_waited_for_is_gone(show: OpenPage) -> None:
    driver = await show("<button id=b disabled>Wait</button><script>setTimeout(() => $('b').remove(), 300)</script>")
    node = await driver.find("button", "Wait")
    with pytest.raises(TargetNotFound, match="not on the page any more"):
        await driver.computer.prepare(node.handle, "click", 2.0)


async def test_what_is_not_displayed_says_so(show: OpenPage) -> None:
    driver = await show("<button id=b>Hide</button>")
    node = await driver.find("button", "Hide")
    await driver.page.evaluate("$('b').style.display = 'none'")
    with pytest.raises(TargetNotActionable, match="not displayed"):
        await driver.computer.prepare(node.handle, "click", SHORT_S)


async def test_static_text_can_be_clicked(show: OpenPage) -> None:
    """T3: a text is an element as well."""
    driver = await show("<div onmouseup=said('hit')>first <b>bold</b></div><p onclick=said('p')>second")
    await driver.click("text", "first bold")
    await driver.click("paragraph", "second")
    await driver.logged("hit", "p")


async def test_a_label_that_is_styled_as_its_control_does_not_cover_it(show: OpenPage) -> None:
    """Z17: a hidden checkbox under its drawn label."""
    driver = await show(
        "<style>label{position:relative}input{position:absolute;left:0;opacity:0;width:20px;height:20px}"
        "i{position:absolute;inset:0;width:20px;background:#8cf}</style><label><input type=checkbox id=c><i></i>"
        "<span style=margin-left:30px>Agree</span></label>"
    )
    await driver.click("checkbox", "Agree")
    assert await driver.page.evaluate("$('c').checked")


async def test_right_double_and_hover_are_trusted(show: OpenPage) -> None:
    driver = await show(
        "<button id=b>B</button><script>for (const t of ['click','dblclick','contextmenu','mouseover'])"
        "$('b').addEventListener(t, (e) => said(t, e.isTrusted, e.button))</script>"
    )
    await driver.hover("button", "B")
    await driver.click("button", "B", count=2)
    await driver.click("button", "B", button="right")
    await driver.logged("mouseover true 0", "click true 0", "click true 0", "dblclick true 0", "contextmenu true 2")


async def test_the_platforms_own_drag_protocol_works(show: OpenPage) -> None:
    """A7: HTML5 drag and drop."""
    driver = await show(
        "<div draggable=true id=a role=button style='width:80px'>Card</div><div id=z role=group aria-label=Bin"
        " style='width:200px;height:100px;margin-top:100px;background:#ccc'></div><script>"
        "$('a').ondragstart = (e) => e.dataTransfer.setData('text', 'card'); $('z').ondragover = (e) => e.preventDefault();"
        "$('z').ondrop = (e) => said('dropped', e.dataTransfer.getData('text'))</script>"
    )
    await driver.drag(("button", "Card"), ("group", "Bin"))
    await driver.logged("dropped card")


async def test_a_slider_is_dragged_with_pointer_capture(show: OpenPage) -> None:
    driver = await show(
        "<div id=k role=slider tabindex=0 aria-label=Knob style='position:absolute;left:0;width:20px;height:20px;background:red'>"
        "</div><div role=group aria-label=End style='position:absolute;left:300px;width:20px;height:20px'></div><script>"
        "const k = $('k'); k.onpointerdown = (e) => k.setPointerCapture(e.pointerId); k.onpointermove = (e) => {"
        "if (k.hasPointerCapture(e.pointerId)) k.style.left = `${e.clientX - 10}px` }; k.onpointerup = () => said(k.style.left)</script>"
    )
    await driver.drag(("slider", "Knob"), ("group", "End"))
    await driver.logged("300px")


async def test_the_wheel_says_what_moved_and_when_nothing_did(show: OpenPage, site: Site) -> None:
    """A3: the page, a scroller in it, a frame; and nothing."""
    inner = site.add("<div style='height:3000px'>tall</div>")
    driver = await show(
        "<div role=region aria-label=List style='height:100px;overflow:auto'><div style=height:500px>x</div></div>"
        f"<iframe title=other src='OTHER{inner}'></iframe><button>Top</button><div style=height:3000px></div>"
    )
    await driver.hover("button", "Top")
    assert (await driver.wheel("down", 2)).summary == "scrolled the page by 200 px down"
    assert (await driver.wheel("up", 5)).moved is True
    assert (await driver.wheel("up")).moved is False
    await driver.hover("region", "List")
    effect = await driver.wheel("down")
    assert effect.summary == 'scrolled region "List" by 100 px down'
    await driver.hover("iframe", "other")
    assert (await driver.wheel("down", 3)).moved is True
    assert await driver.page.evaluate("scrollY") == 0


async def test_a_hit_test_tells_the_control_and_not_its_parts(show: OpenPage, site: Site) -> None:
    """Z22."""
    inner = site.add("<button style='width:100px;height:50px'>Inner</button>")
    driver = await show(
        "<button style='position:fixed;left:0;top:0;width:100px;height:50px'><b>Bold</b></button>"
        f"<iframe src='OTHER{inner}' style='position:fixed;left:200px;top:0;border:0'></iframe>"
    )
    await driver.find("button", "Inner")
    hit = await driver.computer.at(50, 25)
    assert hit is not None
    assert (hit.role, hit.name) == ("button", "Bold")
    hit = await driver.computer.at(250, 30)
    assert hit is not None
    assert (hit.role, hit.name) == ("button", "Inner")
    assert hit.box is not None
    assert hit.box.contains(250, 30)
    assert await driver.computer.at(900, 600) is None
