"""What the pointer does in a scene: built-in behaviours of roles, menus, windows, drops, the wheel."""

from __future__ import annotations

import pytest

from axstream.computer.base import ClickAt, MoveTo
from axstream.computer.memory import ButtonDown, PointerMoved, WheelTurned
from axstream.errors import TargetNotActionable, TargetNotFound
from tests.computer.memory.desk import desk

MENU = {
    "role": "button",
    "id": "file",
    "name": "File",
    "children": [
        {
            "role": "menu",
            "id": "menu",
            "popup": True,
            "shown": False,
            "children": [
                {"role": "menuitem", "id": "new", "name": "New", "on_click": [{"count": "new"}]},
                {"role": "menuitem", "id": "quit", "name": "Quit", "on_click": [{"count": "quit"}]},
            ],
        }
    ],
}
BUTTON = {"role": "button", "id": "b", "name": "B", "box": [400, 400, 80, 30], "on_click": [{"count": "b"}]}


async def test_a_button_with_a_menu_opens_and_closes_it() -> None:
    async with desk(MENU, BUTTON) as screen:
        assert screen.node("file").expanded == "false"
        effect = await screen.click("file")
        assert effect.notes == ("menu appeared",)
        assert screen.node("file").expanded == "true"
        assert screen.node("menu").active
        assert screen.node("menu").popup
        await screen.click("file")
        assert "menu" not in await screen.shown()


async def test_a_menu_item_closes_its_menu() -> None:
    async with desk(MENU, BUTTON) as screen:
        await screen.click("file")
        await screen.click("new")
        assert screen.counts == {"new": 1}
        assert "menu" not in await screen.shown()


async def test_a_click_elsewhere_closes_the_menu_and_counts() -> None:
    async with desk(MENU, BUTTON) as screen:
        await screen.click("file")
        await screen.click("b")
        assert "menu" not in await screen.shown()
        assert screen.counts == {"b": 1}


async def test_a_menu_lies_over_what_is_behind_it() -> None:
    under = {**BUTTON, "box": [10, 46, 60, 20]}
    async with desk(MENU, under) as screen:
        await screen.click("b")
        await screen.click("file")
        with pytest.raises(TargetNotActionable, match="is covered by"):
            await screen.prepare(screen.node("b").handle, "click", 0.1)


async def test_a_submenu_stays_inside_its_open_menu() -> None:
    more = {
        "role": "menuitem",
        "id": "more",
        "name": "More",
        "children": [
            {
                "role": "menu",
                "id": "sub",
                "popup": True,
                "shown": False,
                "box": [100, 0, 100, 60],
                "children": [{"role": "menuitem", "id": "deep", "name": "Deep", "on_click": [{"count": "deep"}]}],
            }
        ],
    }
    menu = {**MENU["children"][0], "children": [more]}  # type: ignore[dict-item,index]  # the dict above
    async with desk({**MENU, "children": [menu]}) as screen:
        await screen.click("file")
        await screen.click("more")
        assert {"menu", "sub"} <= set(await screen.shown())
        await screen.click("deep")
        assert not {"menu", "sub"} & set(await screen.shown())
        assert screen.counts == {"deep": 1}


async def test_a_mixed_checkbox_becomes_checked() -> None:
    async with desk({"role": "checkbox", "id": "c", "checked": "mixed"}) as screen:
        assert screen.node("c").checked == "mixed"
        await screen.click("c")
        assert screen.node("c").checked == "true"
        await screen.click("c")
        assert screen.node("c").checked == "false"


async def test_a_toggle_button_stays_pressed() -> None:
    async with desk({"role": "button", "id": "t", "pressed": False}) as screen:
        await screen.click("t")
        assert screen.node("t").pressed == "true"


async def test_a_radio_unchecks_its_whole_group_only() -> None:
    def group(name: str) -> dict[str, object]:
        radios = [{"role": "generic", "children": [{"role": "radio", "id": f"{name}{i}"}]} for i in range(2)]
        return {"role": "radiogroup", "children": radios}

    async with desk(group("a"), group("b")) as screen:
        for key in ("a0", "b1", "a1", "a1"):
            await screen.click(key)
        assert [screen.node(key).checked for key in ("a0", "a1", "b0", "b1")] == ["false", "true", "false", "true"]


async def test_a_tab_shows_its_panel_alone() -> None:
    tabs = [{"role": "tab", "id": f"t{i}", "name": f"T{i}", "controls": f"p{i}", "selected": i == 0} for i in range(2)]
    panels = [{"role": "tabpanel", "id": f"p{i}", "shown": i == 0, "box": [0, i * 50, 99, 40]} for i in range(2)]
    async with desk(
        {"role": "tablist", "row": True, "children": tabs}, {"role": "group", "children": panels}
    ) as screen:
        await screen.click("t1")
        assert [screen.node(f"t{i}").selected for i in range(2)] == [False, True]
        assert "p1" in await screen.shown()
        assert "p0" not in await screen.shown()


async def test_an_option_sets_its_combobox_and_closes_it() -> None:
    box = {
        "role": "combobox",
        "id": "c",
        "value": "Red",
        "options": ["Red", "Green"],
        "on_input": [{"record": {"to": "chosen", "text": "${self.value}"}}],
    }
    async with desk(box) as screen:
        await screen.click("c")
        green = next(node for node in (await screen.observe()).nodes if node.name == "Green")
        x, y = await screen.prepare(green.handle, "click", 1)
        await screen.perform(ClickAt(x=x, y=y))
        assert screen.value("c") == "Green"
        assert screen.records == {"chosen": ("Green",)}
        assert screen.node("c").expanded == "false"
        assert screen.focus_id == "c"


async def test_a_label_click_reaches_its_control() -> None:
    """Z17: a label stands for its control."""
    label = {"role": "text", "id": "l", "name": "Agree", "label_for": "c"}
    async with desk(label, {"role": "checkbox", "id": "c"}) as screen:
        await screen.click("l")
        assert screen.node("c").checked == "true"
        assert screen.focus_id == "c"
        assert screen.node("l").label_for == screen.node("c").handle


async def test_a_click_inside_bubbles_to_what_answers() -> None:
    row = {
        "role": "listitem",
        "on_click": [{"count": "row"}],
        "children": [{"role": "text", "id": "t", "name": "inside"}, {**BUTTON, "box": [200, 0, 80, 30]}],
    }
    async with desk({"role": "list", "children": [row]}) as screen:
        await screen.click("t")
        assert screen.counts == {"row": 1}
        await screen.click("b")
        assert screen.counts == {"row": 1, "b": 1}


async def test_a_disabled_button_swallows_what_hits_it() -> None:
    button = {**BUTTON, "enabled": False}
    async with desk({"role": "group", "on_click": [{"count": "group"}], "children": [button]}) as screen:
        x, y = await screen.prepare(screen.node("b").handle, "move", 1)
        effect = await screen.perform(ClickAt(x=x, y=y))
        assert effect.moved is False
        assert effect.summary == 'clicked button "B"; nothing changed'
        assert screen.counts == {}


async def test_the_pointer_goes_through_what_passes_clicks() -> None:
    glass = {"role": "generic", "box": [0, 0, 800, 600], "passes_clicks": True}
    async with desk(BUTTON, glass) as screen:
        await screen.click("b")
        assert screen.counts == {"b": 1}


async def test_a_click_raises_its_window_and_leaves_the_focus_there() -> None:
    windows = [
        {"role": "window", "id": f"w{i}", "name": f"W{i}", "box": [i * 100, 0, 200, 200], "children": [
            {"role": "textbox", "id": f"f{i}", "box": [0, 0, 50, 30]}
        ]}
        for i in range(2)
    ]  # fmt: skip
    async with desk(screen=windows) as screen:
        assert screen.node("w1").active
        await screen.click("f0")
        assert screen.node("w0").active
        assert screen.focus_id == "f0"
        await screen.perform(ClickAt(x=700, y=700))
        assert screen.focus_id is None
        hit = await screen.at(150, 150)
        assert hit is not None
        assert hit.name == "W0"


async def test_a_dialog_gives_the_focus_back() -> None:
    field = {"role": "textbox", "id": "f", "on_key": {"cmd+i": [{"show": "d"}]}}
    dialog = {
        "role": "dialog",
        "id": "d",
        "name": "D",
        "modal": True,
        "shown": False,
        "box": [100, 100, 200, 200],
        "children": [{"role": "button", "id": "ok", "name": "OK", "on_click": [{"hide": "d"}]}],
    }
    async with desk(field, dialog) as screen:
        await screen.click("f")
        await screen.press("cmd+i")
        assert screen.focus_id == "ok"
        hit = await screen.at(5, 5)
        assert hit is not None
        assert hit.name == "D"
        await screen.click("ok")
        assert screen.focus_id == "f"


async def test_hovering_happens_once_for_each_coming_in() -> None:
    inner = {"role": "text", "id": "t", "name": "inside"}
    outer = {"role": "group", "id": "g", "on_hover": [{"count": "in"}], "children": [inner]}
    async with desk(outer) as screen:
        await screen.hover("t")
        await screen.hover("g")
        assert screen.counts == {"in": 1}
        await screen.perform(MoveTo(x=700, y=500))
        await screen.hover("t")
        assert screen.counts == {"in": 2}


async def test_a_drop_tells_what_was_dropped() -> None:
    parcel = {
        "role": "listitem", "id": "parcel", "name": "Parcel", "draggable": True, "box": [0, 0, 50, 50],
        "children": [{"role": "text", "id": "tag", "name": "tag", "box": [5, 5, 20, 20]}],
    }  # fmt: skip
    bin_ = {
        "role": "group", "id": "bin", "name": "Bin", "box": [200, 0, 90, 90],
        "on_drop": {"*": [{"record": {"to": "bin", "text": "${source.name}"}}, {"remove": "source"}]},
    }  # fmt: skip
    async with desk(parcel, bin_) as screen:
        nothing = await screen.drag("bin", "parcel")
        assert nothing.summary.endswith("nothing took the drop")
        effect = await screen.drag("tag", "bin")
        assert effect.moved is True
        assert screen.records == {"bin": ("Parcel",)}
        assert not screen.exists("parcel")
        moves = [received for received in screen.inputs if isinstance(received, PointerMoved)]
        assert len(moves) > 10


async def test_the_wheel_scrolls_the_innermost_that_still_can() -> None:
    inner = {"role": "list", "id": "in", "name": "In", "scrolls": True, "box": [0, 0, 100, 100], "content": [100, 150]}
    outer = {
        "role": "region", "id": "out", "name": "Out", "scrolls": True, "box": [0, 0, 200, 200], "content": [500, 500],
        "children": [inner],
    }  # fmt: skip
    async with desk(outer, BUTTON) as screen:
        await screen.hover("in")
        assert (await screen.scroll("down")).summary == 'scrolled list "In" down by 1'
        assert screen.offset("in") == (0, 50)
        assert (await screen.scroll("down")).summary == 'scrolled region "Out" down by 1'
        assert (await screen.scroll("right", 9)).moved is True
        assert screen.offset("out") == (300, 100)
        await screen.hover("out")
        effect = await screen.scroll("right")
        assert effect.moved is False
        assert effect.summary == 'nothing moved: region "Out" is at its end on the right'
        await screen.hover("b")
        assert (await screen.scroll("up")).summary == "nothing moved: nothing under the pointer scrolls"
        wheels = [received for received in screen.inputs if isinstance(received, WheelTurned)]
        assert [wheel.clicks for wheel in wheels] == [1, 1, 9, 1, 1]


async def test_content_grows_with_the_children() -> None:
    items = [{"role": "option", "id": f"o{i}", "name": f"Item {i}"} for i in range(30)]
    async with desk({"role": "listbox", "scrolls": True, "box": [0, 0, 200, 100], "children": items}) as screen:
        assert not screen.node("o29").onscreen
        await screen.click("o29")
        assert screen.node("o29").onscreen
        assert not screen.node("o0").onscreen
        await screen.click("o0")
        assert screen.node("o0").selected


async def test_children_without_a_box_are_lined_up() -> None:
    row = {"role": "toolbar", "row": True, "children": [{"role": "button", "id": k, "name": k} for k in "ab"]}
    async with desk(row, {"role": "textbox", "id": "c"}) as screen:
        a, b, c = (screen.node(key).box for key in "abc")
        assert a is not None
        assert b is not None
        assert c is not None
        assert a.y == b.y
        assert a.x + a.w < b.x
        assert c.y > a.y + a.h


async def test_a_point_outside_is_refused_with_the_bounds() -> None:
    """Z22: never clamped."""
    async with desk(BUTTON) as screen:
        with pytest.raises(TargetNotActionable, match=r"the point 1280,5 lies outside the screen of 1280 x 800"):
            await screen.perform(ClickAt(x=1280, y=5))
        assert not [received for received in screen.inputs if isinstance(received, ButtonDown)]


async def test_what_lies_outside_the_screen_says_so() -> None:
    async with desk({**BUTTON, "box": [900, 0, 50, 30]}) as screen:
        with pytest.raises(TargetNotActionable, match="lies outside the screen"):
            await screen.prepare(screen.node("b").handle, "click", 0.1)


async def test_what_is_hidden_while_it_is_waited_for_says_so() -> None:
    async with desk(BUTTON) as screen:
        handle = screen.node("b").handle
        screen.set("b", shown=False)
        with pytest.raises(TargetNotActionable, match='button "B" is not shown'):
            await screen.prepare(handle, "click", 0.1)
        screen.remove("b")
        with pytest.raises(TargetNotFound):
            await screen.prepare(handle, "click", 0.1)


async def test_a_context_menu_opens_at_the_pointer() -> None:
    item = {"role": "text", "id": "t", "name": "a line", "on_right_click": [{"show": "m", "at": "pointer"}]}
    menu = {"role": "menu", "id": "m", "name": "M", "popup": True, "shown": False}
    async with desk(item, menu) as screen:
        await screen.click("t", button="right")
        box = screen.node("m").box
        assert box is not None
        assert (box.x, box.y) == screen.desktop.pointer
        plain = await screen.click("w", button="right")
        assert "m" not in await screen.shown()
        assert plain.summary == 'right-clicked window "Desk"'
