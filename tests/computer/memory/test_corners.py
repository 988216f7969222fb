"""Corners of the memory desktop: what goes away under one's hands, what is shut out, what is asked for too early."""

from __future__ import annotations

import pytest

from axstream.computer.base import OpenApp, TypeText
from axstream.errors import TargetNotActionable, TargetNotFound
from tests.computer.memory.desk import desk

FIELD = {"role": "textbox", "id": "f", "name": "F"}


async def test_typing_into_what_went_away_is_not_found() -> None:
    async with desk(FIELD) as screen:
        await screen.click("f")
        handle = screen.node("f").handle
        screen.remove("f")
        assert screen.focus_id is None
        with pytest.raises(TargetNotFound, match="is not on the screen any more"):
            await screen.perform(TypeText(text="x", handle=handle))


async def test_what_takes_no_text_is_not_ready_for_it() -> None:
    """T7: the purpose decides what ready means."""
    async with desk(
        {"role": "button", "id": "b", "name": "B"}, {"role": "group", "id": "pad", "on_key": {"*": []}}
    ) as screen:
        with pytest.raises(TargetNotActionable, match='button "B" takes no text'):
            await screen.prepare(screen.node("b").handle, "type", 0.1)
        await screen.prepare(screen.node("pad").handle, "type", 0.1)


async def test_a_focus_behind_a_dialog_is_no_focus() -> None:
    opener = {**FIELD, "on_input": [{"modal": "d"}]}
    dialog = {"role": "dialog", "id": "d", "name": "D", "shown": False, "box": [300, 0, 200, 100]}
    scroller = {"role": "region", "id": "s", "scrolls": True, "box": [0, 100, 100, 100], "content": [100, 900]}
    async with desk(opener, scroller, dialog) as screen:
        await screen.hover("s")
        await screen.click("f")
        with pytest.raises(TargetNotActionable, match="1 of 3 characters were typed"):
            await screen.type("abc")
        screen.desktop.focus = screen.desktop.find("f")
        assert screen.focus_id is None
        assert (await screen.press("tab")).moved is False
        assert (await screen.scroll("down")).moved is False


async def test_selectors_name_windows_parents_and_the_focus() -> None:
    chords = {
        "f2": [{"set": {"id": "focused", "value": "focused"}}],
        "f3": [{"set": {"id": "window", "name": "Renamed"}}],
        "f4": [{"select": "o2"}, {"record": {"to": "log", "text": "${list.selected.name}, ${parent.name}"}}],
        "f5": [{"select_text": "f"}],
    }
    options = [{"role": "option", "id": f"o{i}", "name": f"O{i}"} for i in range(3)]
    listing = {"role": "listbox", "id": "list", "children": options}
    async with desk(FIELD, listing, on_key=chords) as screen:
        await screen.click("f")
        for chord in ("f2", "f3", "f4", "f5"):
            await screen.press(chord)
        assert screen.value("f") == "focused"
        assert screen.node("w").name == "Renamed"
        assert screen.records == {"log": ("O2, ",)}
        await screen.type("new")
        assert screen.value("f") == "new"


async def test_options_are_walked_by_arrows() -> None:
    options = [{"role": "option", "id": f"o{i}", "name": f"O{i}"} for i in range(3)]
    async with desk({"role": "listbox", "children": options}) as screen:
        await screen.click("o0")
        await screen.press("down")
        assert [screen.node(f"o{i}").selected for i in range(3)] == [False, True, False]
        await screen.press("enter")
        assert screen.focus_id == "o1"


async def test_a_page_may_take_the_focus_when_it_is_loaded() -> None:
    view = {"role": "document", "id": "v", "browse": True, "url": "a.example"}
    async with desk(view, pages=[{"url": "a.example", "children": [{**FIELD, "autofocus": True}]}]) as screen:
        assert screen.focus_id == "f"


async def test_an_application_that_is_open_already_keeps_its_focus() -> None:
    def window(key: str) -> dict[str, object]:
        return {
            "role": "window",
            "id": key,
            "name": key,
            "children": [{**FIELD, "id": f"{key}-f", "autofocus": True}, FIELD],
        }

    a, b = window("a"), {**window("b"), "children": [{**FIELD, "id": "b-f"}]}
    apps = [{"name": "A", "window": "a", "on_open": [{"count": "opened"}]}, {"name": "B", "window": "b"}]
    async with desk(screen=[a, b], apps=apps) as screen:
        await screen.perform(OpenApp(name="A"))
        assert screen.focus_id == "a-f"
        await screen.press("tab")
        await screen.perform(OpenApp(name="a"))
        assert screen.focus_id == "f"
        await screen.perform(OpenApp(name="B"))
        assert screen.focus_id is None
        assert screen.counts == {"opened": 2}


async def test_a_view_that_is_gone_loads_nothing() -> None:
    view = {"role": "document", "id": "v", "browse": True, "url": "a.example"}
    go = {"role": "button", "id": "go", "name": "go", "on_click": [{"navigate": "b.example"}, {"remove": "v"}]}
    pages = [{"url": "a.example"}, {"url": "b.example", "loads_after_ms": 100}]
    async with desk(view, go, pages=pages) as screen:
        await screen.click("go")
        assert screen.desktop.loading == 0
        assert not screen.exists("v")


async def test_tab_without_a_stop_and_keys_that_nothing_wants_say_so() -> None:
    async with desk({"role": "text", "name": "alone"}) as screen:
        for chord in ("tab", "shift+tab", "f9", "escape"):
            effect = await screen.press(chord)
            assert effect.moved is False
            assert effect.summary == f"pressed {chord}; nothing changed"


async def test_tab_works_on_the_bare_screen() -> None:
    dock = {"role": "toolbar", "id": "dock", "box": [0, 500, 300, 50], "row": True, "children": [
        {"role": "button", "id": key, "name": key} for key in "ab"
    ]}  # fmt: skip
    async with desk(screen=[dock, {"role": "window", "name": "W", "box": [0, 0, 100, 100]}]) as screen:
        await screen.click("a")
        await screen.press("tab")
        assert screen.focus_id == "b"


async def test_a_fixed_popup_on_the_bare_screen_lies_over_windows() -> None:
    tip = {"role": "tooltip", "id": "tip", "name": "Tip", "popup": True, "box": [10, 10, 50, 20]}
    window = {"role": "window", "name": "W", "box": [0, 0, 100, 100]}
    async with desk(screen=[tip, window]) as screen:
        hit = await screen.at(15, 15)
        assert hit is not None
        assert hit.name == "Tip"
