"""Fields that make something of what is typed: masks, frameworks that hold the value, codes in boxes, limits (A1)."""

from __future__ import annotations

import pytest

from axstream.computer.base import ClickAt, TypeText
from axstream.errors import TargetNotActionable
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

#: A framework's field: on each `input` the value goes back to what its state says, then the state comes, a task later.
CONTROLLED = """<input aria-label=F id=f><script>
let state = ''; const f = $('f'); const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
f.addEventListener('input', (e) => { const next = CHANGE(f.value), at = f.selectionStart; set.call(f, state); WHEN(() => { state = next;
  set.call(f, state); if (KEEP) f.setSelectionRange(at, at) }) });
</script>"""


@pytest.mark.parametrize("when", ["(go) => go()", "queueMicrotask"])
@pytest.mark.parametrize("typed", ["hello world, 25 characters", "Zoë 日本 👍 end"])
async def test_a_field_whose_value_a_framework_holds(show: OpenPage, when: str, typed: str) -> None:
    page = CONTROLLED.replace("CHANGE", "((v) => v)").replace("WHEN", f"({when})").replace("KEEP", "true")
    driver = await show(page)
    await driver.fill("textbox", "F", typed)
    assert await driver.page.evaluate("$('f').value") == typed


async def test_a_field_that_throws_characters_away_says_how_many_landed(show: OpenPage) -> None:
    driver = await show(
        "<input aria-label=F id=f><script>$('f').oninput = () => $('f').value = $('f').value.slice(0, 3)</script>"
    )
    assert (await driver.fill("textbox", "F", "12345")).notes == ("3 of 5 characters landed",)


@pytest.mark.parametrize(
    ("mask", "typed", "shown"),
    [
        ("v.replace(/\\D/g, '').replace(/^(\\d{3})(\\d)/, '($1) $2').slice(0, 12)", "5551234", "(555) 1234"),
        ("v.replace(/\\D/g, '').replace(/(\\d{4})(?=\\d)/g, '$1 ')", "4111111111111111", "4111 1111 1111 1111"),
        ("v.replace(/\\D/g, '').replace(/\\B(?=(\\d{3})+$)/g, ',')", "1234567", "1,234,567"),
        ("v.toUpperCase()", "shout", "SHOUT"),
    ],
)
async def test_a_mask_that_rewrites_on_input(show: OpenPage, mask: str, typed: str, shown: str) -> None:
    driver = await show(
        f"<input aria-label=F id=f><script>$('f').oninput = () => {{ const v = $('f').value; $('f').value = {mask} }}</script>"
    )
    await driver.fill("textbox", "F", typed)
    assert await driver.page.evaluate("$('f').value") == shown
    await driver.fill("textbox", "F", typed, clear=True)
    assert await driver.page.evaluate("$('f').value") == shown


async def test_a_field_that_takes_digits_alone_is_cleared_all_the_same(show: OpenPage) -> None:
    """It refuses every other key, those that select and delete too."""
    driver = await show(
        "<input aria-label=F id=f value=77><script>$('f').onkeydown = (e) => { if (!/^\\d$/.test(e.key)) e.preventDefault() }</script>"
    )
    await driver.fill("textbox", "F", "42", clear=True)
    assert await driver.page.evaluate("$('f').value") == "42"


@pytest.mark.parametrize("when", ["(go) => go()", "(go) => setTimeout(go, 0)", "(go) => requestAnimationFrame(go)"])
@pytest.mark.parametrize("typed", ["123456", "١٢٣٤٥٦"])
async def test_a_code_goes_from_box_to_box_however_late_they_move_on(show: OpenPage, when: str, typed: str) -> None:
    driver = await show(
        "".join(f"<input aria-label=d{n} maxlength=1 size=1>" for n in range(6))
        + "<script>for (const i of document.querySelectorAll('input')) i.oninput = () => i.value && "
        f"({when})(() => i.nextElementSibling?.focus?.())</script>"
    )
    await driver.fill("textbox", "d0", typed)
    assert await driver.page.evaluate("[...document.querySelectorAll('input')].map(i => i.value).join('')") == typed


@pytest.mark.parametrize(
    ("typed", "held", "notes"),
    [
        ("1e5", "1e5", ()),
        ("-0.5", "-0.5", ()),
        ("1,5", "15", ('the field holds "15"',)),
        ("12-3", "", ("the field takes it as no number",)),
    ],
)
async def test_a_number_field_says_what_it_made_of_it(
    show: OpenPage, typed: str, held: str, notes: tuple[str, ...]
) -> None:
    driver = await show("<input type=number step=any aria-label=F id=f>")
    effect = await driver.fill("spinbutton", "F", typed)
    assert await driver.page.evaluate("$('f').value") == held
    assert effect.notes == notes


@pytest.mark.parametrize(("attribute", "why"), [("readonly", "is read-only"), ("disabled", "is disabled")])
async def test_fields_that_take_nothing_say_why(show: OpenPage, attribute: str, why: str) -> None:
    driver = await show(f"<input aria-label=F {attribute}><fieldset disabled><input aria-label=G></fieldset>")
    node = await driver.find("textbox", "F")
    with pytest.raises(TargetNotActionable, match=why):
        await driver.computer.prepare(node.handle, "type", 0.3)
    inner = await driver.find("textbox", "G")
    with pytest.raises(TargetNotActionable, match="is disabled"):
        await driver.computer.prepare(inner.handle, "type", 0.3)


async def test_fields_in_shadow_roots_and_frames_in_frames(show: OpenPage, site: Site) -> None:
    tell = "<script>$('f').onchange = (e) => top.postMessage(`${e.isTrusted} ${$('f').value}`, '*')</script>"
    deepest = site.add("<input aria-label=Deepest id=f>" + tell)
    middle = site.add(f"<iframe src='BASE{deepest}'></iframe><input aria-label=Middle id=f>" + tell)
    driver = await show(
        f"<iframe src='OTHER{middle}' width=500 height=300></iframe><iframe src='BASE{deepest}'></iframe><div id=h></div>"
        "<script>onmessage = (e) => said(e.data); $('h').attachShadow({mode: 'open'}).innerHTML = '<input aria-label=Shadow>';"
        "$('h').shadowRoot.firstChild.onchange = (e) => said(e.isTrusted, e.target.value)</script>"
    )
    for role, name, nth in (("textbox", "Middle", 0), ("textbox", "Deepest", 0), ("textbox", "Deepest", 1)):
        node = await driver.find(role, name, nth=nth)
        x, y = await driver.computer.prepare(node.handle, "type", 2.0)
        await driver.computer.perform(ClickAt(x=x, y=y, handle=node.handle))
        await driver.computer.perform(TypeText(text=f"{name}{nth} é", handle=node.handle))
    await driver.fill("textbox", "Shadow", "shadow é\t")
    await driver.logged("true Middle0 é", "true Deepest0 é", "true Deepest1 é", "true shadow é")


async def test_suggestions_that_come_with_keys_are_chosen_from(show: OpenPage) -> None:
    """They are fetched a while after the last key, as on most pages."""
    driver = await show(
        "<input aria-label=City id=c><ul id=l role=listbox></ul><script>let t = 0; $('c').addEventListener('keyup', () => { clearTimeout(t); t = setTimeout("
        "async () => { await fetch('/slow?ms=50'); $('l').innerHTML = `<li role=option>${$('c').value}burg`;"
        "$('l').firstChild.onclick = (e) => { $('c').value = e.target.textContent; said('took', e.isTrusted) } }, 120) })</script>"
    )
    await driver.fill("textbox", "City", "Ham")
    await driver.click("option", "Hamburg")
    await driver.logged("took true")
    assert await driver.page.evaluate("$('c').value") == "Hamburg"
