"""The outline: what is a line, in which order, within a budget (O1, O2, O6, O7, R7)."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from axstream.ax import Box, IdBook, Surface, outline, resolve
from axstream.ax.node import Left
from axstream.ax.outline import escape, tokens
from axstream.ax.roles import CANONICAL_ROLES
from axstream.spec.targets import Ax
from tests.ax.trees import HOSTILE, Branch, assert_harmless, branches, handle_of, n, tree

HERE = {"box": Box(10, 10, 20, 20)}


def body(*roots: Branch, **fields: object) -> list[str]:
    lines = outline(tree(*roots, **fields), IdBook()).text.split("\n")
    assert lines[0] == 'screen 1000x800 "Test"'
    return lines[1:]


def test_an_element_is_a_line_with_id_role_name_value_and_states() -> None:
    assert body(
        n("a", "button", "Save", n("t", "text", "Save"), enabled=False),
        n("b", "textbox", "City", value='Po"rto', editable=True, multiline=True, required=True, focused=True),
        n("c", "checkbox", "Agree", checked="false"),
        n("d", "checkbox", "All", checked="mixed"),
        n("e", "switch", "On", checked="true", readonly=True),
        n("f", "combobox", "Size", value="Size", expanded="false"),
        n("g", "button", "More", expanded="true", pressed="false"),
        n("h", "button", "Bold", pressed="true", covered=True),
        n("i", "tab", "General", selected=True),
        n("j", "textbox", "Password", value="hunter2", password=True),
    ) == [
        'e1 button "Save" disabled',
        'e2 textbox "City" = "Po\\"rto" multiline focused required',
        'e3 checkbox "Agree" unchecked',
        'e4 checkbox "All" mixed',
        'e5 switch "On" checked readonly',
        'e6 combobox "Size" collapsed',
        'e7 button "More" unpressed expanded',
        'e8 button "Bold" pressed covered',
        'e9 tab "General" selected',
        'e10 textbox "Password" password',
    ]


def test_a_nameless_element_is_told_by_what_else_it_has() -> None:
    assert body(
        n("a", "textbox", "", placeholder="you@example.org"),
        n("b", "button", "", description="Close"),
        n("c", "generic", "", n("t", "text", "Open"), interactive=True),
        n("d", "canvas", "", interactive=True, **HERE),
        n("e", "checkbox"),
        n("f", "Gizmo", "\u200b", interactive=True),
    ) == [
        'e1 textbox placeholder "you@example.org"',
        'e2 button described "Close"',
        'e3 generic "Open"',
        "e4 canvas at 20,20",
        "e5 checkbox",
        "e6 gizmo",
    ]


def test_text_counts_and_is_folded() -> None:
    """O6."""
    assert body(
        n("h", "heading", "Orders", n("ht", "text", "Orders")),
        n("a", "text", "You have"),
        n("b", "generic", "", n("c", "text", "3 orders")),
        n("l", "text", "City", label_for="x"),
        n("x", "textbox", "City"),
        n("d", "paragraph", "", n("e", "text", "Thank you.")),
        n("m", "text", "Zip code", label_for="y"),
        n("y", "textbox", "Zip"),
        n("z", "text", ""),
        n("v", "text", "Outer", n("w", "text", "Outer")),
    ) == [
        'heading "Orders"',
        '"You have 3 orders"',
        'e1 textbox "City"',
        '"Thank you. Zip code"',
        'e2 textbox "Zip"',
        '"Outer"',
    ]


def test_long_text_goes_on_in_the_next_line_and_endless_text_is_counted() -> None:
    lines = body(n("t", "text", "word " * 100), n("u", "text", "tail"))
    assert [len(line) for line in lines] == [301, 206]
    assert lines[1].endswith('word tail"')
    lines = body(n("t", "text", "word " * 2000), n("u", "text", "tail"))
    assert lines[-2].endswith('" (+4000 characters)')
    assert lines[-1] == '"tail"'


def test_rows_and_items_are_told_by_their_text() -> None:
    assert body(
        n(
            "t",
            "table",
            "People",
            n("r0", "row", "", n("c0", "columnheader", "Name"), n("c1", "columnheader", "Age")),
            n(
                "r1",
                "row",
                "Ada 42 Edit",
                n("c2", "cell", "", n("x", "text", "Ada")),
                n("c3", "cell", "42"),
                n("b1", "button", "Edit"),
            ),
            n("r2", "row", "", n("b2", "button", "Edit")),
            n("r3", "row", "Totals", n("c9", "cell", "7"), n("b3", "button", "Edit")),
        ),
        n("i", "listitem", "", n("j", "text", "word " * 50), n("k", "link", "More")),
        n("l", "listitem", "Alone"),
        n("m", "listitem", "Home", n("mk", "link", "Home")),
        n(
            "o",
            "option",
            "",
            n("oa", "text", "Red"),
            n("ob", "text", "dark"),
            n("oc", "listitem", "", n("od", "text", "deep")),
        ),
        n("p", "listitem", "", n("q", "generic", "", n("s", "text", "Off", onscreen=False)), n("u", "generic")),
    ) == [
        'table "People"',
        '  row "Name | Age"',
        '  row "Ada | 42"',
        '    e1 button "Edit"',
        '  e2 button "Edit"',
        '  row "Totals"',
        '    "7"',
        '    e3 button "Edit"',
        "listitem",
        '  "' + ("word " * 50).strip() + '"',
        '  e4 link "More"',
        'listitem "Alone"',
        'e5 link "Home"',
        'e6 option "Red | dark"',
        '  listitem "deep"',
        "… 1 text out of sight: scroll, or open what holds them",
    ]


def test_groups_are_shown_for_what_is_in_them() -> None:
    assert body(
        n("f", "form", "Login", n("ft", "text", "Login"), n("fh", "heading", "Login"), n("a", "button", "Go")),
        n("g", "group", "", n("b", "button", "Bare")),
        n("e", "group", "Empty", n("ee", "group", "Deeper")),
        n("v", "navigation", "", n("c", "link", "Home")),
        n("d", "dialog", ""),
        n("i", "img", "Chart", **HERE),
        n("j", "img", ""),
        n("p", "progressbar", "", value="40"),
        n("q", "progressbar", "Upload", value="40"),
        n("k", "generic", "Leaf text"),
    ) == [
        'form "Login"',
        '  e1 button "Go"',
        'e2 button "Bare"',
        "navigation",
        '  e3 link "Home"',
        "dialog",
        'img "Chart"',
        'progressbar = "40"',
        'progressbar "Upload" = "40"',
        '"Leaf text"',
    ]


def test_what_floats_comes_first_then_the_active_window() -> None:
    """O2."""
    assert body(
        n("w1", "window", "Old", n("a", "button", "A"), n("tip", "tooltip", "Hint", popup=True)),
        n(
            "app",
            "application",
            "App",
            n("w2", "window", "New", n("b", "button", "B"), active=True),
        ),
        n(
            "m",
            "menu",
            "",
            n("c", "menuitem", "C"),
            n("s", "menu", "Sub", n("d", "menuitem", "D"), popup=True),
            popup=True,
        ),
        n("w3", "window", "Front", n("e", "button", "E"), active=True),
    ) == [
        "menu",
        '  e1 menuitem "C"',
        '  menu "Sub"',
        '    e2 menuitem "D"',
        'window "New"',
        '  e3 button "B"',
        'window "Front"',
        '  e4 button "E"',
        'window "Old"',
        '  e5 button "A"',
        '  "Hint"',
    ]


def test_behind_a_modal_is_counted_not_shown() -> None:
    """Z3."""
    assert body(
        n("w", "window", "Main", n("a", "button", "A"), n("b", "button", "B"), n("t", "text", "T")),
        n("d", "dialog", "Sure?", n("c", "button", "Yes"), modal=True),
    ) == ['dialog "Sure?" modal', '  e1 button "Yes"', '… 2 elements behind dialog "Sure?": close it first']


def test_the_document_that_the_surface_names_is_not_named_again() -> None:
    assert body(n("d", "document", "Test", n("h", "heading", "Test"), n("a", "button", "A"))) == ['e1 button "A"']
    assert body(n("d", "document", "Other", n("a", "button", "A"))) == ['document "Other"', '  e1 button "A"']


def test_what_is_off_the_screen_is_counted_by_where_it_is() -> None:
    """O2."""
    off = {"onscreen": False}
    assert body(
        n("g", "group", "Far", n("a", "button", "A", box=Box(0, 900, 9, 9), **off), **off),
        n("b", "text", "B", box=Box(0, 900, 9, 9), **off),
        n("c", "button", "C", box=Box(0, -50, 9, 9), **off),
        n("d", "button", "D", box=Box(1200, 0, 9, 9), **off),
        n("e", "button", "E", box=Box(-50, 0, 9, 9), **off),
        n("f", "button", "F", box=Box(5, 5, 9, 9), **off),
    ) == [
        "… 1 element, 1 text below: scroll down",
        "… 1 element above: scroll up",
        "… 1 element to the right: scroll right",
        "… 1 element to the left: scroll left",
        "… 1 element out of sight: scroll, or open what holds them",
    ]


def test_what_the_backend_counted_off_the_screen_is_not_counted_twice() -> None:
    """O2."""
    off = {"onscreen": False}
    assert body(
        n("a", "button", "A", box=Box(0, 900, 9, 9), **off),
        n("d", "dialog", "Sure?", n("c", "button", "Yes"), modal=True),
        n("b", "button", "B"),
        more=(Left("below", "scroll down", 30, 2), Left("above", "scroll up"), Left("in the frame", "scroll it", 0, 1)),
    ) == [
        'dialog "Sure?" modal',
        '  e1 button "Yes"',
        '… 2 elements behind dialog "Sure?": close it first',
        "… 30 elements, 2 texts below: scroll down",
        "… 1 text in the frame: scroll it",
    ]


def test_notes_come_first_and_an_empty_screen_says_so() -> None:
    text = outline(tree(notes=("cut short\nby time",)), IdBook()).text
    assert text == 'note: cut short by time\nscreen 1000x800 "Test"'
    bare = Surface(width=10.5, height=8, url="http://shop.example/a b")
    text = outline(tree(surface=bare), IdBook()).text
    assert text == "note: nothing can be seen here: the screen is empty\nscreen 10.5x8 http://shop.example/a%20b"
    text = outline(tree(n("g", "group"), surface=bare), IdBook()).text
    assert text.startswith("note: nothing can be seen here yet\n")
    text = outline(tree(n("a", "button", "A"), notes=tuple("abcdefgh")), IdBook()).text
    assert "note: f\nnote: and 2 more notes\nscreen" in text
    more = tuple(Left(f"part {i}", "scroll", 2, 1) for i in range(10))
    assert outline(tree(n("a", "button", "A"), more=more), IdBook()).text.endswith("… 4 elements, 2 texts elsewhere")


def test_over_the_budget_elements_go_before_texts_and_the_rest_is_counted() -> None:
    """O1, O6."""
    rows = [
        n(
            f"g{i}",
            "form",
            f"Form {i}",
            n(f"t{i}", "text", f"Text number {i} " * 9),
            n(f"b{i}", "button", f"Button {i}"),
        )
        for i in range(60)
    ]
    short = outline(tree(*rows), IdBook(), max_tokens=800)
    assert tokens(short.text) <= 800
    assert 'e1 button "Button 0"' in short.text
    assert '"Text number 0 Text' in short.text
    shown = len(short.ids)
    texts = short.text.count('"Text number')
    assert 10 < shown < 60
    assert (
        f"… {60 - shown} elements, {60 - texts} texts here left out for length: scroll, or name them by title"
        in short.text
    )
    plenty = outline(tree(*rows), IdBook(), max_tokens=100_000)
    assert len(plenty.ids) == 60
    few = [n(f"b{i}", "button", f"Button {i}") for i in range(40)]
    assert len(outline(tree(*few), IdBook(), max_tokens=420).ids) > 25


def test_ids_pairs_and_elements_say_what_is_shown() -> None:
    made = tree(
        n("a", "button", "Delete"),
        n("b", "button", "Delete"),
        n("c", "button", "Save `now`"),
        n("d", "textbox", "", placeholder="City"),
        n("e", "checkbox"),
        n("f", "button", "x" * 130),
        n("g", "option", "", n("g1", "text", "Red"), n("g2", "text", "dark")),
        n("h", "button", "Off", onscreen=False),
    )
    book = IdBook()
    seen = outline(made, book)
    assert seen.ids == ("e1", "e2", "e3", "e4", "e5", "e6", "e7")
    assert seen.pairs == (("button", "Save 'now'"), ("textbox", "City"), ("button", "Delete"))
    assert seen.elements[2:5] == (("e3", "button", "Save 'now'"), ("e4", "textbox", "City"), ("e5", "checkbox", ""))
    for role, title in seen.pairs[:2]:
        assert isinstance(handle_of(resolve(made, Ax(role=role, title=title), book)), str)
    assert book.id_of("h") is None


def test_an_equal_screen_gives_an_equal_outline_and_a_change_another() -> None:
    """O7."""
    book = IdBook()
    one = outline(tree(n("a", "button", "A"), n("b", "button", "B")), book)
    assert outline(tree(n("a", "button", "A"), n("b", "button", "B")), book) == one
    assert outline(tree(n("a", "button", "A"), n("b", "button", "B", focused=True)), book).text != one.text
    assert outline(tree(n("x", "button", "A"), n("b", "button", "B")), book).text != one.text


def test_a_page_that_nests_thousands_deep_is_walked() -> None:
    branch = n("x", "button", "Deep")
    for i in range(300):
        branch = n(f"g{i}", "group", f"G{i}", branch)
    made = tree(branch)
    text = outline(made, IdBook()).text
    assert text.endswith(" " * 24 + 'e1 button "Deep"')


def test_escaped_text_is_one_line() -> None:
    assert escape("a\n```b", 20) == "a '''b"


_QUOTED = re.compile(r'"(?:[^"\\]|\\["\\])*"')
_LINE = re.compile(
    r"(?:note: .*)|(?:screen \d+x\d+ Q)|(?:… .*)"
    r"|(?: *(?:Q(?: \(\+\d+ characters\))?))"
    r"|(?: *(?:e\d+ )?R(?: (?:placeholder |described )?Q(?: \(\+\d+ characters\))?)?(?: at -?\d+,-?\d+)?"
    r"(?: = Q(?: \(\+\d+ characters\))?)?(?: [a-z]+)*)"
)
_ROLES = "|".join(sorted(CANONICAL_ROLES, key=len, reverse=True))


@given(branches(HOSTILE), st.lists(HOSTILE, max_size=3))
@settings(max_examples=250)
def test_no_name_breaks_out_of_its_line(roots: list[Branch], notes: list[str]) -> None:
    """R7: every line is one that we word, and what was observed stands in JSON strings in it."""
    seen = outline(tree(*roots, notes=tuple(notes)), IdBook())
    for line in seen.text.split("\n"):
        assert_harmless(line)
        if line.startswith("note: "):
            continue
        for quoted in _QUOTED.findall(line):
            assert json.loads(quoted) is not None
        bare = re.sub(rf"\b(?:{_ROLES})\b", "R", _QUOTED.sub("Q", line), count=1)
        assert _LINE.fullmatch(bare), line


@given(branches(), st.integers(300, 900))
@settings(max_examples=100)
def test_an_outline_is_deterministic_and_within_its_budget(roots: list[Branch], budget: int) -> None:
    made = tree(*roots)
    one = outline(made, IdBook(), max_tokens=budget)
    assert one == outline(made, IdBook(), max_tokens=budget)
    assert tokens(one.text) <= budget
    assert len(set(one.ids)) == len(one.ids) == len(one.elements)
    assert one.text.count("\n") < 200
