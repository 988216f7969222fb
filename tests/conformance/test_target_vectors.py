"""The runner of ``conformance/targets``: each vector against our resolver. The vectors' format is in their README."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from axstream.ax import Ambiguous, Found, IdBook, Missing, Node, Surface, Tree, exists, resolve
from axstream.spec.targets import Ax

FOLDER = Path(__file__).parents[2] / "conformance" / "targets"
CASES: list[dict[str, Any]] = [case for path in sorted(FOLDER.glob("*.json")) for case in json.loads(path.read_text())]
FIELDS = {"id", "contract", "title", "tree", "complete", "observed", "target", "patient", "ask", "expect"}


def tree_of(roots: list[dict[str, Any]], *, complete: bool = True) -> Tree:
    nodes: list[Node] = []

    def add(given: dict[str, Any], parent: int, document: str) -> None:
        fields = {name: value for name, value in given.items() if name != "children"}
        node = msgspec.convert({"document": document, **fields, "parent": parent}, Node, strict=True)
        assert set(fields) <= set(Node.__struct_fields__)
        nodes.append(node)
        here = len(nodes) - 1
        for child in given.get("children", ()):
            add(child, here, node.document)

    for root in roots:
        add(root, -1, "")
    assert len({node.handle for node in nodes}) == len(nodes)
    return Tree(nodes=tuple(nodes), surface=Surface(width=1280, height=800), complete=complete)


def book_of(case: dict[str, Any]) -> IdBook:
    book = IdBook()
    for observed in case.get("observed", ()):
        seen = tree_of(observed["nodes"])
        given = book.issue(seen, [seen.by_handle[handle] for handle in observed["ids"].values()])
        assert given == {handle: number for number, handle in observed["ids"].items()}
    return book


def test_there_are_enough_vectors_and_each_is_well_formed() -> None:
    assert len(CASES) >= 70
    assert len({case["id"] for case in CASES}) == len(CASES)
    for case in CASES:
        assert set(case) <= FIELDS, case["id"]
        assert case["contract"], case["id"]
        assert case["title"], case["id"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_target(case: dict[str, Any]) -> None:
    tree = tree_of(case["tree"], complete=case.get("complete", True))
    book = book_of(case)
    ax = msgspec.convert(case["target"], Ax)
    patient = case.get("patient", True)
    expect = case["expect"]
    if case.get("ask") == "exists":
        assert exists(tree, ax, book, lower=patient) == expect["exists"]
        return
    outcome = resolve(tree, ax, book)
    message = "" if isinstance(outcome, Found) else outcome.message
    for text in expect.get("mentions", ()):
        assert text in message
    assert "\n" not in message
    if not patient and not isinstance(outcome, Missing) and not outcome.immediate:
        assert expect == {"missing": True}
        return
    match outcome:
        case Found(node=node):
            assert expect == {"found": node.handle}
        case Ambiguous(nodes=nodes):
            assert sorted(expect["ambiguous"]) == sorted(node.handle for node in nodes)
        case Missing(final=final, needs_whole=needs_whole):
            assert expect.get("whole", False) == needs_whole
            assert needs_whole or expect["missing"]
            assert expect.get("final", False) == final
