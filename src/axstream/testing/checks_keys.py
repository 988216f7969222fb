"""Contract checks of the keyboard: typing, chords, the focus, secrets, what stays down (A1, A2, Z15, Z18, E5)."""

from __future__ import annotations

from axstream.computer.base import PressKeys, TypeText
from axstream.errors import TargetNotActionable
from axstream.testing.probe import READY_S, REFUSE_S, Check, Probe, claim, expect, expect_that, refuses

SCRIPTS = "Grüße, naïve; Привет; 世界; こんにちは; שלום; مرحبا; ภาษาไทย; 🌍👩‍🔬🇳🇿; e\u0301; “x” – €"
SECRET = "hunter2-Ünique"
LONG = "abcdefghij" * 100


@claim()
async def every_character_arrives_as_itself(probe: Probe) -> None:
    """A1: every script and emoji, whatever the keyboard layout."""
    await probe.fill("Name", SCRIPTS)
    await probe.until(lambda report: report.values.get("Name") == SCRIPTS, "Name holds exactly what was typed")
    expect((await probe.find("textbox", "Name")).value, SCRIPTS, "Name as it is observed")


@claim()
async def a_line_feed_presses_enter(probe: Probe) -> None:
    """A1, Z18: in a line it submits, in a text area it breaks the line; CRLF is LF."""
    await probe.fill("Name", "Ada\n")
    report = await probe.until(lambda report: bool(report.submits), "Enter was pressed in Name")
    expect((report.submits, report.values.get("Name")), (("Ada",), "Ada"), "what was submitted, and Name")
    await probe.fill("Notes", "one\ntwo\r\nthree")
    await probe.until(lambda report: report.values.get("Notes") == "one\ntwo\nthree", "Notes has three lines")


@claim()
async def a_tab_presses_tab(probe: Probe) -> None:
    """A1: TAB presses Tab, so one text fills two fields."""
    await probe.fill("Name", "Ada\tHello")
    report = await probe.until(lambda report: report.values.get("Notes") == "Hello", "Tab led to Notes")
    expect(report.values.get("Name"), "Ada", "Name")


@claim()
async def typing_goes_on_behind_what_is_there(probe: Probe) -> None:
    """A1: without ``clear`` nothing goes."""
    await probe.fill("Name", "Ada")
    await probe.computer.perform(TypeText(text=" Lovelace"))
    await probe.until(lambda report: report.values.get("Name") == "Ada Lovelace", "the text was continued")


@claim()
async def clear_takes_what_was_there(probe: Probe) -> None:
    """N2: true: what was there goes."""
    await probe.fill("Name", "Ada")
    await probe.fill("Name", "Grace", clear=True)
    await probe.until(lambda report: report.values.get("Name") == "Grace", "the old text went")
    await probe.fill("Notes", "a\nb")
    await probe.fill("Notes", "", clear=True)
    await probe.until(lambda report: report.values.get("Notes", "") == "", "Notes was emptied")


@claim()
async def a_password_arrives_and_is_never_observed(probe: Probe) -> None:
    """R6: its value never reaches an observation."""
    await probe.fill("Password", SECRET)
    await probe.until(lambda report: report.values.get("Password") == SECRET, "the password arrived")
    for node in (await probe.computer.observe()).nodes:
        texts = (node.name, node.value, node.description, node.placeholder)
        expect_that(not any(SECRET in text for text in texts), f"{node.role} {node.name!r} shows the password")
        if node.name == "Password" and node.editable:
            expect(node.password, True, "Password says what it is")
    focus = await probe.computer.focus()
    expect_that(focus.node is None or SECRET not in focus.node.value, "the focused element shows the password")


@claim()
async def a_read_only_field_takes_nothing(probe: Probe) -> None:
    """A1: where it is known that what has the focus takes no text, it fails."""
    node = await probe.find("textbox", "Serial")
    expect(node.readonly, True, "Serial is read-only")
    with refuses(TargetNotActionable, "Serial"):
        await probe.computer.prepare(node.handle, "type", REFUSE_S)
    await probe.click("textbox", "Serial")
    with refuses(TargetNotActionable, "Serial"):
        await probe.computer.perform(TypeText(text="x"))
    expect((await probe.report()).values.get("Serial"), "AX-1", "Serial")


@claim()
async def typing_at_a_button_names_it(probe: Probe) -> None:
    """A1: it fails and names what has the focus."""
    await probe.click("button", "Count")
    with refuses(TargetNotActionable, "Count"):
        await probe.computer.perform(TypeText(text="abc"))
    expect(await probe.clicks(), {"Count": 1}, "clicks received")


@claim()
async def typing_for_another_field_than_the_focused_fails(probe: Probe) -> None:
    """N2: the element named must have the focus."""
    name = await probe.find("textbox", "Name")
    await probe.click("textbox", "Notes")
    with refuses(TargetNotActionable):
        await probe.computer.perform(TypeText(text="abc", handle=name.handle))
    values = (await probe.report()).values
    expect((values.get("Name", ""), values.get("Notes", "")), ("", ""), "Name and Notes")


@claim()
async def a_text_cut_short_says_how_much_landed(probe: Probe) -> None:
    """A1, Z18: how many characters were sent, and that they stay: Tab leads from City to a read-only field."""
    with refuses(TargetNotActionable, "2"):
        await probe.fill("City", "x\tyz")
    values = (await probe.report()).values
    expect((values.get("City"), values.get("Serial")), ("x", "AX-1"), "City and Serial")


@claim()
async def the_focus_is_told(probe: Probe) -> None:
    """A1, Z18: what keys would reach, and whether it takes text."""
    await probe.click("textbox", "Name")
    focus = await probe.computer.focus()
    expect(focus.node.name if focus.node is not None else None, "Name", "what has the focus")
    expect(focus.takes_text, True, "Name takes text")
    await probe.click("button", "Count")
    focus = await probe.computer.focus()
    expect(focus.node.name if focus.node is not None else None, "Count", "what has the focus")
    expect_that(not focus.takes_text, "Count takes no text")


@claim()
async def keys_and_chords_arrive(probe: Probe) -> None:
    """A2, Z15: cmd is the platform's shortcut modifier; a lone character arrives as itself."""
    await probe.click("group", "Key pad")
    presses: list[tuple[tuple[str, ...], str]] = [
        (("ctrl",), "k"),
        ((), "escape"),
        ((), "down"),
        ((), "space"),
        ((), "a"),
        ((), "A"),
        ((), "+"),
        (("ctrl", "shift"), "home"),
        (("alt",), "x"),
        (("cmd",), "j"),
    ]
    for modifiers, key in presses:
        await probe.computer.perform(PressKeys(modifiers=modifiers, key=key))
    report = await probe.until(lambda report: len(report.keys) == len(presses), "ten keys arrived")
    wanted = ("ctrl+k", "escape", "arrowdown", "space", "a", "A", "+", "ctrl+shift+home", "alt+x")
    expect(report.keys[:-1], wanted, "keys received")
    expect_that(report.keys[-1] in ("ctrl+j", "meta+j"), f"cmd is Control or Command: {report.keys[-1]}")


@claim()
async def editing_keys_edit(probe: Probe) -> None:
    """A2: Backspace, Delete, and the platform's chord for everything."""
    await probe.fill("Name", "Adam")
    await probe.computer.perform(PressKeys(modifiers=(), key="backspace"))
    await probe.until(lambda report: report.values.get("Name") == "Ada", "Backspace took the last letter")
    await probe.computer.perform(PressKeys(modifiers=("cmd",), key="a"))
    await probe.computer.perform(PressKeys(modifiers=(), key="delete"))
    await probe.until(lambda report: report.values.get("Name") == "", "everything was selected and deleted")


@claim()
async def enter_and_space_click_the_focused_button(probe: Probe) -> None:
    """Z8: Enter or Space on a control is a click on it."""
    await probe.click("button", "Count")
    await probe.computer.perform(PressKeys(modifiers=(), key="enter"))
    await probe.computer.perform(PressKeys(modifiers=(), key="space"))
    await probe.until(lambda report: report.clicks.get("Count") == 3, "Enter and Space clicked Count")


@claim()
async def tab_moves_the_focus_both_ways(probe: Probe) -> None:
    """A2: Tab and Shift+Tab follow the document's order."""
    await probe.click("textbox", "Name")
    await probe.computer.perform(PressKeys(modifiers=(), key="tab"))
    focus = await probe.computer.focus()
    expect(focus.node.name if focus.node is not None else None, "Notes", "what Tab leads to")
    await probe.computer.perform(PressKeys(modifiers=("shift",), key="tab"))
    focus = await probe.computer.focus()
    expect(focus.node.name if focus.node is not None else None, "Name", "what Shift+Tab leads to")


@claim(slow=True)
async def a_cancelled_text_leaves_no_key_down(probe: Probe) -> None:
    """E5, Z18: in the middle of a long text; what landed stays, and typing works afterwards."""
    node = await probe.find("textbox", "Notes")
    await probe.click_node(node)
    typing = TypeText(text=LONG, handle=node.handle)
    await probe.cancel_when(typing, lambda report: len(report.values.get("Notes", "")) >= 3, "three characters landed")
    report = await probe.report()
    landed = report.values["Notes"]
    expect(report.pressed, (), "what is pressed after the cancellation")
    expect_that(LONG.startswith(landed) and len(landed) < len(LONG), f"a part of the text stays: {landed!r}")
    await probe.computer.prepare(node.handle, "type", READY_S)
    await probe.fill("Notes", "again", clear=True)
    await probe.until(lambda report: report.values.get("Notes") == "again", "typing works after the cancellation")


CHECKS: tuple[Check, ...] = (
    every_character_arrives_as_itself,
    a_line_feed_presses_enter,
    a_tab_presses_tab,
    typing_goes_on_behind_what_is_there,
    clear_takes_what_was_there,
    a_password_arrives_and_is_never_observed,
    a_read_only_field_takes_nothing,
    typing_at_a_button_names_it,
    typing_for_another_field_than_the_focused_fails,
    a_text_cut_short_says_how_much_landed,
    the_focus_is_told,
    keys_and_chords_arrive,
    editing_keys_edit,
    enter_and_space_click_the_focused_button,
    tab_moves_the_focus_both_ways,
    a_cancelled_text_leaves_no_key_down,
)
