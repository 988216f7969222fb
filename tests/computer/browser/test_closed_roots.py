"""Closed shadow roots are seen and acted in, and stay closed for the page, which notices nothing (item 1)."""

from __future__ import annotations

from typing import Any

import pytest

from axstream.computer.browser.computer import BrowserComputer
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site

INSIDE = (
    "<button onclick=\"said(event.isTrusted, \\'pressed\\')\">Press</button>"
    '<input aria-label=City oninput="this.value.length > 4 && said(this.value)">'
)
SCRIPTED = f"<div id=host></div><script>const root = host.attachShadow({{mode: 'closed'}}); root.innerHTML = '{INSIDE}'</script>"
ELEMENT = f"""<my-card></my-card><script>customElements.define('my-card', class extends HTMLElement {{
  constructor() {{ super(); this.attachShadow({{mode: 'closed'}}).innerHTML = '{INSIDE}' }} }})</script>"""
PLAIN = INSIDE.replace("\\'", "'")
DECLARED = f"<my-card><template shadowrootmode=closed>{PLAIN}</template></my-card>"
DECLARED_PLAIN = f"<div><template shadowrootmode='closed'>{PLAIN}<slot></slot></template><i>light</i></div>"
NESTED = f"""<div id=host></div><script>const outer = host.attachShadow({{mode: 'closed'}}); outer.innerHTML = '<p><b id=in></b></p>';
  outer.querySelector('p').attachShadow({{mode: 'open'}}).innerHTML = '<section></section>';
  outer.querySelector('p').shadowRoot.firstChild.attachShadow({{mode: 'closed'}}).innerHTML = '{INSIDE}'</script>"""
MIXED = f"<div><template shadowrootmode=closed><div><template shadowrootmode=closed>{PLAIN}</template></div></template></div>"
LATE = f"""<button onclick="make()">Make</button><div id=host style="height:60px"></div>
  <script>const make = () => {{ host.attachShadow({{mode: 'closed'}}).innerHTML = '{INSIDE}' }}</script>"""
PAGES = {
    "scripted": SCRIPTED,
    "element": ELEMENT,
    "declared": DECLARED,
    "declared on a plain element": DECLARED_PLAIN,
    "nested": NESTED,
    "declared in declared": MIXED,
}


async def press_and_type(driver: Driver) -> None:
    await driver.click("button", "Press")
    await driver.fill("textbox", "City", "Porto")


@pytest.mark.parametrize("page", PAGES)
async def test_what_is_in_a_closed_root_is_seen_clicked_and_typed_into(show: OpenPage, page: str) -> None:
    driver = await show(PAGES[page])
    tree = await driver.computer.observe()
    assert {("button", "Press"), ("textbox", "City")} <= set(pairs(tree))
    assert not [node.name for node in tree.nodes if node.covered]
    await press_and_type(driver)
    await driver.logged("true pressed", "Porto")
    focus = await driver.computer.focus()
    assert focus.node is not None
    assert (focus.node.name, focus.node.value, focus.takes_text) == ("City", "Porto", True)
    x, y = await driver.point("button", "Press")
    hit = await driver.computer.at(x, y)
    assert hit is not None
    assert hit.name == "Press"


async def test_a_root_that_is_closed_later_is_seen_at_once(show: OpenPage) -> None:
    driver = await show(LATE)
    assert pairs(await driver.tree())[1:] == [("button", "Make")]
    await driver.click("button", "Make")
    await press_and_type(driver)
    await driver.logged("true pressed", "Porto")


async def test_what_is_slotted_into_a_closed_root_is_shown_where_its_slot_is(show: OpenPage) -> None:
    driver = await show(
        "<my-box><button slot=foot onclick='said(1)'>Light</button><span>slotted</span></my-box><script>"
        "customElements.define('my-box', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode:'closed'}).innerHTML='<p>shade</p><button onclick=\"said(2)\">Dark</button><slot></slot>"
        "<slot name=foot></slot>' } })</script>"
    )
    assert pairs(await driver.tree())[1:] == [
        ("text", "shade"),
        ("button", "Dark"),
        ("text", "slotted"),
        ("button", "Light"),
    ]
    await driver.click("button", "Dark")
    await driver.click("button", "Light")
    await driver.logged("2", "1")


@pytest.mark.parametrize("mode", ["open", "closed"])
@pytest.mark.parametrize("light", ["Save", "<b>Save</b>"])
async def test_what_is_slotted_into_a_button_does_not_cover_it(show: OpenPage, mode: str, light: str) -> None:
    driver = await show(
        f"<my-button>{light}</my-button><script>customElements.define('my-button', class extends HTMLElement {{"
        f"constructor() {{ super(); this.attachShadow({{mode: '{mode}'}}).innerHTML ="
        "'<button onclick=\"said(1)\"><span><slot></slot></span></button>' } })</script>"
    )
    tree = await driver.computer.observe()
    assert [(node.role, node.name, node.covered) for node in tree.nodes[1:]] == [("button", "Save", False)]
    await driver.click("button", "Save")
    await driver.logged("1")


@pytest.mark.parametrize("origin", ["BASE", "OTHER"])
@pytest.mark.parametrize("page", ["scripted", "declared", "nested"])
async def test_closed_roots_in_frames_are_seen_and_acted_in(show: OpenPage, site: Site, origin: str, page: str) -> None:
    tell = "<script>addEventListener('message', () => {}); window.log.push = (line) => parent.postMessage(line, '*')</script>"
    inner = site.add(tell + PAGES[page])
    driver = await show(
        f"<script>addEventListener('message', (event) => log.push(event.data))</script><iframe src='{origin}{inner}'></iframe>"
    )
    await press_and_type(driver)
    await driver.logged("true pressed", "Porto")


async def test_closed_roots_in_a_srcdoc_frame_are_seen(show: OpenPage) -> None:
    markup = "<template shadowrootmode=closed><button>Deep</button></template>"
    driver = await show(f'<iframe srcdoc="<div>{markup}</div><p>flat</p>"></iframe>')
    assert ("button", "Deep") in pairs(await driver.tree())


@pytest.mark.parametrize("page", PAGES)
async def test_the_callers_own_page_gives_its_closed_roots_too(chromium: Any, site: Site, page: str) -> None:
    """What was there before we came, and what comes after a navigation."""
    context = await chromium.new_context()
    own = await context.new_page()
    await own.goto(site.base + site.add(PAGES[page]))
    async with BrowserComputer(page=own) as computer:
        driver = Driver(computer)
        await press_and_type(driver)
        await driver.logged("true pressed", "Porto")
        await own.goto(site.base + site.add(PAGES[page] + "<p>second"))
        await press_and_type(driver)
        await driver.logged("true pressed", "Porto")
    async with BrowserComputer(page=own) as computer:
        assert ("button", "Press") in pairs(await Driver(computer).tree())
    await context.close()


NOTICES = """<div id=host></div><script>
  const globals = (view) => Object.getOwnPropertyNames(view).filter((name) => !/^\\d+$/.test(name)).sort().join();
  const made = host.attachShadow({mode: 'closed', delegatesFocus: true});
  made.innerHTML = '<button>In</button>';
  const own = Object.getOwnPropertyDescriptor(Element.prototype, 'attachShadow');
  const text = (f) => Function.prototype.toString.call(f);
  const caught = (f) => { try { f(); return 'nothing' } catch (error) { return error.name + ': ' + error.message } };
  const events = [];
  for (const type of ['focus', 'blur', 'focusin', 'focusout', 'message']) addEventListener(type, () => events.push(type), true);
  const facts = () => JSON.stringify([host.shadowRoot, made.mode, made.delegatesFocus, made.host === host, text(own.value),
    own.value.name, own.value.length, own.writable, own.enumerable, own.configurable, own.value === host.attachShadow,
    'prototype' in own.value, text(Function.prototype.toString), Function.prototype.toString.name, text(facts).slice(0, 5),
    Function.prototype.toString.length, String(own.value), caught(() => own.value.call({}, {mode: 'open'})),
    caught(() => host.attachShadow({mode: 'open'})), caught(() => new own.value()), caught(() => Function.prototype.toString.call(1)),
    host.getAttributeNames().join(), Object.getOwnPropertyNames(host).join(), Object.getOwnPropertyNames(made).join(),
    Object.getOwnPropertyNames(Element.prototype).join(), Object.getOwnPropertyNames(Function.prototype).join(), events.join(),
    globals(window)]);
  </script>"""


async def test_a_page_notices_nothing(chromium: Any, show: OpenPage, site: Site) -> None:
    """The page finds all as in a browser that nobody drives: roots that are closed, native functions, no global of ours."""
    context = await chromium.new_context()
    plain = await context.new_page()
    await plain.goto(site.base + site.add(NOTICES))
    expected = await plain.evaluate("facts()")
    await context.close()
    driver = await show(NOTICES)
    assert ("button", "In") in pairs(await driver.computer.observe())
    assert await driver.page.evaluate("facts()") == expected
    assert await driver.page.evaluate("host.shadowRoot") is None


async def test_a_page_that_replaces_what_it_can_breaks_nothing(show: OpenPage) -> None:
    driver = await show(
        "<script>const seen = []; for (const name of ['dispatchEvent', 'addEventListener']) {"
        "  const native = EventTarget.prototype[name];"
        "  EventTarget.prototype[name] = function (...args) { seen.push(name); return native.apply(this, args) } }"
        "Reflect.apply = Function.prototype.call = Function.prototype.apply = () => { throw new Error('mine') };"
        "WeakRef.prototype.deref = WeakMap.prototype.set = () => { throw new Error('mine') };"
        "globalThis.FocusEvent = globalThis.WeakRef = globalThis.Proxy = function () { throw new Error('mine') };"
        "Object.defineProperty(Object.prototype, 'relatedTarget', {get() { throw new Error('mine') }});"
        "</script>" + SCRIPTED
    )
    assert ("button", "Press") in pairs(await driver.computer.observe())
    assert await driver.page.evaluate("seen") == []
