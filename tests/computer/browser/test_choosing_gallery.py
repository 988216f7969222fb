"""Choosing in native lists and in lists that a page draws, as a person does: by trusted input, heard once (Z16)."""

from __future__ import annotations

import pytest

from axstream.errors import TargetNotActionable
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

#: Says every event that tells of a choice, with whether the browser itself made it.
HEARS = (
    "<script>for (const s of document.querySelectorAll('select')) for (const t of ['input', 'change'])"
    " s.addEventListener(t, (e) => said(t, e.isTrusted, [...s.selectedOptions].map(o => o.label)))</script>"
)
LAND = (
    "<select aria-label=Land id=f><option>Austria<optgroup label=South><option>Chile<option disabled>Nowhere<option>Peru"
    "</optgroup><option hidden>Hidden<option style='display:none'>Gone<hr><option>Zambia</select>"
)


@pytest.mark.parametrize("opened", [False, True])
async def test_an_option_clicked_is_heard_once_and_trusted(show: OpenPage, opened: bool) -> None:
    """Also where disabled, hidden and grouped options lie between."""
    driver = await show(LAND + HEARS)
    for name in ("Zambia", "Peru", "Austria"):
        if opened:
            await driver.click("combobox", "Land")
        effect = await driver.click("option", name)
        assert (effect.summary, effect.notes) == (f'chose "{name}" in "Land"', ())
        assert not await driver.page.evaluate("$('f').matches(':open')")
    await driver.logged(*(f"{t} true {n}" for n in ("Zambia", "Peru", "Austria") for t in ("input", "change")))


async def test_an_option_typed_is_heard_once_and_trusted(show: OpenPage) -> None:
    driver = await show(LAND + HEARS)
    effect = await driver.fill("combobox", "Land", "zam")
    assert effect.notes == ('chose "Zambia" in "Land"',)
    await driver.page.evaluate("$('f').focus()")
    await driver.type("Peru")
    await driver.logged("input true Zambia", "change true Zambia", "input true Peru", "change true Peru")


async def test_the_option_that_is_chosen_already_changes_nothing(show: OpenPage) -> None:
    driver = await show(LAND + HEARS)
    assert (await driver.click("option", "Austria")).summary == '"Austria" in "Land" was chosen already'
    await driver.click("combobox", "Land")
    await driver.click("option", "Austria")
    assert not await driver.page.evaluate("$('f').matches(':open')")
    await driver.logged()


async def test_an_option_far_down_a_long_list_is_chosen(show: OpenPage) -> None:
    driver = await show(
        f"<select aria-label=Year>{''.join(f'<option>{year}' for year in range(1600, 2100))}</select>" + HEARS
    )
    await driver.click("option", "1831")
    await driver.click("option", "2099")
    await driver.logged("input true 1831", "change true 1831", "input true 2099", "change true 2099")


async def test_a_list_that_goes_on_with_the_choice_is_left_alone(show: OpenPage) -> None:
    """A menu that jumps back, one that leaves the page."""
    driver = await show(
        "<select aria-label=Jump id=j><option>Choose<option>One</select><select aria-label=Go id=g><option>Here"
        "<option value=/page1>Away</select><script>$('j').onchange = () => { said($('j').value); $('j').selectedIndex = 0 };"
        "$('g').onchange = () => location.href = $('g').value + '?gone'</script>"
    )
    assert (await driver.click("option", "One")).notes == ()
    await driver.logged("One")
    assert (await driver.click("option", "Away")).summary == 'chose "Away" in "Go"'
    await driver.computer.observe()
    assert driver.page.url.endswith("/page1?gone")


async def test_a_list_that_no_click_and_no_key_opens_is_chosen_by_script_and_said(show: OpenPage) -> None:
    driver = await show(
        "<select aria-label=Land id=f><option>One<option>Two</select><script>for (const t of ['mousedown', 'keydown'])"
        "$('f').addEventListener(t, (e) => e.preventDefault())</script>" + HEARS
    )
    effect = await driver.click("option", "Two")
    assert effect.notes == ("its list takes no keys, so it was chosen by script",)
    await driver.logged("input false Two", "change false Two")


async def test_options_of_a_list_of_many_are_added_and_taken_away(show: OpenPage) -> None:
    """As with Ctrl held; a list of one takes a plain click."""
    driver = await show(
        "<select multiple aria-label=Many><option>Red<option>Green<option selected>Blue</select>"
        "<select size=3 aria-label=One><option>A<option>B<option>C</select>" + HEARS
    )
    await driver.click("option", "Red")
    effect = await driver.click("option", "Blue")
    assert effect.summary == 'no longer chosen: "Blue" in "Many"'
    await driver.click("option", "C")
    await driver.page.evaluate("document.querySelector('select').focus()")
    await driver.type("Green")
    assert [line for line in await driver.log() if line.startswith("change")] == [
        "change true Red,Blue",
        "change true Red",
        "change true C",
        "change true Red,Green",
    ]
    assert all("true" in line for line in await driver.log())


async def test_a_disabled_option_is_refused(show: OpenPage) -> None:
    driver = await show(LAND + HEARS)
    node = await driver.find("option", "Nowhere")
    with pytest.raises(TargetNotActionable, match="disabled"):
        await driver.computer.prepare(node.handle, "click", 0.3)
    await driver.logged()


async def test_a_list_that_the_page_styles_is_opened_and_clicked(show: OpenPage) -> None:
    """`appearance: base-select`: its options are drawn by the page."""
    driver = await show(
        "<style>select, ::picker(select) { appearance: base-select }</style>"
        "<select aria-label=Land id=f><option>One<option>Two<option>Three</select>" + HEARS
    )
    await driver.click("option", "Three")
    await driver.click("combobox", "Land")
    await driver.click("option", "Two")
    await driver.logged("input true Three", "change true Three", "input true Two", "change true Two")


async def test_a_list_in_a_frame_and_in_a_shadow_root(show: OpenPage, site: Site) -> None:
    inner = site.add(
        "<select aria-label=In id=s><option>One<option>Two</select><script>$('s').onchange = (e) =>"
        " parent.postMessage(`${e.isTrusted} ${$('s').value}`, '*')</script>"
    )
    driver = await show(
        f"<div id=h></div><iframe src='OTHER{inner}'></iframe><script>onmessage = (e) => said(e.data);"
        "$('h').attachShadow({mode: 'open'}).innerHTML = '<select aria-label=Deep><option>Three<option>Four</select>';"
        "const s = $('h').shadowRoot.firstChild; s.onchange = (e) => said(e.isTrusted, s.value)</script>"
    )
    await driver.click("option", "Two")
    await driver.logged("true Two")
    await driver.click("option", "Four")
    await driver.logged("true Two", "true Four")


async def test_a_drawn_combobox_is_typed_into_and_chosen_from_by_keys(show: OpenPage) -> None:
    """ARIA: suggestions come with keys, arrows go through them, Enter takes one; or a click does."""
    driver = await show(
        "<input role=combobox aria-label=City id=c aria-expanded=false aria-controls=l><ul role=listbox id=l hidden></ul><script>"
        "const all = ['Oslo', 'Osaka', 'Rome']; let at = -1; const draw = () => { const o = all.filter(c => c.startsWith($('c').value));"
        "$('l').hidden = !o.length; $('l').innerHTML = o.map((c, i) => `<li role=option aria-selected=${i === at}>${c}`).join('');"
        "for (const li of $('l').children) li.onmousedown = (e) => { e.preventDefault(); take(li.textContent, e.isTrusted) } };"
        "const take = (c, t) => { $('c').value = c; $('l').hidden = true; said('took', c, t) };"
        "$('c').addEventListener('keyup', (e) => { if (e.key.length === 1) { at = -1; draw() } });"
        "$('c').addEventListener('keydown', (e) => { if (e.key === 'ArrowDown') { at++; draw() }"
        "if (e.key === 'Enter') take($('l').children[at].textContent, e.isTrusted) })</script>"
    )
    await driver.fill("combobox", "City", "Os")
    await driver.key("down")
    await driver.key("down")
    await driver.key("enter")
    await driver.logged("took Osaka true")
    await driver.fill("combobox", "City", "O", clear=True)
    await driver.click("option", "Oslo")
    await driver.logged("took Osaka true", "took Oslo true")


async def test_a_field_with_suggestions_of_the_platform_takes_text(show: OpenPage) -> None:
    """`datalist`: its list is the browser's own window, which no page and no key of ours reaches."""
    driver = await show(
        "<input list=l aria-label=Tea id=t><datalist id=l><option>Assam<option>Oolong</datalist>"
        "<script>$('t').oninput = (e) => said(e.isTrusted, $('t').value)</script>"
    )
    await driver.fill("combobox", "Tea", "Oolong")
    assert (await driver.log())[-1] == "true Oolong"
