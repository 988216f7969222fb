"""What keys do in a scene: shortcuts and their reach, editing, menus, lists, what is told about them."""

from __future__ import annotations

import pytest

from axstream.computer.base import PressKeys
from axstream.computer.memory import KeyDown, KeyUp, TextTyped
from axstream.errors import TargetNotActionable
from tests.computer.memory.desk import desk
from tests.computer.memory.test_pointer import MENU

FIELD = {"role": "textbox", "id": "f", "name": "F"}
SAVE = {"cmd+s": [{"count": "saved"}]}


async def test_a_shortcut_of_the_window_works_in_its_fields() -> None:
    window = {"role": "window", "id": "w", "on_key": SAVE, "children": [FIELD]}
    async with desk(screen=[window]) as screen:
        await screen.press("cmd+s")
        await screen.click("f")
        await screen.press("ctrl+s")
        assert screen.counts == {"saved": 2}
        assert screen.value("f") == ""


async def test_the_nearest_shortcut_wins() -> None:
    near = {**FIELD, "on_key": {"cmd+s": [{"count": "near"}]}}
    async with desk(
        {"role": "group", "on_key": SAVE, "children": [near]}, on_key={"cmd+s": [{"count": "far"}]}
    ) as screen:
        await screen.click("f")
        await screen.press("cmd+s")
        assert screen.counts == {"near": 1}
        await screen.click("w")
        await screen.press("cmd+s")
        assert screen.counts == {"near": 1, "far": 1}


async def test_a_modal_dialog_keeps_shortcuts_from_what_is_behind() -> None:
    dialog = {"role": "dialog", "id": "d", "modal": True, "shown": False, "on_key": {"escape": [{"hide": "d"}]}}
    opener = {**FIELD, "on_key": {"cmd+d": [{"show": "d"}]}}
    async with desk(opener, dialog, on_key=SAVE) as screen:
        await screen.click("f")
        await screen.press("cmd+d")
        assert (await screen.press("cmd+s")).moved is False
        with pytest.raises(TargetNotActionable, match="nothing has the focus"):
            await screen.type("x")
        await screen.press("escape")
        await screen.press("cmd+s")
        assert screen.counts == {"saved": 1}


async def test_a_page_has_shortcuts_of_its_own() -> None:
    view = {"role": "document", "id": "v", "browse": True, "url": "a.example", "box": [0, 0, 300, 300]}
    pages = [{"url": "a.example", "on_key": {"j": [{"count": "next"}]}, "children": [FIELD]}]
    async with desk(view, pages=pages) as screen:
        await screen.press("j")
        assert screen.counts == {"next": 1}
        assert (await screen.focus()).handles_keys is False


async def test_any_key_reaches_what_listens_to_any() -> None:
    async with desk(
        screen=[{"role": "window", "on_key": {"*": [{"record": {"to": "k", "text": "${key}"}}]}}]
    ) as screen:
        focus = await screen.focus()
        assert (focus.node, focus.takes_text, focus.handles_keys) == (None, False, True)
        await screen.type("a B\n")
        await screen.press("ctrl+shift+left")
        assert screen.records["k"] == ("a", "space", "B", "enter", "ctrl+shift+left")


async def test_nothing_focused_takes_no_text_and_says_what_to_do() -> None:
    async with desk(FIELD) as screen:
        with pytest.raises(TargetNotActionable, match="nothing has the focus; click a field first"):
            await screen.type("abc")
        await screen.type("\n")  # a key alone needs no field


async def test_text_is_edited_at_the_caret() -> None:
    async with desk(FIELD) as screen:
        await screen.click("f")
        await screen.type("hello")
        for chord, value in [
            ("left", "hello"),
            ("backspace", "helo"),
            ("home", "helo"),
            ("delete", "elo"),
            ("H", "Helo"),
            ("shift+x", "HXelo"),
            ("end", "HXelo"),
            ("space", "HXelo "),
            ("right", "HXelo "),
            ("+", "HXelo +"),
            ("cmd+b", "HXelo +"),
        ]:
            await screen.press(chord)
            assert screen.value("f") == value, chord


async def test_copy_cut_and_paste() -> None:
    async with desk(FIELD, {**FIELD, "id": "g"}) as screen:
        await screen.click("f")
        await screen.type("one")
        for chord in ("cmd+a", "cmd+c", "end", "cmd+v"):
            await screen.press(chord)
        assert screen.value("f") == "oneone"
        await screen.press("cmd+a")
        await screen.press("cmd+x")
        assert screen.value("f") == ""
        await screen.click("g")
        await screen.press("cmd+v")
        assert screen.value("g") == "oneone"


async def test_selected_text_is_replaced_and_arrows_unselect() -> None:
    async with desk({**FIELD, "value": "old"}) as screen:
        await screen.click("f")
        await screen.press("cmd+a")
        await screen.press("left")
        await screen.type("very ")
        assert screen.value("f") == "very old"
        await screen.press("cmd+a")
        await screen.type("new")
        assert screen.value("f") == "new"


async def test_a_read_only_field_is_copied_from_and_never_changed() -> None:
    async with desk({**FIELD, "value": "AX-1", "readonly": True}, {**FIELD, "id": "g"}) as screen:
        await screen.click("f")
        for chord in ("cmd+a", "cmd+c", "backspace", "cmd+x", "delete", "x"):
            await screen.press(chord)
        assert screen.value("f") == "AX-1"
        with pytest.raises(TargetNotActionable, match='textbox "F", which is read-only'):
            await screen.type("y")
        await screen.click("g")
        await screen.press("cmd+v")
        assert screen.value("g") == "AX-1"


async def test_typing_is_heard() -> None:
    heard = {**FIELD, "on_input": [{"set": {"id": "copy", "name": "${self.value}"}}]}
    async with desk(heard, {"role": "status", "id": "copy"}) as screen:
        await screen.click("f")
        effect = await screen.type("ab")
        assert screen.node("copy").name == "ab"
        assert effect.summary == 'typed 2 characters into textbox "F"'
        await screen.press("backspace")
        assert screen.node("copy").name == "a"


async def test_enter_in_a_field_submits_its_form() -> None:
    form = {"role": "form", "on_enter": [{"record": {"to": "sent", "text": "${f.value}"}}], "children": [FIELD]}
    async with desk(form) as screen:
        await screen.click("f")
        await screen.type("Ada\n")
        assert screen.records == {"sent": ("Ada",)}


async def test_arrows_and_enter_work_a_menu() -> None:
    async with desk(MENU) as screen:
        await screen.click("file")
        for chord, focus in (("down", "new"), ("down", "quit"), ("down", "new"), ("up", "quit")):
            await screen.press(chord)
            assert screen.focus_id == focus
        await screen.press("enter")
        assert screen.counts == {"quit": 1}
        assert "menu" not in await screen.shown()


async def test_escape_closes_the_topmost_popup() -> None:
    async with desk(MENU) as screen:
        await screen.click("file")
        await screen.press("escape")
        assert "menu" not in await screen.shown()
        assert screen.focus_id == "file"


async def test_arrows_choose_in_groups() -> None:
    radios = {"role": "radiogroup", "children": [{"role": "radio", "id": f"r{i}"} for i in range(3)]}
    box = {"role": "combobox", "id": "c", "value": "b", "options": ["a", "b", "c"]}
    async with desk(radios, box) as screen:
        await screen.click("r0")
        await screen.press("up")
        assert screen.node("r2").checked == "true"
        await screen.click("c")
        await screen.press("escape")
        for chord, value in (("down", "c"), ("down", "c"), ("up", "b"), ("up", "a"), ("up", "a")):
            await screen.press(chord)
            assert screen.value("c") == value


async def test_tab_stays_in_the_dialog_and_skips_what_cannot_have_the_focus() -> None:
    dialog = {
        "role": "dialog", "id": "d", "modal": True, "shown": False, "box": [0, 0, 300, 300],
        "children": [
            {"role": "button", "id": "a", "name": "A", "box": [0, 0, 50, 30]},
            {"role": "button", "id": "off", "name": "Off", "enabled": False, "box": [60, 0, 50, 30]},
            {"role": "button", "id": "gone", "name": "Gone", "shown": False, "box": [120, 0, 50, 30]},
            {"role": "link", "id": "b", "name": "B", "box": [180, 0, 50, 30]},
        ],
    }  # fmt: skip
    async with desk({"role": "button", "id": "o", "name": "O", "on_click": [{"show": "d"}]}, dialog) as screen:
        await screen.click("o")
        stops = [screen.focus_id]
        for _ in range(3):
            await screen.press("tab")
            stops.append(screen.focus_id)
        assert stops == ["a", "b", "a", "b"]


async def test_tab_selects_what_is_in_the_field() -> None:
    async with desk({**FIELD, "value": "x"}, {**FIELD, "id": "g", "value": "old"}) as screen:
        await screen.click("f")
        await screen.type("\tnew")
        assert screen.value("g") == "new"


async def test_keys_go_down_in_order_and_up_in_reverse() -> None:
    async with desk(FIELD) as screen:
        await screen.perform(PressKeys(modifiers=("cmd", "shift"), key="p"))
        seen = [(type(received), received.key) for received in screen.inputs if isinstance(received, KeyDown | KeyUp)]
        down = [(KeyDown, "ctrl"), (KeyDown, "shift"), (KeyDown, "p")]
        assert seen == [*down, (KeyUp, "p"), (KeyUp, "shift"), (KeyUp, "ctrl")]


async def test_a_lone_modifier_is_a_press() -> None:
    async with desk(FIELD) as screen:
        await screen.perform(PressKeys(modifiers=(), key="cmd"))
        assert [received.key for received in screen.inputs if isinstance(received, KeyDown)] == ["ctrl"]


async def test_every_character_is_recorded_where_it_landed() -> None:
    async with desk(FIELD) as screen:
        await screen.click("f")
        await screen.type("é🌍")
        landed = [(received.text, received.into) for received in screen.inputs if isinstance(received, TextTyped)]
        assert landed == [("é", "f"), ("🌍", "f")]


async def test_a_focus_that_moves_away_cuts_the_text_short() -> None:
    """A1, Z18: it says how many characters were sent, and where the focus is."""
    jump = {**FIELD, "on_key": {"!": [{"focus": "b"}]}}
    async with desk(jump, {"role": "button", "id": "b", "name": "B"}) as screen:
        await screen.click("f")
        with pytest.raises(
            TargetNotActionable, match='3 of 5 characters were typed and stay; now the focus is on button "B"'
        ):
            await screen.type("ab!cd")
        assert screen.value("f") == "ab"
