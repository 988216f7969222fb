"""A scene with a mistake is one line that says where and what, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from axstream.computer.memory import Element, MemoryComputer, Scene, load_scene, open_memory, parse_scene
from axstream.computer.memory.scene import Effect
from axstream.errors import UsageError

BUTTON = '{\n  "screen": [\n    {"role": "button", "id": "buy",\n     %s}\n  ]\n}'


def problem(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse_scene(text, "shop.json")
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_broken_json_names_line_and_column() -> None:
    assert problem('{\n  "title": "Shop",\n  "screen": [}\n').startswith("shop.json:3:14: this is not JSON")


@pytest.mark.parametrize("text", ["", "[", "nul", '{"a": NaN}', '{"a": Infinity}', "{'a': 1}", '{"a": 1,}', "\x00"])
def test_what_is_no_json_is_refused(text: str) -> None:
    assert "this is not JSON" in problem(text)


def test_nesting_without_end_is_refused() -> None:
    assert "nested too deep" in problem("[" * 200_000)


def test_a_doubled_key_names_its_second_line() -> None:
    assert problem('{\n  "title": "A",\n  "title": "B"\n}') == "shop.json:3: the key 'title' stands here twice"


@pytest.mark.parametrize("text", ["3", "[]", '"screen"', "null"])
def test_a_scene_is_an_object(text: str) -> None:
    assert problem(text).startswith("shop.json:1: $: Expected `object`")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('"on_clik": []', '$.screen[0].on_clik: the key "on_clik" is unknown here; did you mean "on_click"?'),
        ('"zzz": 1', '$.screen[0].zzz: the key "zzz" is unknown here; known are "role", "id"'),
        ('"name": 3', "$.screen[0].name: Expected `str`, got `int`"),
        ('"box": [1, 2, 3]', "$.screen[0].box: Expected `array` of length 4, got 3"),
        ('"box": [1, 2, 0, 3]', "$.screen[0].box: a box is left, top, width, height"),
        ('"checked": "maybe"', "$.screen[0].checked: Invalid enum value 'maybe'"),
        ('"children": [{"role": "text"}, {"name": "x"}]', '$.screen[0].children[1]: the key "role" is missing'),
        (
            '"children": [{"role": "buton"}]',
            '$.screen[0].children[0].role: the role "buton" is unknown; the nearest is',
        ),
        ('"children": [{"role": "AXButton"}]', 'the role "AXButton" is unknown; the nearest is "button"'),
        ('"children": [{"role": "text", "id": "buy"}]', '$.screen[0].children[0].id: the id "buy" is used twice'),
        ('"children": [{"role": "text", "id": "self"}]', '"self" cannot be an id'),
        ('"children": [{"role": "text", "id": "a.b"}]', '"a.b" cannot be an id'),
        ('"on_click": [{"show": "by"}]', '$.screen[0].on_click[0].show: the id "by" is unknown; the nearest is "buy"'),
        ('"on_click": [{"show": "buy.first"}]', 'behind the dot stands "selected" or "shown"'),
        ('"on_click": [{}]', "$.screen[0].on_click[0]: an effect has exactly one verb; it is one of"),
        ('"on_click": [{"show": "buy", "hide": "buy"}]', 'exactly one verb; this one has "show" and "hide"'),
        ('"on_click": [{"sow": "buy"}]', 'did you mean "show"?'),
        (
            '"on_click": [{"show": "buy", "after_ms": -1}]',
            "$.screen[0].on_click[0].after_ms: an effect cannot come before",
        ),
        ('"on_click": [{"hide": "buy", "at": "pointer"}]', 'only "show" has a place'),
        ('"on_click": [{"open": "Notes"}]', '$.screen[0].on_click[0].open: the application "Notes" is unknown'),
        ('"on_click": [{"navigate": "a.example"}]', "no element of the scene shows pages"),
        ('"on_click": [{"set": {"id": "self", "naem": "x"}}]', '$.screen[0].on_click[0].set.naem: the key "naem"'),
        ('"on_click": [{"set": {"id": "by"}}]', '$.screen[0].on_click[0].set.id: the id "by" is unknown'),
        (
            '"on_click": [{"record": {"to": "x", "text": "${buy.velue}"}}]',
            '"${buy.velue}" says nothing: it ends in "value"',
        ),
        ('"on_click": [{"count": "${by.value}"}]', '$.screen[0].on_click[0].count: the id "by" is unknown'),
        (
            '"on_click": [{"move": {"id": "buy", "by": [1, 1], "repeat": true}}]',
            "a motion that repeats takes longer than 0",
        ),
        ('"on_click": [{"append": {"to": "buy", "item": {"role": "x"}}}]', "$.screen[0].on_click[0].append.item.role"),
        ('"on_key": {"cmd+entr": []}', '$.screen[0].on_key["cmd+entr"]: the key "entr" is unknown'),
        ('"on_drop": {"parcel": []}', '$.screen[0].on_drop.parcel: the id "parcel" is unknown'),
        ('"label_for": "nobody"', '$.screen[0].label_for: the id "nobody" is unknown'),
        ('"options": ["a"]', "$.screen[0].options: only a combobox has options, and this is a button"),
        ('"appears_after_ms": -5', "$.screen[0].appears_after_ms: nothing appears before the start"),
    ],
)
def test_a_mistake_in_an_element_names_its_line_and_path(line: str, says: str) -> None:
    message = problem(BUTTON % line)
    assert message.startswith("shop.json:4: $")
    assert says in message


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        ({"width": 0}, "$.width: the screen must be wider"),
        ({"apps": [{"name": "A", "window": "w"}]}, '$.apps[0].window: the window "w" is unknown; known are none'),
        ({"search": "https://a.example"}, "$.search: a search URL holds {}"),
        ({"pages": [{"url": " "}]}, "$.pages[0].url: a page needs a URL"),
        ({"pages": [{"url": "a", "children": [{"role": "x"}]}]}, '$.pages[0].children[0].role: the role "x"'),
        ({"pages": [{"url": "a", "title": "${x}"}]}, '$.pages[0].title: "${x}" says nothing'),
        ({"on_key": {"": []}}, '$.on_key[""]'),
        ({"apps": {"name": "A"}}, "$.apps: Expected `array`, got `object`"),
    ],
)
def test_a_mistake_in_the_scene_names_its_path(scene: dict[str, object], says: str) -> None:
    assert says in problem(json.dumps(scene))


def test_two_pages_may_use_one_id() -> None:
    """They are never on the screen together; a page and the screen may not."""
    page = {"children": [{"role": "text", "id": "a"}]}
    parse_scene(json.dumps({"pages": [{"url": "x", **page}, {"url": "y", **page}]}))
    assert "used twice" in problem(json.dumps({"screen": page["children"], "pages": [{"url": "x", **page}]}))


def test_a_scene_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.json cannot be read: No such file"):
        open_memory(str(tmp_path / "gone.json"))


def test_a_scene_file_that_is_no_text_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{\n"title": "Caf\xe9"}')
    with pytest.raises(UsageError, match=r"latin\.json:2: a scene is UTF-8"):
        load_scene(path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(b'\xef\xbb\xbf{"title": "Shop"}')
    assert load_scene(path).title == "Shop"


def test_a_scene_from_python_is_checked_too() -> None:
    button = Element(role="button", on_click=(Effect(show="nothing"),))
    with pytest.raises(UsageError, match=r'the scene at \$\.screen\[0\]\.on_click\[0\]\.show: the id "nothing"'):
        MemoryComputer(Scene(screen=(button,)))


@pytest.mark.parametrize(("options", "names"), [({"headed": True}, "--headed"), ({"executable": "/x"}, "--executable")])
def test_options_of_other_computers_are_refused(options: dict[str, object], names: str) -> None:
    with pytest.raises(UsageError, match=names):
        open_memory(None, **options)  # type: ignore[arg-type]  # one of two options, by name


def test_a_scene_without_end_is_refused() -> None:
    with pytest.raises(UsageError, match="over 16 MiB"):
        open_memory("/dev/zero")


def test_a_number_beyond_use_is_refused() -> None:
    with pytest.raises(UsageError, match="1e999"):
        parse_scene('{"width": 1e999}')
