"""Ids: given once, kept, never another element's (T2, Z2, O7)."""

from __future__ import annotations

from axstream.ax import IdBook, Missing, Tree, resolve
from axstream.spec.targets import Ax
from tests.ax.trees import handle_of, n, tree


def test_ids_run_on_and_an_element_keeps_its_own() -> None:
    book = IdBook()
    assert book.issue(tree(n("a", "button", "A"), n("b", "button", "B"))) == {"a": "e1", "b": "e2"}
    assert book.issue(tree(n("b", "button", "B"), n("c", "button", "C"))) == {"b": "e2", "c": "e3"}
    assert book.id_of("a") == "e1"
    assert book.id_of("z") is None
    assert book.issued("e9") is None
    issued = book.issued(" E2 ")
    assert issued is not None
    assert issued.handle == "b"


def test_only_what_is_shown_gets_ids() -> None:
    book = IdBook()
    assert book.issue(tree(n("a", "button", "A"), n("b", "button", "B")), [1]) == {"b": "e1"}
    assert book.id_of("a") is None


def test_a_change_that_was_not_shown_leaves_the_promise_as_it_was() -> None:
    book = IdBook()
    book.issue(tree(n("a", "button", "Save")))
    later = tree(n("a", "button", "Delete"), n("b", "button", "B"))
    book.issue(later, [1])
    assert isinstance(resolve(later, Ax(id="e1"), book), Missing)
    book.issue(later, [0])
    assert handle_of(resolve(later, Ax(id="e1"), book)) == "a"


def test_one_handle_in_two_documents_is_two_elements() -> None:
    book = IdBook()
    book.issue(tree(n("a", "button", "Next", document="1")))
    other = tree(n("a", "button", "Next", document="2"))
    outcome = resolve(other, Ax(id="e1"), book)
    assert isinstance(outcome, Missing)
    assert "is gone" in outcome.message
    assert book.issue(other) == {"a": "e2"}


def rows(*names: str, new: str = "") -> Tree:
    return tree(
        n(
            "t",
            "table",
            "",
            *(n(f"r{new}{x}", "row", "", n(f"c{new}{x}", "cell", x), n(f"b{new}{x}", "button", "Go")) for x in names),
        )
    )


def test_a_redrawn_row_is_known_by_its_text_and_a_removed_one_is_not_replaced() -> None:
    book = IdBook()
    seen = rows("Ada", "Bob")
    book.issue(seen, [seen.by_handle["bAda"], seen.by_handle["bBob"]])
    assert handle_of(resolve(rows("Bob", new="x"), Ax(id="e2"), book)) == "bxBob"
    assert handle_of(resolve(rows("Bob", new="x"), Ax(id="e1"), book)) is None
    assert handle_of(resolve(rows("Bob"), Ax(id="e1"), book)) is None


def test_a_dead_handle_is_not_followed_from_or_to_a_part_of_the_screen() -> None:
    book = IdBook()
    book.issue(tree(n("a", "button", "Save"), complete=False))
    whole = tree(n("b", "button", "Save"))
    assert handle_of(resolve(whole, Ax(id="e1"), book)) is None
    part = tree(n("b", "button", "Save"), complete=False)
    outcome = resolve(part, Ax(id="e1"), book)
    assert isinstance(outcome, Missing)
    assert outcome.needs_whole


def test_a_nameless_element_in_a_row_needs_the_whole_screen_to_be_told() -> None:
    book = IdBook()
    seen = tree(n("r", "row", "", n("t", "text", "Ada"), n("x", "checkbox")))
    book.issue(seen, [2])
    part = tree(n("r", "row", "", n("x", "checkbox")), complete=False)
    outcome = resolve(part, Ax(id="e1"), book)
    assert isinstance(outcome, Missing)
    assert outcome.needs_whole
    assert handle_of(resolve(seen, Ax(id="e1"), book)) == "x"


def test_a_nameless_element_that_moved_elsewhere_is_stale_and_says_so() -> None:
    book = IdBook()
    book.issue(tree(n("g", "group", "", n("x", "checkbox"))), [1])
    outcome = resolve(tree(n("g", "form", "", n("x", "checkbox"))), Ax(id="e1"), book)
    assert isinstance(outcome, Missing)
    assert "in another place" in outcome.message


def test_a_row_s_text_is_read_only_so_far() -> None:
    book = IdBook()
    words = [n(f"t{i}", "text", "word " * 20) for i in range(30)]
    seen = tree(n("r", "row", "", *words, n("x", "button", "Go")))
    book.issue(seen, [len(seen.nodes) - 1])
    issued = book.issued("e1")
    assert issued is not None
    assert len(issued.fingerprint.setting[0]) == 400


def test_an_unnamed_container_and_a_shell_are_no_part_of_a_place() -> None:
    book = IdBook()
    seen = tree(n("w", "window", "Inbox (3)", n("g", "group", "", n("f", "form", "Login", n("b", "button", "Go")))))
    book.issue(seen, [3])
    again = tree(n("w2", "window", "Inbox (4)", n("f2", "form", "Login", n("b2", "button", "Go"))))
    assert handle_of(resolve(again, Ax(id="e1"), book)) == "b2"
