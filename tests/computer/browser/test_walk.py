"""What is seen of a page: names, states, frames, shadow roots, text, what can be acted on (O1, O2, O6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axstream.ax.node import Node
from axstream.computer.browser.computer import BrowserComputer
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import outline, pairs
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def test_text_is_folded_by_block_and_not_said_twice(show: OpenPage) -> None:
    """O6: what a person can read is there; what a control is called is not said again."""
    driver = await show(
        "<h1>Bill <i>no</i> 7</h1><p>Total: <b>41</b> <span>EUR</span>.<p>Due <a href=/t>tomorrow <b>noon</b></a> at last"
        "<div>one<br>two</div><button>Pay <span>now</span></button><ul><li>milk<li>eggs</ul>"
    )
    assert pairs(await driver.tree())[1:] == [
        ("heading", "Bill no 7"),
        ("text", "Total: 41 EUR."),
        ("text", "Due"),
        ("link", "tomorrow noon"),
        ("text", "at last"),
        ("text", "one two"),
        ("button", "Pay now"),
        ("list", ""),
        ("listitem", ""),
        ("text", "milk"),
        ("listitem", ""),
        ("text", "eggs"),
    ]


async def test_names_come_from_the_browser(show: OpenPage) -> None:
    """O1: label, aria-label, aria-labelledby, alt, title, placeholder, caption, legend."""
    driver = await show(
        "<label>Mail <input></label><input aria-label=Phone><span id=s>Street</span><input aria-labelledby=s>"
        "<a href=/><img alt=Home></a><button title=Close>x</button><button title=Menu></button><input placeholder=Search>"
        "<fieldset><legend>Ship</legend><input type=checkbox id=c><label for=c>Fast</label></fieldset>"
        "<button aria-label='Open profile'>Alice</button>"
    )
    tree = await driver.tree()
    found = pairs(tree)
    for wanted in (
        ("textbox", "Mail"),
        ("textbox", "Phone"),
        ("textbox", "Street"),
        ("link", "Home"),
        ("button", "x"),
        ("button", "Menu"),
        ("textbox", "Search"),
        ("group", "Ship"),
        ("checkbox", "Fast"),
        ("button", "Open profile"),
        ("text", "Alice"),
    ):
        assert wanted in found, outline(tree)
    close = next(node for node in tree.nodes if node.name == "x")
    assert close.description == "Close"
    label = next(node for node in tree.nodes if node.label_for and node.name == "Fast")
    assert label.label_for == next(node for node in tree.nodes if node.role == "checkbox").handle


async def test_states_and_values_are_told(show: OpenPage) -> None:
    """O1: only what the element itself says."""
    driver = await show(
        """<input aria-label=a value=va required><textarea aria-label=b>two
lines</textarea><input aria-label=c type=checkbox checked><input aria-label=d type=radio>
        <button aria-pressed=true>e</button><button aria-expanded=false>f</button><input aria-label=g type=number value=3>
        <input aria-label=h type=range value=40><div role=slider aria-label=i aria-valuenow=7 tabindex=0></div>
        <select aria-label=j><option>one<option selected>two</select><div contenteditable aria-label=k>rich <b>text</b></div>
        <fieldset disabled><button>l</button></fieldset><button aria-disabled=true>m</button>
        <details><summary>n</summary>hidden</details><h3>o</h3><input aria-label=p type=password value=secret>
        <input aria-label=q type=date value=2024-05-06><div aria-disabled=true><button>r</button></div>
        <progress aria-label=s value=.5></progress><input aria-label=t readonly value=ro><a href=/x>u</a>
        <script>document.querySelectorAll('[type=checkbox]')[0].indeterminate=false</script>"""
    )
    tree = await driver.tree()
    by_name: dict[str, Node] = {node.name: node for node in tree.nodes}
    assert (by_name["a"].value, by_name["a"].required, by_name["a"].editable) == ("va", True, True)
    assert (by_name["b"].value, by_name["b"].multiline) == ("two\nlines", True)
    assert by_name["c"].checked == "true"
    assert by_name["d"].checked == "false"
    assert by_name["e"].pressed == "true"
    assert by_name["f"].expanded == "false"
    assert (by_name["g"].role, by_name["g"].value) == ("spinbutton", "3")
    assert (by_name["h"].role, by_name["h"].value) == ("slider", "40")
    assert by_name["i"].value == "7"
    assert (by_name["j"].value, by_name["two"].selected, by_name["one"].selected) == ("two", True, False)
    assert (by_name["k"].role, by_name["k"].editable, by_name["k"].value) == ("generic", True, "rich text")
    assert [by_name[name].enabled for name in "lmr"] == [False, False, False]
    assert (by_name["n"].role, by_name["n"].expanded) == ("button", "false")
    assert by_name["o"].level == 3
    assert (by_name["p"].password, by_name["p"].value) == (True, "")
    assert (by_name["q"].role, by_name["q"].value) == ("textbox", "2024-05-06")
    assert by_name["s"].value == "0.5"
    assert (by_name["t"].readonly, by_name["t"].editable) == (True, False)
    assert by_name["u"].url.endswith("/x")
    assert not any("secret" in str(node) for node in tree.nodes)
    assert not any("hidden" in node.name for node in tree.nodes)


async def test_what_is_not_shown_is_not_there(show: OpenPage) -> None:
    """O2: visible means visible."""
    driver = await show(
        "<button style=display:none>a</button><button style=visibility:hidden>b</button><div hidden>c</div>"
        "<div aria-hidden=true>d</div><input type=hidden value=e><script>'f'</script><div style=visibility:hidden>g"
        "<button style=visibility:visible>h</button></div><div style='height:3000px'></div><button>i</button>"
    )
    tree = await driver.tree()
    assert pairs(tree)[1:] == [("button", "h"), ("button", "i")]
    assert [node.onscreen for node in tree.nodes[1:]] == [True, False]


async def test_shadow_roots_and_slots_are_walked(show: OpenPage) -> None:
    """O1: in the order in which they are seen."""
    driver = await show(
        "<my-box><button slot=foot>Light</button><span>slotted</span></my-box><script>"
        "customElements.define('my-box', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode:'open'}).innerHTML='<p>shade</p><button onclick=\"said(1)\">Dark</button><slot></slot>"
        "<slot name=foot></slot>' } })</script>"
    )
    assert pairs(await driver.tree())[1:] == [
        ("text", "shade"),
        ("button", "Dark"),
        ("text", "slotted"),
        ("button", "Light"),
    ]
    await driver.click("button", "Dark")
    await driver.logged("1")


async def test_frames_of_every_origin_are_one_tree(show: OpenPage, site: Site) -> None:
    """Same origin, another site, and one inside the other; boxes are those of the viewport."""
    inner = site.add(
        '<p>inner</p><button onclick=\'parent.postMessage("hit", "*")\'>Inner</button><input aria-label=Field>'
    )
    nest = site.add(f"<p>nest</p><iframe title=deep src='BASE{inner}' style='width:300px;height:100px'></iframe>")
    driver = await show(
        f"<iframe title=same src='BASE{inner}' style='height:100px'></iframe><iframe title=other src='OTHER{inner}'"
        f" style='border:9px solid;height:100px'></iframe><iframe title=nested src='OTHER{nest}' style='width:400px;height:200px'>"
        "</iframe><button>Last</button><script>onmessage=(e)=>said(e.data)</script>"
    )
    await driver.find("button", "Inner", nth=2)
    tree = await driver.tree()
    assert [pair for pair in pairs(tree) if pair[0] in ("iframe", "button")] == [
        ("iframe", "same"),
        ("button", "Inner"),
        ("iframe", "other"),
        ("button", "Inner"),
        ("iframe", "nested"),
        ("iframe", "deep"),
        ("button", "Inner"),
        ("button", "Last"),
    ], outline(tree)
    for index, node in enumerate(tree.nodes):
        assert node.parent < index
        if node.name == "Inner":
            frame = tree.nodes[node.parent]
            assert frame.box is not None
            assert node.box is not None
            assert frame.box.contains(*node.box.centre)
            assert node.document != tree.nodes[0].document
    for nth in range(2):
        await driver.click("button", "Inner", nth=nth)
    await driver.logged("hit", "hit")
    await driver.fill("textbox", "Field", "abc")
    field = [node for node in (await driver.tree()).nodes if node.name == "Field"]
    assert [node.value for node in field] == ["abc", "", ""]


async def test_what_can_be_clicked_without_a_role_is_interactive(show: OpenPage) -> None:
    """O1: by handler, tab stop, pointer cursor; not twice where the pointer is a control's own."""
    driver = await show(
        "<div onclick=said(1)>a</div><div tabindex=0>b</div><div style=cursor:pointer>c <b>d</b></div>"
        "<div style=cursor:pointer><button style=cursor:pointer>e</button></div><div>plain</div>"
        "<svg width=50 height=50 style='display:block'><rect width=50 height=50 onclick=said(2) /></svg><canvas width=30 height=30></canvas>"
    )
    tree = await driver.tree()
    assert [(node.role, node.name) for node in tree.nodes if node.interactive] == [
        ("generic", "a"),
        ("generic", "b"),
        ("generic", "c d"),
        ("button", "e"),
        ("img", ""),
    ], outline(tree)
    assert ("canvas", "") in pairs(tree)


async def test_what_scrolls_out_of_its_own_box_is_not_on_the_screen(show: OpenPage) -> None:
    """O2: clipped is not visible."""
    driver = await show(
        "<div style='height:50px;overflow:auto;width:200px'><div style=height:300px>x</div><button>Deep</button></div>"
        "<div style='position:fixed;left:0;top:300px'><button>Fixed</button></div>"
    )
    assert (await driver.find("button", "Deep")).onscreen is False
    assert (await driver.find("button", "Fixed")).onscreen is True


async def test_covered_elements_are_marked(show: OpenPage) -> None:
    """O1, T7: an observation says what cannot be clicked."""
    driver = await show(
        "<button>Under</button><button style='margin-left:300px'>Free</button><div role=dialog aria-label=Cookies"
        " style='position:fixed;left:0;top:0;width:200px;height:200px;background:#ccc'></div>"
    )
    nodes = {node.name: node for node in (await driver.computer.observe()).nodes}
    assert (nodes["Under"].covered, nodes["Free"].covered) == (True, False)


async def test_modals_and_popups_are_marked(show: OpenPage) -> None:
    """Z3, T5."""
    driver = await show(
        "<button>Behind</button><dialog id=d aria-label=Sure><button>Yes</button></dialog><div role=menu aria-label=More"
        " style='position:absolute;top:200px'><div role=menuitem>Copy</div></div><div id=p popover>Pop</div>"
        "<script>$('p').showPopover(); $('d').showModal()</script>"
    )
    tree = await driver.tree()
    modal = [node for node in tree.nodes if node.modal]
    assert [(node.name, node.active) for node in modal] == [("Sure", True)], outline(tree)
    assert next(node.name for node in tree.nodes if node.popup) == "More"


async def test_forms_say_where_they_lead(show: OpenPage) -> None:
    """Z8: what Enter in a field presses; where a form sends."""
    driver = await show(
        "<form action=/buy><input aria-label=Card><button type=button>No</button><button>Pay now</button>"
        "<button formaction=/gift>Gift</button></form><input aria-label=Loose>"
    )
    card = await driver.find("textbox", "Card")
    assert card.submits == "Pay now"
    assert card.form_action.endswith("/buy")
    assert (await driver.find("button", "Gift")).form_action.endswith("/gift")
    assert (await driver.find("textbox", "Loose")).submits == ""


async def test_a_blank_page_says_so(show: OpenPage) -> None:
    """O2: an empty observation says why."""
    driver = await show("")
    tree = await driver.computer.observe()
    assert len(tree.nodes) == 1
    assert "nothing to act on" in tree.notes[0]


async def test_a_page_beyond_the_budget_says_that_it_was_cut(show: OpenPage) -> None:
    """O2: bounded, and said."""
    driver = await show(
        "<p>x<script>for (let i = 0; i < 25000; i++) document.body.append(document.createElement('button'))</script>"
    )
    tree = await driver.tree()
    assert len(tree.nodes) <= 20_001
    assert not tree.complete
    assert "left out" in tree.notes[0]


async def test_a_page_that_breaks_its_own_prototypes_is_read_all_the_same(show: OpenPage) -> None:
    """Page scripts neither see nor change what reads the page."""
    driver = await show(
        "<button>Safe</button><script>Array.prototype.toJSON = () => 'x'; JSON.stringify = () => '{}'; WeakMap = null;"
        "Element.prototype.getBoundingClientRect = () => ({left: 0, top: 0, width: 0, height: 0});"
        "document.createRange = null; window.getComputedStyle = () => ({});</script>"
    )
    await driver.click("button", "Safe")
    assert await driver.page.evaluate("typeof axs") == "undefined"


async def test_ids_of_the_walk_stay_over_rerenders(show: OpenPage) -> None:
    """T2: the same element keeps its handle; its like in another document has another."""
    driver = await show("<p id=p>x</p><button>Keep</button>")
    first = await driver.find("button", "Keep")
    await driver.page.evaluate("$('p').innerHTML = '<b>y</b>'; document.body.append(document.querySelector('button'))")
    assert (await driver.find("button", "Keep")).handle == first.handle
    await driver.page.reload()
    again = await driver.find("button", "Keep")
    assert again.handle != first.handle
    assert again.document != first.document


async def test_a_closed_list_tells_its_options_where_they_are_few(show: OpenPage) -> None:
    """O1, O2: a long one once it has the focus."""
    few, many = ("".join(f"<option>{letter}{n}" for n in range(count)) for letter, count in (("a", 3), ("b", 40)))
    driver = await show(f"<select aria-label=Few>{few}</select><select aria-label=Many>{many}</select>")

    async def told() -> tuple[int, int]:
        options = [node for node in (await driver.tree()).nodes if node.role == "option" and node.onscreen]
        return sum(node.name[0] == "a" for node in options), sum(node.name[0] == "b" for node in options)

    assert await told() == (3, 0)
    await driver.click("combobox", "Many")
    assert await told() == (3, 40)


async def test_a_form_whose_address_is_none_is_seen_all_the_same(chromium: Browser) -> None:
    """Nothing resolves against an address of data:."""
    page = "<form><button>Send</button></form><form action='http://['><button>Lost</button></form>"
    async with BrowserComputer(url=f"data:text/html,{page}", browser=chromium) as computer:
        tree = await computer.observe()
    assert pairs(tree)[1:] == [("button", "Send"), ("button", "Lost")]
    assert [node.form_action[:10] for node in tree.nodes[1:]] == ["data:text/", "http://["]
