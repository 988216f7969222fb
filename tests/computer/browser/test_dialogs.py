"""Script dialogs: shown as modals, answered by input, never by themselves, never a hang (Z16)."""

from __future__ import annotations

import time

import pytest

from axstream.computer.base import ClickAt, OpenUrl
from axstream.computer.browser.tab import ANSWER_LIMIT_S
from axstream.errors import TargetNotActionable, TargetNotFound
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site

BOX = """<button onclick="said(alert('Hello'))">Alert</button><button onclick="said(confirm('Sure?'))">Confirm</button>
<button onclick="said(prompt('Name?', 'Ada'))">Prompt</button><button onclick="alert(1);alert(2);said('both')">Twice</button>
<input aria-label=Field onkeydown="if (event.key === 'b') said(confirm('b?'))"><button onclick=said('other')>Other</button>"""


async def answer(driver: Driver, button: str) -> None:
    await driver.click("button", button)


async def test_an_alert_is_a_modal_until_ok_is_clicked(show: OpenPage) -> None:
    driver = await show(BOX)
    other = await driver.find("button", "Other")
    effect = await driver.click("button", "Alert")
    assert effect.notes == ("an alert opened",)
    tree = await driver.computer.observe()
    assert pairs(tree)[1:] == [("alertdialog", "alert"), ("text", "Hello"), ("button", "OK")]
    assert tree.nodes[1].modal
    assert tree.notes
    assert tree.nodes[0].handle == other.document + ".0"
    with pytest.raises(TargetNotFound, match="dialog opened over it"):
        await driver.computer.prepare(other.handle, "click", 0.2)
    with pytest.raises(TargetNotActionable, match="Hello"):
        await driver.computer.perform(ClickAt(x=5, y=700))
    with pytest.raises(TargetNotActionable, match="answer it first"):
        await driver.wheel("down")
    with pytest.raises(TargetNotActionable, match="answer it first"):
        await driver.type("x")
    await answer(driver, "OK")
    await driver.logged("undefined")
    await driver.click("button", "Other")
    await driver.logged("undefined", "other")


async def test_confirm_is_answered_by_its_buttons_and_by_keys(show: OpenPage) -> None:
    driver = await show(BOX)
    for act, said in (("OK", "true"), ("Cancel", "false")):
        await driver.click("button", "Confirm")
        await answer(driver, act)
        await driver.until(lambda said=said: _last(driver, said))
    for key, said in (("enter", "true"), ("escape", "false"), ("space", "true")):
        await driver.click("button", "Confirm")
        await driver.key(key)
        await driver.until(lambda said=said: _last(driver, said))
    assert len(await driver.log()) == 5


async def _last(driver: Driver, said: str) -> bool:
    return (await driver.log())[-1:] == [said]


async def test_a_prompt_takes_text(show: OpenPage) -> None:
    driver = await show(BOX)
    await driver.click("button", "Prompt")
    field = await driver.find("textbox", "answer")
    assert (field.value, field.focused) == ("Ada", True)
    focus = await driver.computer.focus()
    assert focus.takes_text
    assert focus.node == field
    await driver.type("Grace")
    await driver.key("backspace")
    assert (await driver.find("textbox", "answer")).value == "Grac"
    await driver.fill("textbox", "answer", " H")
    await answer(driver, "OK")
    await driver.click("button", "Prompt")
    await driver.type("Mary\n")
    await driver.click("button", "Prompt")
    await driver.key("escape")
    await driver.logged("Grac H", "Mary", "null")


async def test_a_point_reaches_the_buttons_of_a_dialog(show: OpenPage) -> None:
    """Z22: points are those of what is observed."""
    driver = await show(BOX)
    await driver.click("button", "Confirm")
    cancel = await driver.find("button", "Cancel")
    assert cancel.box is not None
    hit = await driver.computer.at(*cancel.box.centre)
    assert hit is not None
    assert hit.name == "Cancel"
    x, y = cancel.box.centre
    await driver.computer.perform(ClickAt(x=x, y=y))
    await driver.logged("false")


async def test_dialogs_behind_each_other_are_answered_one_by_one(show: OpenPage) -> None:
    driver = await show(BOX)
    await driver.click("button", "Twice")
    await driver.find("text", "1")
    await answer(driver, "OK")
    await driver.find("text", "2")
    await answer(driver, "OK")
    await driver.logged("both")


async def test_a_dialog_in_the_middle_of_a_text_says_how_much_was_sent(show: OpenPage) -> None:
    """Z18."""
    driver = await show(BOX)
    with pytest.raises(TargetNotActionable, match=r"cut short by a dialog.*characters were sent"):
        await driver.fill("textbox", "Field", "abc" + "d" * 100)
    await answer(driver, "OK")
    await driver.logged("true")


async def test_a_dialog_that_nobody_asked_for_is_seen(show: OpenPage) -> None:
    driver = await show("<p>x<script>setTimeout(() => said(confirm('late')), 200)</script>")
    await driver.find("text", "late")
    await answer(driver, "Cancel")
    await driver.logged("false")


async def test_a_page_that_asks_while_it_loads_is_entered(show: OpenPage) -> None:
    driver = await show("<script>said(confirm('first'))</script><p>body")
    await driver.find("text", "first")
    await answer(driver, "OK")
    await driver.find("text", "body")
    await driver.logged("true")


async def test_leaving_a_page_that_objects_is_asked(show: OpenPage, site: Site) -> None:
    """beforeunload: shown, and answered by its buttons."""
    second = site.base + site.add("<title>Second</title><p>second")
    driver = await show("<input aria-label=Draft><script>onbeforeunload = (e) => e.preventDefault()</script>")
    await driver.fill("textbox", "Draft", "x")
    for button, title in (("Cancel", "Draft"), ("OK", "second")):
        effect = await driver.computer.perform(OpenUrl(url=second))
        assert "a beforeunload dialog opened" in effect.notes
        await driver.find("alertdialog", "leave this page?")
        await answer(driver, button)
        await driver.find("textbox" if title == "Draft" else "text", title)


async def test_a_dialog_and_a_closing_computer_do_not_hang(show: OpenPage) -> None:
    """Every wait is bounded."""
    begun = time.monotonic()
    driver = await show(BOX)
    await driver.click("button", "Confirm")
    await driver.computer.__aexit__(None, None, None)
    assert time.monotonic() - begun < ANSWER_LIMIT_S
