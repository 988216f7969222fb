"""Ids: given once, kept, never another element's (T2, Z2, O7)."""

from __future__ import annotations

from typing import Any

from axstream.ax import IdBook, Missing, Tree, resolve
from axstream.spec.targets import Ax
from tests.ax.trees import Branch, handle_of, n, tree


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


def people(*rows: tuple[str, str, str], changed: dict[str, float] | None = None, **fields: Any) -> Tree:
    """A list with a row of two texts and a Delete for each (handle, name, state); a part of it, read at 10, unless told."""
    handles = changed or {}
    made = (
        n(
            f"r{handle}",
            "row",
            "",
            n(f"n{handle}", "cell", name),
            n(f"s{handle}", "cell", state),
            n(handle, "button", "Delete", changed=handles.get(handle), since=fields.get("since", {}).get(handle, 0.0)),
        )
        for handle, name, state in rows
    )
    whole = {"complete": False, "began": 9.0, "at": 10.0} | {name: fields[name] for name in fields if name != "since"}
    return tree(n("t", "table", "", *made), **whole)


SEEN = (("a", "Order 1", "open"), ("b", "Order 2", "paid"))
MORE = (*SEEN, ("c", "Order 3", "open"), ("d", "Order 4", "paid"))


def shown() -> tuple[IdBook, str]:
    book = IdBook()
    return book, book.issue(people(*SEEN))["a"]


def test_a_part_in_which_nothing_was_changed_tells_an_id() -> None:
    """Z27: the row's key need not be looked for where the backend says that nothing there was changed."""
    book, a = shown()
    part = people(SEEN[0], changed={"a": 3.0})
    assert handle_of(resolve(part, Ax(id=a), book)) == "a"


def test_a_part_in_which_something_was_changed_asks_for_the_whole() -> None:
    book, a = shown()
    for part in (people(SEEN[0], changed={"a": 12.0}), people(SEEN[0])):
        outcome = resolve(part, Ax(id=a), book)
        assert isinstance(outcome, Missing)
        assert outcome.needs_whole


def test_a_key_that_off_the_screen_others_had_too_does_not_tell_a_row() -> None:
    """Z2: a row that was drawn anew with another's data is another, though both are open."""
    book, a = shown()
    assert handle_of(resolve(people(*MORE, complete=True), Ax(id=a), book)) == "a"  # nothing was drawn anew
    redrawn = people(("a", "Order 9", "open"), *MORE[1:], complete=True, changed={"a": 12.0})
    assert isinstance(resolve(redrawn, Ax(id=a), book), Missing)
    alone = people(("a", "Order 1", "open"), ("b", "Order 2", "paid"), ("c", "Order 9", "shut"), complete=True)
    assert handle_of(resolve(alone, Ax(id=a), book)) == "a"
    aged = people(("a", "Order 1, late", "open"), ("b", "Order 2", "paid"), ("c", "Order 9", "shut"), complete=True)
    assert handle_of(resolve(aged, Ax(id=a), book)) == "a"


def test_a_key_is_not_followed_to_what_was_off_the_screen() -> None:
    """T2, Z2: the row that was removed is not the one far below that is open as well."""
    book, a = shown()
    assert isinstance(resolve(people(*MORE[1:], complete=True), Ax(id=a), book), Missing)
    anew = people(("e", "Order 1", "open"), *MORE[1:], complete=True, since={"e": 12.0})
    assert handle_of(resolve(anew, Ax(id=a), book)) == "e"


def test_an_element_is_not_followed_to_its_like_that_was_off_the_screen() -> None:
    book = IdBook()
    book.issue(tree(n("s", "button", "Save"), complete=False, began=9.0, at=10.0))
    old = n("o", "button", "Save")
    new = n("x", "button", "Save", since=12.0)
    assert isinstance(resolve(tree(old, at=20.0), Ax(id="e1"), book), Missing)
    assert handle_of(resolve(tree(old, new, at=20.0), Ax(id="e1"), book)) == "x"


def test_what_is_beside_an_element_is_told_where_the_list_begins_off_the_screen() -> None:
    """The texts stand in front of the buttons: what of them is off the screen must not turn that round."""

    def part(*children: Branch, **fields: Any) -> Tree:
        return tree(n("m", "main", "", *children, begins_acting=False), complete=False, began=9.0, at=10.0, **fields)

    bob, cid = (
        (n("t2", "text", "Bob"), n("b", "button", "Delete")),
        (n("t3", "text", "Cid"), n("c", "button", "Delete")),
    )
    book = IdBook()
    ids = book.issue(part(n("a", "button", "Delete"), *bob, *cid))
    whole = tree(n("m", "main", "", n("t1", "text", "Ada"), n("a", "button", "Delete"), *bob, *cid))
    for handle in "abc":
        assert handle_of(resolve(whole, Ax(id=ids[handle]), book)) == handle
