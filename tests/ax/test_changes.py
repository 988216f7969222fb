"""What changed between two outlines: exact, readable, sent only where it is shorter (O3, O7, R7)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from axstream.ax import Box, IdBook, Outline, Surface, outline
from axstream.ax.changes import MAX_LINES, NOTHING, _Writer, apply_changes, changes
from axstream.ax.node import Left, Tree
from axstream.ax.outline import tokens
from axstream.errors import UsageError
from tests.ax.trees import HOSTILE, Branch, assert_harmless, branches, n, tree


def said(old: Outline, new: Outline) -> list[str]:
    """What is said of the changes, however long it is, once it was read back."""
    lines = list(_Writer(old.text.split("\n"), new.text.split("\n")).lines())
    assert apply_changes(old.text, "\n".join(lines) or NOTHING) == new.text
    return lines


def between(old: Tree, new: Tree) -> list[str]:
    book = IdBook()
    return said(outline(old, book), outline(new, book))


def of(*lines: str) -> Outline:
    return Outline(text="\n".join(lines))


def row(name: str, *, ticked: bool = False) -> Branch:
    """A row with its text and a box to tick."""
    box = n(f"box {name}", "checkbox", name, checked="true" if ticked else "false")
    return n(f"row {name}", "listitem", "", n(f"text {name}", "text", f"{name} today"), box)


LIST = (row("Milk"), row("Bread"), row("Eggs"), row("Salt"), row("Tea"))


# -- what is said -----------------------------------------------------------------------------------------------------


def test_a_new_state_is_the_line_as_it_is_now_and_what_it_was() -> None:
    old, new = tree(n("l", "list", "To do", *LIST)), tree(n("l", "list", "To do", row("Milk", ticked=True), *LIST[1:]))
    assert between(old, new) == ['~ e1 checkbox "Milk" checked (was unchecked)']


def test_a_new_value_name_and_focus_keep_the_id() -> None:
    old = tree(n("a", "textbox", "Title", value="Groceries"), n("b", "button", "Mute"), n("c", "button", "Ok"))
    new = tree(
        n("a", "textbox", "Title", value="Bread"), n("b", "button", "Unmute"), n("c", "button", "Ok", focused=True)
    )
    assert between(old, new) == [
        '~ e1 textbox "Title" = "Bread" (was "Groceries")',
        '~ e2 button "Unmute" (was "Mute")',
        '~ e3 button "Ok" focused',
    ]


def test_what_appeared_stands_where_it_is() -> None:
    more = tree(n("l", "list", "To do", *LIST[:2], row("Rice"), *LIST[2:]))
    assert between(tree(n("l", "list", "To do", *LIST)), more) == [
        'after e2, in list "To do":',
        '+   listitem "Rice today"',
        '+     e6 checkbox "Rice" unchecked',
    ]


def test_what_appeared_in_the_line_above_it_does_not_say_that_twice() -> None:
    old, new = tree(n("m", "button", "More")), tree(n("m", "button", "More", n("i", "menuitem", "Print")))
    assert between(old, new) == ["after e1:", '+   e2 menuitem "Print"']


def test_what_went_is_named_by_its_id_or_its_beginning() -> None:
    long = "This offer ends soon and is only for those who have read until here, as you have."
    old = tree(n("a", "button", "A"), n("t", "text", long), n("b", "button", "B"))
    assert between(old, tree(n("a", "button", "A"))) == [
        '- "This offer ends soon and is only for those who have read un…"',
        "- e2",
    ]


def test_ids_that_went_in_a_row_are_ranges() -> None:
    old = tree(*(n(f"b{i}", "button", f"B{i}") for i in range(8)), n("z", "button", "Z"))
    new = tree(n("b0", "button", "B0"), n("b4", "button", "B4"), n("z", "button", "Z"))
    assert between(old, new) == ["- e2-e4", "- e6-e8"]
    z = n("z", "button", "Z")
    assert between(tree(n("a", "link", "A"), n("b", "link", "B"), z), tree(z)) == ["- e1, e2"]


def test_a_group_that_went_takes_along_what_is_in_it() -> None:
    asks = n("d", "dialog", "Save?", n("t", "text", "Unsaved."), n("y", "button", "Yes"), modal=True)
    page = n("a", "button", "A")
    assert between(tree(page, asks), tree(page)) == [
        '- dialog "Save?" modal and all in it',
        '- … 1 element behind dialog "Save?": close it first',
        '+ e2 button "A"',
    ]


def test_the_title_and_the_address_of_the_screen_are_a_line_like_others() -> None:
    old = tree(n("a", "button", "A"), surface=Surface(width=10, height=10, title="Cart (1)", url="https://s.example/"))
    new = tree(n("a", "button", "A"), surface=Surface(width=10, height=10, title="Cart (2)", url="https://s.example/"))
    assert between(old, new) == ['~ screen 10x10 "Cart (2)" https://s.example/ (was "Cart (1)")']


def test_what_is_counted_outside_is_a_line_that_changed() -> None:
    below = [n(f"x{i}", "button", f"X{i}", onscreen=False, box=Box(0, 900, 9, 9)) for i in range(3)]
    assert between(tree(n("a", "button", "A"), *below), tree(n("a", "button", "A"), *below[1:])) == [
        "~ … 2 elements below: scroll down (was 3)"
    ]


def test_text_that_changed_is_replaced_in_its_place() -> None:
    def page(text: str) -> Tree:
        return tree(n("a", "button", "A"), n("t", "text", text), n("b", "button", "B"))

    assert between(page("3 items left"), page("4 items left")) == ['- "3 items left"', '+ "4 items left"']


def test_lines_that_are_equal_are_counted() -> None:
    old = of("screen 1x1", '"x"', "a", '"x"', "b", '"x"', "c")
    assert said(old, of("screen 1x1", '"x"', "a", '"x"', "b", "c")) == ['- "x" (3rd)']
    assert said(old, of("screen 1x1", '"x"', "a", "b", '"x"', "c")) == ['- "x" (2nd)']
    many = [f'{index}\n"x"' for index in range(25)]
    for gone, word in ((10, "11th"), (21, "22nd"), (0, "1st"), (12, "13th")):
        left = "\n".join([*many[:gone], many[gone].split("\n")[0], *many[gone + 1 :]])
        assert said(of(*many), of(left)) == [f'- "x" ({word})' if gone else '- "x"']


def test_what_comes_before_everything_is_at_the_top() -> None:
    old, new = tree(n("a", "button", "A")), tree(n("a", "button", "A"), notes=("the page is still loading",))
    assert between(old, new) == ["at the top:", "+ note: the page is still loading"]


def test_equal_outlines_say_that_nothing_changed() -> None:
    """O7: text and ids."""
    book = IdBook()
    one, same = outline(tree(*LIST), book), outline(tree(*LIST), book)
    assert changes(one, same) == NOTHING
    assert apply_changes(one.text, NOTHING) == one.text
    assert changes(one, outline(tree(*LIST), _later())) != NOTHING


def _later() -> IdBook:
    book = IdBook()
    outline(tree(n("x", "button", "Gone")), book)
    return book


def test_changes_that_are_not_shorter_than_the_whole_are_not_said() -> None:
    """O3."""
    book = IdBook()
    one = outline(tree(*LIST), book)
    assert changes(one, outline(tree(*(n(f"n{i}", "link", f"N{i}") for i in range(4))), book)) is None
    two = outline(tree(row("Milk", ticked=True), *LIST[1:]), book)
    told = changes(one, two)
    assert told is not None
    assert tokens(told) < tokens(two.text)


def test_outlines_of_thousands_of_lines_are_not_compared() -> None:
    many = of(*(f'"{index}"' for index in range(MAX_LINES + 1)))
    assert changes(many, of(*many.text.split("\n")[1:])) is None


# -- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["- e9", "- e1-e9", "~ e9 button", '- "Bread"', "after e9:", "not a change", '- "x" (2nd)']
)
def test_changes_of_another_outline_are_refused(line: str) -> None:
    with pytest.raises(UsageError, match="another outline"):
        apply_changes('screen 1x1\ne1 button "A"\n"x"', line)


def drifted(draw: st.DrawFn, roots: list[Branch]) -> list[Branch]:
    """The same tree after some time: nodes that went, came, changed, moved."""
    left: list[Branch] = []
    for node, inside in roots:
        fate = draw(st.integers(0, 11))
        if fate == 0:
            continue
        if fate == 1:
            node = msgspec.structs.replace(node, name=draw(st.sampled_from(("Save", "Bob", "", "New"))))
        elif fate == 2:
            node = msgspec.structs.replace(node, value=draw(st.sampled_from(("", "x", 'a "b" (was c)'))), focused=True)
        elif fate == 3:
            left.append(n(f"new {node.handle}", draw(st.sampled_from(("button", "text", "row"))), "New"))
        left.append((node, drifted(draw, inside)))
    return draw(st.permutations(left)) if len(left) > 1 and draw(st.integers(0, 3)) == 0 else left


@st.composite
def twice(draw: st.DrawFn) -> tuple[Tree, Tree]:
    names = draw(st.sampled_from((None, HOSTILE)))
    roots = draw(branches(names))
    notes = st.lists(HOSTILE, max_size=2).map(tuple)
    more = st.lists(st.builds(Left, HOSTILE, HOSTILE, st.integers(0, 9), st.integers(0, 9)), max_size=2).map(tuple)
    surface = st.sampled_from(
        [Surface(width=9, height=9, title=title, url=title) for title in ("", "A b", 'q" (was "')]
    )
    first = tree(*roots, notes=draw(notes), more=draw(more), surface=draw(surface))
    second = tree(*drifted(draw, roots), notes=draw(notes), more=draw(more), surface=draw(surface))
    return first, second


@settings(max_examples=400, deadline=None)
@given(twice(), st.sampled_from((4000, 250)))
def test_the_new_outline_follows_from_the_old_one_and_the_changes(trees: tuple[Tree, Tree], limit: int) -> None:
    """O3: nothing is lost; R7: nothing breaks out of its line."""
    book = IdBook()
    old, new = (outline(one, book, max_tokens=limit) for one in trees)
    lines = said(old, new)
    for line in lines:
        assert_harmless(line)
    told = changes(old, new)
    assert (told == NOTHING) == (old.text == new.text)
    if told not in (None, NOTHING):
        assert tokens(told) < tokens(new.text)
        assert apply_changes(old.text, told) == new.text


LINES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(
            (
                '"x"', '"y"', 'list "L"', "e1 button", 'e2 link "A" focused', 'e2 link "A"', "e3 a (was b)", "e4 a", "note: a",
                "note: a, in b:", "note: x and all in it", "note: x (2nd)", 'note: "', "… 3 elements below: scroll down",
                "… 4 elements, 1 text below: scroll down", "… 4 elements x: y", 'row "' + "z" * 80 + '"', 'row "' + "z" * 79 + 'y"',
                'row "' + "\\\\" * 40 + '"', 'e5 a "b, in c:"', "screen 1x1", 'screen 1x1 "T"', "e12 a", "e13 a", "e14 a",
            )
        ),
    ),
    max_size=14,
).map(lambda rows: [" " * (2 * depth) + text for depth, text in rows])  # fmt: skip


def with_each_id_once(lines: list[str]) -> list[str]:
    seen: set[str] = set()
    kept = []
    for line in lines:
        word = line.split()[0]
        if word[0] == "e" and word[1:].isdigit() and word in seen:
            continue
        seen.add(word)
        kept.append(line)
    return kept


@settings(max_examples=600, deadline=None)
@given(LINES.map(with_each_id_once), LINES.map(with_each_id_once))
@example(["e3 a (was b)"], ["e3 a (was c)"])
@example(["  screen 1x1"], ['  screen 1x1 "T"'])
def test_any_lines_follow_from_any_others(old: list[str], new: list[str]) -> None:
    said(of("screen 9x9", *old), of("screen 9x9", *new))
