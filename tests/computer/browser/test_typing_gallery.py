"""Text and keys as a page receives them (A1, A2, Z15, Z18, N2)."""

from __future__ import annotations

import pytest

from axstream.computer.base import TypeText
from axstream.computer.browser.typist import KEYED
from axstream.errors import TargetNotActionable
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site


async def test_short_text_arrives_as_keys(show: OpenPage) -> None:
    """A page that listens for keys hears each."""
    driver = await show(
        "<input aria-label=F id=f><script>$('f').onkeydown = (e) => said('key', e.key, e.isTrusted); $('f').oninput = (e) =>"
        " said('input', e.data, e.isTrusted)</script>"
    )
    await driver.fill("textbox", "F", "aB")
    await driver.logged("key a true", "input a true", "key B true", "input B true")


async def test_long_text_goes_in_at_once(show: OpenPage) -> None:
    driver = await show("<textarea aria-label=F id=f></textarea><script>$('f').oninput = () => said('input')</script>")
    text = "x" * (KEYED + 1) + "\n" + "zwei é"
    await driver.fill("textbox", "F", text)
    assert await driver.page.evaluate("$('f').value") == text
    assert 1 <= (await driver.log()).count("input") < 20


async def test_enter_comes_when_the_page_has_taken_the_text_into_account(show: OpenPage) -> None:
    """Libraries that follow a field one task later lose what a press right behind the text would send."""
    driver = await show(
        "<input aria-label=F id=f><script>let known = ''; $('f').oninput = () => setTimeout(() => { known = $('f').value }, 0);"
        "$('f').onkeydown = (e) => { if (e.key === 'Enter') { said(known); $('f').value = known = '' } }</script>"
    )
    texts = [f"text {number}" for number in range(30)]
    await driver.fill("textbox", "F", "".join(f"{text}\n" for text in texts))
    await driver.logged(*texts)


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        ("date", "2024-02-29", "2024-02-29"),
        ("time", "13:45", "13:45"),
        ("datetime-local", "2024-02-29T13:45", "2024-02-29T13:45"),
        ("month", "2024-02", "2024-02"),
        ("week", "2024-W09", "2024-W09"),
        ("color", "#ff8800", "#ff8800"),
        ("range", "70", "70"),
        ("number", "-12.5", "-12.5"),
        ("email", "a@example.org", "a@example.org"),
        ("search", "tea", "tea"),
    ],
)
async def test_every_kind_of_field_takes_its_value(show: OpenPage, kind: str, text: str, held: str) -> None:
    """A1: also those whose inner fields follow the platform's language."""
    driver = await show(
        f"<input type={kind} aria-label=F id=f><script>$('f').onchange = () => said('change', $('f').value);"
        "$('f').oninput = () => $('f').seen = true</script>"
    )
    role = {"range": "slider", "number": "spinbutton", "search": "searchbox"}.get(kind, "textbox")
    await driver.fill(role, "F", text)
    assert await driver.page.evaluate("[$('f').value, $('f').seen]") == [held, True]
    if kind in ("date", "color", "range"):
        await driver.logged(f"change {held}")


async def test_a_date_in_another_form_is_refused_and_says_which(show: OpenPage) -> None:
    driver = await show("<input type=date aria-label=When value=2020-01-01 id=f>")
    with pytest.raises(TargetNotActionable, match="YYYY-MM-DD"):
        await driver.fill("textbox", "When", "29 Feb 2024")
    assert await driver.page.evaluate("$('f').value") == "2020-01-01"
    await driver.fill("textbox", "When", "2024-02-29", clear=True)
    assert await driver.page.evaluate("$('f').value") == "2024-02-29"


async def test_a_rich_editor_takes_text_and_is_cleared(show: OpenPage) -> None:
    driver = await show("<div contenteditable aria-label=Note role=textbox id=f>old <b>text</b></div>")
    await driver.fill("textbox", "Note", "new\nline", clear=True)
    assert await driver.page.evaluate("$('f').innerText.trim().replace(/\\n+/g, '|')") == "new|line"
    assert "old" not in (await driver.find("textbox", "Note")).value


async def test_a_select_takes_the_name_of_an_option(show: OpenPage) -> None:
    """Z16: typing an option chooses it; what is no option is refused, with those that are."""
    driver = await show(
        "<select aria-label=Land id=f><option>Austria<option>Australia<option>New Zealand<option disabled>Nowhere</select>"
        "<script>$('f').onchange = () => said($('f').value)</script>"
    )
    await driver.fill("combobox", "Land", "new zea")
    await driver.fill("combobox", "Land", "Australia")
    await driver.logged("New Zealand", "Australia")
    with pytest.raises(TargetNotActionable, match=r'no option "Nowhere".*"Austria"'):
        await driver.type("Nowhere")


async def test_a_click_on_an_option_chooses_it_even_behind_an_open_list(show: OpenPage) -> None:
    """Z16."""
    driver = await show(
        "<select aria-label=Land id=f><option>One<option>Two</select><select multiple aria-label=Many id=m><option>Red<option>Blue"
        "</select><button onclick=said('after')>After</button><script>$('f').onchange=(e)=>said(e.target.value);"
        "$('m').onchange=(e)=>said(e.target.value)</script>"
    )
    await driver.click("combobox", "Land")
    effect = await driver.click("option", "Two")
    assert effect.summary == 'chose "Two" in "Land"'
    await driver.click("option", "Blue")
    await driver.click("button", "After")
    await driver.logged("Two", "Blue", "after")


async def test_a_field_that_takes_less_says_how_much_landed(show: OpenPage) -> None:
    """A1."""
    driver = await show("<input aria-label=Code maxlength=4>")
    effect = await driver.fill("textbox", "Code", "123456")
    assert effect.notes == ("4 of 6 characters landed; the field takes at most 4",)


async def test_a_field_that_jumps_on_is_followed(show: OpenPage) -> None:
    """One box for each digit, as for codes sent by mail."""
    driver = await show(
        "".join(f"<input aria-label=d{n} maxlength=1 size=1>" for n in range(4))
        + "<script>for (const i of document.querySelectorAll('input')) i.oninput = () => i.nextElementSibling?.focus?.()</script>"
    )
    await driver.fill("textbox", "d0", "1234")
    assert await driver.page.evaluate("[...document.querySelectorAll('input')].map(i => i.value).join('')") == "1234"


async def test_a_page_without_focus_takes_text_only_where_it_handles_keys(show: OpenPage) -> None:
    """Z18."""
    deaf = await show("<p>nothing here")
    with pytest.raises(TargetNotActionable, match="nothing has the focus"):
        await deaf.type("abc")
    focus = await deaf.computer.focus()
    assert (focus.node, focus.takes_text, focus.handles_keys) == (None, False, False)
    game = await show("<canvas></canvas><script>document.addEventListener('keydown', (e) => said(e.key))</script>")
    assert (await game.computer.focus()).handles_keys
    await game.type("ab")
    await game.key("left")
    await game.logged("a", "b", "ArrowLeft")


async def test_the_keys_of_a_widget_reach_it(show: OpenPage) -> None:
    """A focused element of the page's own takes letters where something listens to them on their way."""
    driver = await show(
        "<div id=root><div role=tree tabindex=0 aria-label=Files style='height:50px'></div></div>"
        "<script>$('root').addEventListener('keydown', (e) => said(e.key))</script>"
    )
    await driver.click("tree", "Files")
    await driver.type("ab")
    await driver.logged("a", "b")


async def test_text_for_a_field_that_gave_its_focus_away_is_refused(show: OpenPage) -> None:
    """N2: the element named must have the focus."""
    driver = await show(
        "<input aria-label=A id=a><input aria-label=B id=b><script>$('a').onfocus = () => $('b').focus()</script>"
    )
    with pytest.raises(TargetNotActionable, match='focus is on textbox "B"'):
        await driver.fill("textbox", "A", "secret")
    assert await driver.page.evaluate("$('b').value") == ""


async def test_a_field_that_opens_another_one_is_typed_into(show: OpenPage) -> None:
    """A drawn combobox that opens a search field, as many libraries have it."""
    driver = await show(
        "<div role=combobox tabindex=0 aria-label=City id=c style='width:90px;height:20px'></div><script>$('c').onclick = () => {"
        "const i = document.createElement('input'); i.id = 'i'; document.body.append(i); i.focus() }</script>"
    )
    await driver.fill("combobox", "City", "Oslo")
    assert await driver.page.evaluate("$('i').value") == "Oslo"


async def test_clear_leaves_a_text_that_a_script_can_refuse(show: OpenPage) -> None:
    """N2: by keys, so that the page hears of it."""
    driver = await show(
        "<input aria-label=A id=a value=old><script>$('a').oninput = (e) => said(e.inputType, $('a').value)</script>"
    )
    node = await driver.find("textbox", "A")
    await driver.click("textbox", "A")
    await driver.computer.perform(TypeText(text="", clear=True, handle=node.handle))
    await driver.logged("deleteContentForward ")


KEYS = [
    (("A",), "A KeyA shift"),
    (("a",), "a KeyA "),
    (("plus",), "+ Equal shift"),
    (("ctrl", "+"), None),
    (("ctrl", "b"), "b KeyB ctrl"),
    (("cmd", "b"), "b KeyB ctrl"),
    (("ctrl", "shift", "b"), "B KeyB ctrl shift"),
    (("meta", "b"), "b KeyB meta"),
    (("alt", "b"), "b KeyB alt"),
    (("space",), "  Space "),
    (("enter",), "Enter Enter "),
    (("f2",), "F2 F2 "),
    (("f13",), "F13 F13 "),
    (("pageup",), "PageUp PageUp "),
    (("menu",), "ContextMenu ContextMenu "),
    (("é",), "é  "),
    (("ß",), "ß  "),
    (("日",), "日  "),
    (("ctrl", "é"), "é  ctrl"),
    (("1",), "1 Digit1 "),
    (("!",), "! Digit1 shift"),
    (("shift",), None),
]


@pytest.mark.parametrize(("keys", "heard"), KEYS, ids=lambda value: "+".join(value) if isinstance(value, tuple) else "")
async def test_each_key_arrives_as_itself(show: OpenPage, keys: tuple[str, ...], heard: str | None) -> None:
    """A2, Z15."""
    driver = await show(
        "<input id=i autofocus><script>const down = new Set(); addEventListener('keydown', (e) => { down.add(e.key);"
        "if (/^(Control|Shift|Alt|Meta)$/.test(e.key)) return; e.preventDefault();"
        "said([e.key, e.code, ['ctrl','shift','alt','meta'].filter(m => e[m + 'Key']).join(' ')].join(' ')) });"
        "addEventListener('keyup', (e) => down.delete(e.key)); window.held = () => [...down]</script>"
    )
    await driver.page.evaluate("$('i').focus()")
    await driver.key(*keys)
    if heard is not None:
        await driver.logged(heard)
    assert await driver.page.evaluate("held().filter(k => /^(Control|Shift|Alt|Meta)$/.test(k))") == []


async def test_a_letter_of_no_us_key_lands_in_a_field(show: OpenPage) -> None:
    """A2: a lone character arrives as itself."""
    driver = await show("<input aria-label=A id=a>")
    await driver.click("textbox", "A")
    for key in ("é", "x", "日", "👍"):
        await driver.key(key)
    assert await driver.page.evaluate("$('a').value") == "éx日👍"


async def test_fields_in_frames_of_another_site_are_typed_into(show: OpenPage, site: Site) -> None:
    inner = site.add("<input aria-label=In><input type=date aria-label=Day>")
    driver = await show(f"<iframe src='OTHER{inner}'></iframe>")
    await driver.fill("textbox", "In", "Grüße\t2024-02-29")
    focus = await driver.computer.focus()
    assert focus.node is not None
    assert focus.node.name == "Day"
    day = await driver.find("textbox", "Day")
    assert focus.node.box == day.box
    assert day.value == "2024-02-29"
    assert (await driver.find("textbox", "In")).value == "Grüße"
