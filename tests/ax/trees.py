"""Trees for the tests of ``ax``: written short by hand, and drawn at random. No claims are made here."""

from __future__ import annotations

import unicodedata
from typing import Any

from hypothesis import strategies as st

from axstream.ax import Box, Node, Surface, Tree
from axstream.spec.targets import Ax

Branch = tuple[Node, "list[Branch]"]

_NAMES = (
    "Save",
    "save",
    "Save As…",
    "Don't Save",
    "Delete",
    "Bob",
    "Bob Hill",
    "Ada",
    "Open file",
    "",
    "",
    "Preferences",
    "Preferencs",
)
_ROLES = (
    "button",
    "link",
    "text",
    "row",
    "cell",
    "listitem",
    "group",
    "generic",
    "textbox",
    "heading",
    "window",
    "dialog",
    "menu",
)


def n(handle: str, role: str, name: str = "", *children: Branch, **fields: Any) -> Branch:
    """One node with what is inside it."""
    return (Node(handle=handle, role=role, name=name, **fields), list(children))


def tree(*roots: Branch, **fields: Any) -> Tree:
    """A tree out of branches, in order."""
    nodes: list[Node] = []

    def add(branch: Branch, parent: int) -> None:
        node, children = branch
        nodes.append(Node(**{name: getattr(node, name) for name in Node.__struct_fields__} | {"parent": parent}))
        here = len(nodes) - 1
        for child in children:
            add(child, here)

    for root in roots:
        add(root, -1)
    surface = fields.pop("surface", Surface(width=1000, height=800, title="Test"))
    return Tree(nodes=tuple(nodes), surface=surface, **fields)


def handle_of(outcome: Any) -> Any:
    """A found element's handle, the handles of a tie, or None."""
    if hasattr(outcome, "node"):
        return outcome.node.handle
    return {node.handle for node in outcome.nodes} if hasattr(outcome, "nodes") else None


def assert_harmless(line: str) -> None:
    """R7: one line, no backtick, nothing that a person would not see."""
    assert "`" not in line
    assert len(line.splitlines()) <= 1
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@st.composite
def branches(draw: st.DrawFn, names: st.SearchStrategy[str] | None = None) -> list[Branch]:
    """Up to some thirty nodes in a few levels, with everything that ranking looks at."""
    count = 0
    naming = st.sampled_from(_NAMES) if names is None else names

    def branch(depth: int) -> Branch:
        nonlocal count
        count += 1
        node = Node(
            handle=f"h{count}",
            role=draw(st.sampled_from(_ROLES)),
            name=draw(naming),
            description=draw(naming) if draw(st.integers(0, 5)) == 0 else "",
            placeholder=draw(naming) if draw(st.integers(0, 5)) == 0 else "",
            value=draw(naming) if draw(st.integers(0, 5)) == 0 else "",
            password=draw(st.integers(0, 9)) == 0,
            onscreen=draw(st.integers(0, 5)) > 0,
            enabled=draw(st.integers(0, 5)) > 0,
            active=draw(st.integers(0, 7)) == 0,
            modal=draw(st.integers(0, 19)) == 0,
            popup=draw(st.integers(0, 15)) == 0,
            interactive=draw(st.integers(0, 5)) == 0,
            label_for=f"h{draw(st.integers(1, 12))}" if draw(st.integers(0, 9)) == 0 else "",
            box=Box(draw(st.integers(-50, 1200)), 10, 20, 20) if draw(st.booleans()) else None,
        )
        inside = draw(st.integers(0, 3 if depth < 3 else 0))
        return node, [branch(depth + 1) for _ in range(inside)]

    return [branch(0) for _ in range(draw(st.integers(0, 4)))]


@st.composite
def targets(draw: st.DrawFn, depth: int = 0) -> Ax:
    """Targets by role, title or both, some of them within another."""
    role = draw(st.sampled_from((None, "button", "link", "text", "row", "listitem", "AXButton", "heading")))
    title = draw(st.sampled_from(("Save", "Delete", "Bob", "Ada", "Open", "Preferences", "Don't save", "Bob Hill")))
    if role is not None and draw(st.booleans()):
        title = None
    within = draw(targets(depth + 1)) if depth < 2 and draw(st.integers(0, 2)) == 0 else None
    return Ax(role=role, title=title, within=within)


HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            '`"\\\n\r\t\u2028\u2029\u0085\x00\x1b\u202e\u2066\u200b\u00ad\ufeff\U000e0041\ue000\ufe0f|…{}[]:*&_ e1'
        ),
        st.characters(),
    ),
    max_size=40,
)
