"""Late binding beyond the vectors: purity, order, messages (T2-T5, Z2-Z5, Z12, N3)."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from axstream.ax import (
    Ambiguous,
    Box,
    Found,
    IdBook,
    Missing,
    TitleRank,
    agrees_with_whole,
    exists,
    may_matter,
    part_of,
    resolve,
    same_outcome,
)
from axstream.ax.match import Source
from axstream.ax.say import MAX_LISTED, say_target
from axstream.spec.targets import Ax
from tests.ax.trees import HOSTILE, Branch, assert_harmless, branches, handle_of, n, targets, tree


def shuffled(roots: list[Branch], seed: int) -> list[Branch]:
    dice = random.Random(seed)

    def mixed(branch: Branch) -> Branch:
        node, children = branch
        inside = [mixed(child) for child in children]
        dice.shuffle(inside)
        return node, inside

    found = [mixed(root) for root in roots]
    dice.shuffle(found)
    return found


def several_words(ax: Ax | None) -> bool:
    return ax is not None and (" " in (ax.title or "") or several_words(ax.within))


@given(branches(), targets(), st.integers(0, 1000))
@settings(max_examples=300)
def test_the_order_of_nodes_decides_nothing(roots: list[Branch], ax: Ax, seed: int) -> None:
    """T5; but for a row's text in several pieces, which is read in document order."""
    assume(not several_words(ax.within))
    one = resolve(tree(*roots), ax, IdBook())
    other = resolve(tree(*shuffled(roots, seed)), ax, IdBook())
    assert same_outcome(one, other)


@given(branches(), targets())
def test_resolving_is_pure_and_existence_agrees_with_it(roots: list[Branch], ax: Ax) -> None:
    made = tree(*roots)
    book = IdBook()
    outcome = resolve(made, ax, book)
    assert same_outcome(outcome, resolve(made, ax, book))
    assert exists(made, ax, book) == (not isinstance(outcome, Missing))
    if isinstance(outcome, Missing):
        assert not exists(made, ax, book, lower=False)
    elif outcome.immediate:
        assert exists(made, ax, book, lower=False)
    if exists(made, ax, book):
        assert exists(made, ax, book, behind=True)


@given(branches(), targets(), st.sets(st.integers(0, 200)))
@settings(max_examples=300)
def test_candidates_that_hold_what_may_matter_give_what_the_whole_tree_gives(
    roots: list[Branch], ax: Ax, more: set[int]
) -> None:
    """Z27."""
    made = tree(*roots)
    part = part_of(made, may_matter(made, ax) | {index for index in more if index < len(made.nodes)})
    assert agrees_with_whole(part, made, ax, IdBook())


@given(branches(), targets())
def test_twins_always_tie(roots: list[Branch], ax: Ax) -> None:
    """T5: a screen that holds everything twice has nothing to choose."""
    again = [(rename(root)) for root in roots]
    outcome = resolve(tree(n("w1", "generic", "", *roots), n("w2", "generic", "", *again)), ax, IdBook())
    assert not isinstance(outcome, Found)


def rename(branch: Branch) -> Branch:
    node, children = branch
    label = node.label_for and node.label_for + "'"
    fields = {name: getattr(node, name) for name in node.__struct_fields__}
    return type(node)(**fields | {"handle": node.handle + "'", "label_for": label}), [
        rename(child) for child in children
    ]


@given(HOSTILE, HOSTILE, HOSTILE, branches(HOSTILE))
@settings(max_examples=200)
def test_no_name_breaks_the_line_of_a_message(title: str, role: str, id: str, roots: list[Branch]) -> None:
    """R7: messages are one line without backticks, and bounded."""
    book = IdBook()
    made = tree(*roots)
    book.issue(made)
    renamed = tree(*roots, n("new", "button", title), n("new2", "button", title))
    for ax in (
        Ax(title=title or "x"),
        Ax(role=role or "x", title=title or "x"),
        Ax(id=id or "x", title=title or "x"),
        Ax(id="e1", title=title or "x"),
        Ax(role="button", title=title or "x", within=Ax(title=role or "x")),
    ):
        outcome = resolve(renamed, ax, book)
        if not isinstance(outcome, Found):
            assert_harmless(outcome.message)
            assert len(outcome.message) < 2500


def test_a_tie_lists_its_candidates_with_ids_and_what_tells_them_apart() -> None:
    made = tree(
        n("r1", "row", "Ada 12", n("a", "button", "Delete")),
        n("r2", "row", "", n("t", "text", "Bob"), n("b", "button", "Delete", n("bt", "text", "Delete"))),
        n("f", "form", "Login", n("c", "button", "Delete", enabled=False)),
        n("d", "button", "Delete", box=Box(10, 20, 10, 10), onscreen=False),
        n("g", "generic", "", n("e", "button", "Delete")),
    )
    book = IdBook()
    outcome = resolve(made, Ax(role="button", title="Delete"), book)
    assert isinstance(outcome, Ambiguous)
    assert outcome.immediate
    assert outcome.rank is TitleRank.IDENTICAL
    assert [node.handle for node in outcome.nodes] == ["a", "b", "e"]
    assert outcome.message == (
        '3 elements fit button "Delete" equally well: e1 button "Delete" in row "Ada 12"; '
        'e2 button "Delete" in row "Bob"; e3 button "Delete" (3 of 3). Name one by its id, or add "within".'
    )
    assert book.id_of("b") == "e2"
    assert resolve(made, Ax(role="button", title="Delete"), book) == outcome


def test_a_tie_says_what_is_off_the_screen_or_disabled_and_where() -> None:
    gone = {"enabled": False, "onscreen": False, "box": Box(10, 20, 10, 10)}
    rows = (n(f"r{i}", "row", "", n(f"b{i}", "button", "Go", **gone)) for i in range(MAX_LISTED + 2))
    outcome = resolve(tree(n("g", "group", "List", *rows)), Ax(title="Go"), IdBook())
    assert isinstance(outcome, Ambiguous)
    assert 'e1 button "Go" in group "List" (1 of 8, at 15,25) disabled off screen' in outcome.message
    assert "; and 2 more." in outcome.message


def test_a_long_row_is_said_in_short() -> None:
    row = [n(f"t{i}", "text", "many words in this one") for i in range(40)]
    made = tree(n("r", "row", "", *row, n("a", "button", "Go")), n("q", "row", "", n("b", "button", "Go")))
    outcome = resolve(made, Ax(title="Go"), IdBook())
    assert isinstance(outcome, Ambiguous)
    assert len(outcome.message) < 400


def test_a_miss_suggests_what_acts_and_has_the_role_first() -> None:
    made = tree(n("x", "text", "Save"), n("a", "link", "Save"), n("b", "button", "Save"), n("c", "button", "Save"))
    outcome = resolve(made, Ax(role="textbox", title="Saves"), IdBook())
    assert isinstance(outcome, Missing)
    assert outcome.message == (
        'nothing on the screen fits textbox "Saves"; nearest: link "Save", button "Save", text "Save"'
    )


def test_a_miss_by_role_says_which_role_is_meant() -> None:
    outcome = resolve(tree(n("a", "button", "Save")), Ax(role="AXTextField"), IdBook())
    assert isinstance(outcome, Missing)
    assert outcome.message == "nothing on the screen fits textbox"
    outcome = resolve(tree(), Ax(role="qqqqqqqqqq"), IdBook())
    assert isinstance(outcome, Missing)
    assert outcome.message == 'nothing on the screen fits qqqqqqqqqq; "qqqqqqqqqq" is no known role'
    outcome = resolve(tree(), Ax(role="buttn"), IdBook())
    assert isinstance(outcome, Missing)
    assert "the nearest are button" in outcome.message


def test_a_deep_within_is_spelt_out_only_so_far() -> None:
    ax = Ax(title="x1")
    for _ in range(30):
        ax = Ax(title="x1", within=ax)
    assert say_target(ax) == 'x1 within "x1" within "x1" within "x1" within …'.replace("x1", '"x1"', 1)
    assert isinstance(resolve(tree(n("a", "button", "x1")), ax, IdBook()), Missing)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({"placeholder": "you@example.org"}, 'e1 textbox with placeholder "you@example.org"'),
        ({"description": "Your city"}, 'e1 textbox described "Your city"'),
        ({}, "e1 textbox without a name"),
    ],
)
def test_a_nameless_element_is_said_by_what_else_it_has(node: dict[str, str], said: str) -> None:
    outcome = resolve(tree(n("a", "textbox", "", **node), n("b", "textbox", "", **node)), Ax(role="textbox"), IdBook())
    assert isinstance(outcome, Ambiguous)
    assert said in outcome.message


def test_a_list_item_is_found_by_the_text_in_it_where_its_role_is_asked_for() -> None:
    made = tree(
        n(
            "l",
            "list",
            "",
            n("i", "listitem", "", n("g", "generic", "", n("t", "text", "Buy milk")), n("x", "checkbox")),
        )
    )
    found = resolve(made, Ax(role="listitem", title="Buy milk"), IdBook())
    assert isinstance(found, Found)
    assert (found.node.handle, found.source, found.immediate) == ("i", Source.TEXT, True)
    assert handle_of(resolve(made, Ax(title="Buy milk"), IdBook())) == "t"
    assert handle_of(resolve(made, Ax(role="list", title="Buy milk"), IdBook())) is None


def test_a_row_is_found_through_its_cells_and_a_named_one_by_its_name_alone() -> None:
    made = tree(n("r", "row", "", n("c", "cell", "", n("t", "text", "Ada"))))
    assert handle_of(resolve(made, Ax(role="row", title="Ada"), IdBook())) == "r"
    made = tree(n("r", "listitem", "First", n("t", "text", "Ada")))
    assert handle_of(resolve(made, Ax(role="listitem", title="Ada"), IdBook())) is None
    assert handle_of(resolve(tree(n("t", "text", "Ada")), Ax(role="row", title="Ada"), IdBook())) is None


def test_a_label_whose_control_is_not_there_or_not_of_the_role_is_only_text() -> None:
    lone = tree(n("t", "text", "Email", label_for="zz"))
    assert handle_of(resolve(lone, Ax(title="Email"), IdBook())) == "t"
    other = tree(n("t", "text", "Email", label_for="b"), n("b", "textbox"))
    assert handle_of(resolve(other, Ax(role="text", title="Email"), IdBook())) == "t"
    assert handle_of(resolve(other, Ax(role="textbox", title="Email"), IdBook())) == "b"


def test_a_control_is_taken_by_the_better_of_its_names() -> None:
    made = tree(
        n("t", "text", "Email", label_for="b"),
        n("b", "textbox", "Email address", description="Email", placeholder="EMAIL", value="email"),
        n("t2", "text", "Email address", label_for="b"),
    )
    found = resolve(made, Ax(title="Email"), IdBook())
    assert isinstance(found, Found)
    assert (found.node.handle, found.rank, found.source) == ("b", TitleRank.IDENTICAL, Source.NAME)


def test_an_id_beside_a_label_or_a_row_s_text_is_no_contradiction() -> None:
    made = tree(
        n("t", "text", "Email", label_for="b"),
        n("b", "textbox"),
        n("i", "option", "", n("it", "text", "Buy milk")),
    )
    book = IdBook()
    book.issue(made, [1, 2])
    assert handle_of(resolve(made, Ax(id="e1", title="Email"), book)) == "b"
    assert handle_of(resolve(made, Ax(id="e2", title="Buy milk"), book)) == "i"
    part = tree(n("b", "textbox"), complete=False)
    outcome = resolve(part, Ax(id="e1", title="Email"), book)
    assert isinstance(outcome, Missing)
    assert outcome.needs_whole
    assert "may not be" in outcome.message


def test_within_an_id_follows_the_rules_of_ids() -> None:
    made = tree(n("g", "group", "One", n("a", "button", "Go")), n("h", "group", "Two", n("b", "button", "Go")))
    book = IdBook()
    book.issue(made, [0, 2])
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(id="e2")), book)) == "b"
    contradicted = resolve(made, Ax(title="Go", within=Ax(id="e2", title="One")), book)
    assert isinstance(contradicted, Missing)
    assert "not" in contradicted.message
    later = tree(n("g", "group", "New", n("a", "button", "Go")), n("x", "group", "One", n("c", "button", "Go")))
    stale = resolve(later, Ax(title="Go", within=Ax(id="e1")), book)
    assert isinstance(stale, Missing)
    assert "stale" in stale.message
    assert handle_of(resolve(later, Ax(title="Go", within=Ax(id="e1", title="One")), book)) == "c"
    nested = Ax(title="Go", within=Ax(role="group", within=Ax(id="e99")))
    never = resolve(made, nested, book)
    assert isinstance(never, Missing)
    assert never.final


def test_an_id_may_have_to_be_within_too() -> None:
    made = tree(n("g", "group", "One", n("a", "button", "Go")), n("h", "group", "Two"))
    book = IdBook()
    book.issue(made, [1])
    assert handle_of(resolve(made, Ax(id="e1", within=Ax(title="One")), book)) == "a"
    outcome = resolve(made, Ax(id="e1", within=Ax(title="Two")), book)
    assert isinstance(outcome, Missing)
    assert "not within" in outcome.message


def test_within_reads_descriptions_and_values_but_no_passwords() -> None:
    made = tree(
        n("r1", "row", "", n("x", "textbox", "", value="Ada"), n("a", "button", "Go")),
        n("r2", "row", "", n("y", "textbox", "", value="Bob", password=True), n("b", "button", "Go")),
        n("r3", "row", "", n("z", "textbox", "Cid", value="Cid", description="CID"), n("c", "button", "Go")),
    )
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(title="Ada")), IdBook())) == "a"
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(title="Bob")), IdBook())) is None
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(title="Cid")), IdBook())) == "c"
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(role="list", title="Cid")), IdBook())) is None


def test_a_row_s_whole_text_as_the_outline_has_it_is_found_at_once() -> None:
    made = tree(
        *(
            n(f"r{x}", "row", "", n(f"c{x}", "cell", x), n(f"d{x}", "cell", "12"), n(f"b{x}", "button", "Go"))
            for x in ("Ada", "Bob")
        )
    )
    found = resolve(made, Ax(title="Go", within=Ax(title="Bob | 12")), IdBook())
    assert isinstance(found, Found)
    assert (found.node.handle, found.immediate) == ("bBob", True)
    found = resolve(made, Ax(title="Go", within=Ax(title="Ada 12 Go")), IdBook())
    assert isinstance(found, Found)
    assert (found.node.handle, found.immediate) == ("bAda", False)
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(role="row", within=Ax(title="Ada 12"))), IdBook())) is None


def test_text_in_one_group_says_nothing_about_the_next() -> None:
    made = tree(
        n("p", "region", "", n("g", "group", "", n("t", "text", "Ada")), n("h", "group", "", n("b", "button", "Go")))
    )
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(title="Ada")), IdBook())) is None
    row = tree(
        n("r", "row", "", n("g", "group", "", n("t", "text", "Ada")), n("h", "group", "", n("b", "button", "Go")))
    )
    assert handle_of(resolve(row, Ax(title="Go", within=Ax(title="Ada")), IdBook())) == "b"


def test_what_floats_belongs_to_the_modal_unless_another_modal_holds_it() -> None:
    made = tree(
        n("d1", "dialog", "One", n("m1", "menu", "", n("a", "menuitem", "Cut"), popup=True), modal=True),
        n("d2", "dialog", "Two", modal=True, active=True),
        n("m2", "menu", "", n("b", "menuitem", "Cut"), popup=True),
    )
    assert handle_of(resolve(made, Ax(title="Cut"), IdBook())) == "b"


def test_of_two_modals_side_by_side_without_the_focus_both_count() -> None:
    made = tree(
        n("w", "window", "W", n("x", "button", "OK")),
        n("d1", "dialog", "One", n("a", "button", "OK"), modal=True),
        n("d2", "dialog", "Two", n("b", "button", "OK"), modal=True),
    )
    assert handle_of(resolve(made, Ax(title="OK"), IdBook())) == {"a", "b"}


def test_gone_looks_behind_a_modal() -> None:
    made = tree(n("x", "text", "Loading"), n("d", "dialog", "One", modal=True))
    assert not exists(made, Ax(title="Loading"), IdBook())
    assert exists(made, Ax(title="Loading"), IdBook(), behind=True)


def test_a_static_text_by_letter_case_alone_does_not_beat_a_control() -> None:
    made = tree(n("h", "heading", "Sign in"), n("b", "button", "Sign In"))
    assert handle_of(resolve(made, Ax(title="Sign in"), IdBook())) == "b"


def test_outcomes_of_different_kinds_are_not_the_same() -> None:
    made = tree(n("a", "button", "Go"))
    found, missing = resolve(made, Ax(title="Go"), IdBook()), resolve(made, Ax(title="Stop"), IdBook())
    assert not same_outcome(found, missing)
    assert not agrees_with_whole(tree(), made, Ax(title="Go"), IdBook())
    assert agrees_with_whole(part_of(made, ()), made, Ax(id="e1"), IdBook())


def test_a_part_without_the_element_of_an_id_asks_for_the_whole() -> None:
    made = tree(n("a", "button", "Go"), n("l", "text", "Name", label_for="a"))
    book = IdBook()
    book.issue(made, [0])
    assert may_matter(made, Ax(id="e1")) == {0, 1}
    assert agrees_with_whole(part_of(made, {1}), made, Ax(id="e1"), book)


def test_what_is_close_only_on_the_whole_is_no_disagreement() -> None:
    made = tree(n("a", "button", "Preferences"), n("b", "button", "Preferences"))
    assert agrees_with_whole(part_of(made, ()), made, Ax(title="Preferencs"), IdBook())


def test_a_text_that_stands_twice_in_a_row_names_it_once() -> None:
    made = tree(
        n("l", "list", "", n("r", "listitem", "", n("t", "text", "Ada"), n("u", "text", "Ada"), n("a", "button", "Go")))
    )
    assert handle_of(resolve(made, Ax(title="Go", within=Ax(title="Ada")), IdBook())) == "a"
    nothing = resolve(made, Ax(title="Stop", within=Ax(title="Ada Hill")), IdBook())
    assert isinstance(nothing, Missing)
    assert "not within" not in nothing.message
    outside = resolve(made, Ax(title="Go", within=Ax(title="Ada Hill")), IdBook())
    assert isinstance(outside, Missing)
    assert outside.message.startswith(
        'nothing on the screen fits "Go" within "Ada Hill"; "Go" is there, but not within "Ada Hill"'
    )


def test_candidates_need_labels_controls_and_rows_whose_text_may_run_on() -> None:
    made = tree(
        n("w", "window", "", n("l", "text", "Email", label_for="e"), n("e", "textbox")),
        n(
            "r",
            "row",
            "",
            n("c", "cell", "Bob"),
            n("d", "cell", "Hill"),
            n("b", "button", "Go"),
            n("x", "button", "No"),
        ),
        n("y", "button", "Other"),
        n("z", "button", "Other"),
    )
    assert may_matter(made, Ax(title="Email")) == {0, 1, 2}
    assert may_matter(made, Ax(role="textbox")) == {0, 2}
    assert may_matter(made, Ax(title="Go", within=Ax(title="Bob Hill"))) == {0, 4, 5, 6, 7}
    assert may_matter(made, Ax(title="Go", within=Ax(title="Bob"))) == {0, 4, 6}
    for ax in (Ax(title="Email"), Ax(title="Go", within=Ax(title="Bob Hill")), Ax(title="Other"), Ax(title="None")):
        assert agrees_with_whole(part_of(made, may_matter(made, ax)), made, ax, IdBook())
    assert not agrees_with_whole(part_of(made, {8}), made, Ax(title="Other"), IdBook())


def test_white_space_in_an_id_does_not_reach_a_message() -> None:
    made = tree(n("b", "textbox"), complete=False)
    book = IdBook()
    book.issue(made)
    outcome = resolve(made, Ax(id="\ne1\n", title="Email"), book)
    assert isinstance(outcome, Missing)
    assert outcome.message == "e1 may not be textbox without a name"
