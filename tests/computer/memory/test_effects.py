"""Effects, time, and changes from outside: what a scene file can say happens, when it says so."""

from __future__ import annotations

import pytest

from axstream.ax.node import Box
from axstream.computer.base import OpenUrl
from axstream.computer.memory import Element, MemoryComputer, Scene, VirtualClock
from axstream.errors import ActionUnsupported, Disconnected, TargetNotFound
from axstream.spec.targets import Ax
from tests.computer.memory.desk import Desk, desk


def button(key: str, *effects: dict[str, object], **more: object) -> dict[str, object]:
    return {"role": "button", "id": key, "name": key, "on_click": list(effects), **more}


async def test_what_appears_later_is_there_on_time() -> None:
    """Time is the scene's own: nothing here waits for real."""
    late = {"role": "text", "id": "t", "name": "late", "appears_after_ms": 3_600_000}
    async with desk(late) as screen:
        await screen.wait(3599.9)
        assert "t" not in await screen.shown()
        await screen.wait(0.2)
        assert "t" in await screen.shown()


async def test_effects_happen_in_order_and_when_due() -> None:
    log = [{"record": {"to": "log", "text": text}, "after_ms": ms} for text, ms in (("c", 300), ("b", 100), ("a", 0))]
    async with desk(button("go", *log)) as screen:
        assert (await screen.click("go")).moved is True
        assert screen.records["log"] == ("a",)
        await screen.wait(5)
        await screen.observe()
        assert screen.records["log"] == ("a", "b", "c")


async def test_show_hide_toggle_choose_and_modal() -> None:
    panels = [
        {"role": "group", "id": f"p{i}", "name": f"P{i}", "shown": False, "box": [300, 0, 9, 9]} for i in range(3)
    ]
    async with desk(
        button("show", {"show": "p0"}),
        button("toggle", {"toggle": "p0"}),
        button("choose", {"choose": "p2"}),
        button("modal", {"modal": "p1"}),
        {"role": "group", "box": [0, 200, 400, 100], "children": panels},
    ) as screen:

        async def shown() -> set[str]:
            return {key for key in await screen.shown() if key.startswith("p")}

        await screen.click("show")
        assert await shown() == {"p0"}
        await screen.click("toggle")
        assert await shown() == set()
        await screen.click("toggle")
        await screen.click("choose")
        assert await shown() == {"p2"}
        await screen.click("modal")
        assert screen.node("p1").modal


async def test_set_changes_states_and_checks_radios_alone() -> None:
    states = {
        "id": "f", "name": "N", "description": "D", "placeholder": "P", "value": "V", "enabled": False,
        "pressed": True, "expanded": True, "selected": True, "readonly": True, "required": True,
    }  # fmt: skip
    async with desk(
        button("go", {"set": states}, {"set": {"id": "r1", "checked": True}}),
        {"role": "textbox", "id": "f"},
        {
            "role": "radiogroup",
            "children": [{"role": "radio", "id": "r0", "checked": True}, {"role": "radio", "id": "r1"}],
        },
    ) as screen:
        await screen.click("go")
        node = screen.node("f")
        assert (node.name, node.description, node.placeholder, node.value) == ("N", "D", "P", "V")
        assert (node.pressed, node.expanded) == ("true", "true")
        assert (node.enabled, node.selected, node.readonly, node.required) == (False, True, True, True)
        assert screen.node("r0").checked == "false"


async def test_appended_items_have_numbers_ids_and_effects_of_their_own() -> None:
    item = {
        "role": "listitem", "id": "row-${n}", "selected": True,
        "children": [
            {"role": "text", "name": "Row ${n}"},
            {"role": "button", "id": "del-${n}", "name": "Delete", "on_click": [{"remove": "item"}]},
            {"role": "button", "id": "say-${n}", "name": "Say", "on_click": [{"note": "row ${n}, in ${parent.name}"}]},
        ],
    }  # fmt: skip
    async with desk(
        button("add", {"append": {"to": "rows", "item": item}}),
        button("first", {"append": {"to": "rows", "item": item, "first": True}}),
        {"role": "list", "id": "rows"},
    ) as screen:
        await screen.click("add")
        await screen.click("add")
        await screen.click("first")
        rows = [key for key in await screen.shown() if key.startswith("row-")]
        numbers = [key.removeprefix("row-") for key in rows]
        assert len(set(numbers)) == 3
        assert numbers[0] == max(numbers)
        assert [screen.node(key).selected for key in rows] == [True, False, False]
        effect = await screen.click(f"say-{numbers[1]}")
        assert effect.notes == (f"row {numbers[1]}, in ",)
        await screen.click(f"del-{numbers[1]}")
        assert [key for key in await screen.shown() if key.startswith("row-")] == [rows[0], rows[2]]


async def test_an_effect_on_what_is_not_there_does_nothing() -> None:
    listing = {"role": "listbox", "id": "l", "children": []}
    async with desk(
        listing, button("go", {"remove": "l.selected"}, {"remove": "item"}, {"count": "${l.shown.name}done"})
    ) as screen:
        await screen.click("go")
        assert screen.counts == {"done": 1}


async def test_effects_that_go_round_end() -> None:
    async with desk(button("a", {"count": "a"}, {"click": "b"}), button("b", {"click": "a"})) as screen:
        await screen.click("a")
        assert 1 < screen.counts["a"] < 50


async def test_a_motion_takes_its_time_and_an_observation_waits_for_its_end() -> None:
    """O7: an observation is taken when things have settled."""
    async with desk(
        button("go", {"move": {"id": "m", "by": [100, 50], "ms": 500}}),
        button("jump", {"move": {"id": "m", "by": [-7, 0]}}),
        button("m", box=[200, 200, 80, 30]),
    ) as screen:
        await screen.click("go")
        await screen.wait(0.25)
        assert screen.node("m").box == Box(250, 225, 80, 30)
        tree = await screen.observe()
        assert tree.nodes[tree.by_handle[screen.node("m").handle]].box == Box(300, 250, 80, 30)
        await screen.click("jump")
        assert screen.node("m").box == Box(293, 250, 80, 30)


async def test_an_observation_does_not_wait_for_what_never_ends() -> None:
    async with desk(
        button("go", {"move": {"id": "m", "by": [9, 0], "ms": 100, "repeat": True}}),
        button("m", box=[300, 200, 80, 30]),
    ) as screen:
        await screen.click("go")
        before = screen.clock.now()
        await screen.observe()
        assert screen.clock.now() == before


async def test_changes_from_outside_are_seen_at_once() -> None:
    async with desk(button("a", {"count": "a"}), {"role": "group", "id": "g", "box": [0, 300, 200, 200]}) as screen:
        handle = screen.node("a").handle
        box = screen.node("a").box
        assert box is not None
        screen.move("a", 50, 5)
        assert screen.node("a").box == Box(box.x + 50, box.y + 5, box.w, box.h)
        screen.rename("a", "Alpha")
        assert (screen.node("a").name, screen.node("a").handle) == ("Alpha", handle)
        new = screen.replace("a")
        assert screen.node("a").handle == new != handle
        assert screen.node("a").name == "Alpha"
        with pytest.raises(TargetNotFound):
            await screen.prepare(handle, "click", 0.1)
        await screen.click("a")
        assert screen.counts == {"a": 1}
        added = screen.add("g", Element(role="button", name="Added"))
        await screen.click(added)
        bare = screen.add(None, Element(role="window", name="Bare"))
        assert screen.node(bare).parent == -1
        screen.set("a", enabled=False)
        assert not screen.node("a").enabled
        with pytest.raises(AttributeError, match="handle"):
            screen.set("a", handle="x")
        screen.remove("a")
        assert not screen.exists("a")
        with pytest.raises(KeyError, match="a"):
            screen.value("a")


async def test_candidates_by_role_leave_out_what_cannot_be_meant() -> None:
    """Z27: narrowed, and whole where that is asked for."""
    async with desk(
        button("a"), {"role": "textbox", "id": "f"}, {"role": "group", "children": [button("b")]}
    ) as screen:
        some = await screen.candidates(Ax(role="AXButton"))
        assert [node.name for node in some.nodes] == ["Desk", "a", "", "b"]
        assert not some.complete
        assert [node.parent for node in some.nodes] == [-1, 0, 0, 2]
        assert (await screen.candidates(Ax(role="AXButton"), whole=True)).complete
        assert (await screen.candidates(Ax(role="AXButton", title="a"))).complete


async def test_a_scene_without_applications_and_pages_says_so() -> None:
    """A6: unsupported."""
    async with desk(button("a")) as screen:
        assert (screen.has_applications, screen.opens_urls, await screen.applications()) == (False, False, ())
        with pytest.raises(ActionUnsupported, match=r"nothing to show https://a\.example with"):
            await screen.perform(OpenUrl(url="https://a.example"))


async def test_a_computer_that_is_not_entered_says_so() -> None:
    computer = MemoryComputer(Scene(), clock=VirtualClock())
    with pytest.raises(Disconnected, match="async with"):
        await computer.observe()
    async with computer:
        assert (await computer.observe()).notes
    with pytest.raises(Disconnected):
        await computer.focus()


async def test_addresses_are_read_as_people_type_them() -> None:
    view = {"role": "document", "id": "v", "browse": True, "url": "https://a.example/"}
    pages = [
        {"url": "https://a.example/", "title": "A"},
        {"url": "https://b.example/*", "title": "B ${query}"},
        {"url": "https://find.example/?q=*", "title": "found ${query}"},
    ]
    async with desk(view, pages=pages, search="https://find.example/?q={}") as screen:
        titles = {
            "A.example": "A",
            "http://a.example": "A",
            "b.example/deep?x=1&q=two": "B two",
            "two words": "found two words",
            "what? & why": "found what? & why",
            "c.example": "Page not found",
            "localhost:8000": "Page not found",
        }
        for text, title in titles.items():
            await screen.perform(OpenUrl(url=text))
            assert (await screen.observe()).surface.title == title, text


async def test_a_page_that_loads_slowly_is_waited_for_a_second() -> None:
    """Z4: at most."""
    view = {"role": "document", "id": "v", "browse": True, "url": "a.example"}
    pages = [{"url": "a.example", "title": "A"}, {"url": "b.example", "title": "B", "loads_after_ms": 5000}]
    async with desk(view, pages=pages) as screen:
        started = screen.clock.now()
        await screen.perform(OpenUrl(url="b.example"))
        assert screen.clock.now() - started < 1.1
        assert (await screen.candidates(Ax(title="x"))).surface.title == "A"
        await screen.wait(5)
        assert (await screen.observe()).surface.title == "B"


def test_desk_is_a_memory_computer() -> None:
    """What these tests drive is the real thing with hands."""
    assert issubclass(Desk, MemoryComputer)
