"""Ids: what ``e12`` means, and how an element is known again (T2, Z2). Nothing is ranked or chosen here.

An id is a promise about one element: the backend's handle, and a fingerprint for when the handle is dead or the
element has no name. The fingerprint is role, name and place. Place is never pixels; it is

* the *path*: role, place among the siblings of the same role, and how many of those there are, for the element and
  each ancestor (a row more or less and every path behind it is another, on purpose);
* the *setting*: the named containers around it, and what the nearest row-like container says. A row that is drawn
  anew for other data has the same path and another setting.

A dead handle is followed only to an element that was not on the screen when the id was last seen alive: of two
``Delete`` buttons, the one that is left is not the one that went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from axstream.ax.node import Node, Tree
from axstream.ax.roles import canonical_role
from axstream.ax.titles import normalise

#: Containers that hold one thing of many, told apart by the text in them (N3).
ITEM_ROLES = frozenset({"row", "listitem", "article", "option", "treeitem"})
#: Containers whose name changes with what they show (a page's title, an unread count): no part of a place.
_SHELLS = frozenset({"window", "document", "application", "iframe", "generic", "none", "presentation"})
#: What a row says about which one it is; its buttons and fields say the same in every row, or change by use.
_TELLING = frozenset(
    {"text", "heading", "link", "img", "cell", "gridcell", "rowheader", "paragraph", "term", "time", "code"}
)
_MAX_SETTING = 400  # characters of a row's text that tell it apart

Path = tuple[tuple[str, int, int], ...]


class Fingerprint(msgspec.Struct, frozen=True):
    """Role, name (normal form) and place of an element, for when its handle is dead."""

    document: str
    role: str
    name: str
    path: Path
    setting: tuple[str, ...]


class Issued(msgspec.Struct, frozen=True, kw_only=True):
    """An id that was given out: what the element was when it was last shown.

    ``alone`` says that nothing else on the screen had its role, name and setting; ``around`` are all handles that were
    on the screen then; ``whole`` is False where only a part of the screen was known, so that both say too little.
    """

    id: str
    handle: str
    shown: Node
    fingerprint: Fingerprint
    alone: bool
    around: frozenset[str]
    whole: bool


class Places:
    """Fingerprints of one tree's elements; what many of them share is worked out once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._counts: dict[int, dict[int, tuple[str, int, int]]] = {}
        self._texts: dict[int, str] = {}

    def fingerprint(self, index: int) -> Fingerprint:
        """Return what an element can be known by when its handle is gone. Needs a whole tree to be worth anything."""
        node = self.tree.nodes[index]
        return Fingerprint(
            document=node.document,
            role=canonical_role(node.role),
            name=normalise(node.name),
            path=self.path(index),
            setting=self.setting(index),
        )

    def path(self, index: int) -> Path:
        """Return role, place among siblings of that role and their number, from the element up to its root."""
        return tuple(self._count(step) for step in (index, *self.tree.ancestors(index)))

    def setting(self, index: int) -> tuple[str, ...]:
        """Return the text of the row that an element is or is in, then the named containers around it."""
        parts: list[str] = []
        item: int | None = None
        for step in (index, *self.tree.ancestors(index)):
            node = self.tree.nodes[step]
            role = canonical_role(node.role)
            if item is None and role in ITEM_ROLES:
                item = step
            elif step != index and node.name and role not in _SHELLS:
                parts.append(f"{role} {normalise(node.name)}")
        return ("" if item is None else self._text(item), *parts)

    def _count(self, index: int) -> tuple[str, int, int]:
        parent = self.tree.nodes[index].parent
        if parent not in self._counts:
            by_role: dict[str, list[int]] = {}
            for child in self.tree.children[parent]:
                by_role.setdefault(canonical_role(self.tree.nodes[child].role), []).append(child)
            self._counts[parent] = {
                child: (role, place, len(same)) for role, same in by_role.items() for place, child in enumerate(same)
            }
        return self._counts[parent][index]

    def _text(self, item: int) -> str:
        if item not in self._texts:
            parts: list[str] = []
            length = 0
            for step in self.tree.descendants(item):
                node = self.tree.nodes[step]
                if node.name and canonical_role(node.role) in _TELLING:
                    parts.append(normalise(node.name))
                    length += len(parts[-1])
                    if length > _MAX_SETTING:
                        break
            self._texts[item] = " ".join(parts)[:_MAX_SETTING]
        return self._texts[item]


@lru_cache(maxsize=256)
def id_number(given: str) -> str:
    """Return an id as the book writes it: case and white space around it do not matter."""
    return given.strip().lower()


class IdBook:
    """All ids of one session: given out in order, never twice, kept by the same element (T2, O7). In memory only."""

    def __init__(self) -> None:
        self._by_id: dict[str, Issued] = {}
        self._by_element: dict[tuple[str, str], str] = {}
        self._latest: dict[str, str] = {}

    def issue(self, tree: Tree, indices: Iterable[int] | None = None) -> dict[str, str]:
        """Give ids to elements of a tree, and return them by handle.

        ``indices`` are those that are shown, all where it is None. An element that has an id keeps it, and what the
        id promises is what is shown now. Those that are not shown keep their old promise: the model has not read of
        any change to them.
        """
        wanted = range(len(tree.nodes)) if indices is None else tuple(indices)
        if not wanted:
            return {}
        around = frozenset(tree.by_handle)
        places, twins = Places(tree), _twins(tree)
        settings: dict[tuple[str, str, str], Counter[tuple[str, ...]]] = {}
        ids: dict[str, str] = {}
        for index in wanted:
            node = tree.nodes[index]
            element = (node.document, node.handle)
            name = self._by_element.get(element)
            if name is None:
                name = f"e{len(self._by_id) + 1}"
                self._by_element[element] = name
            mark = places.fingerprint(index)
            kin = (node.document, mark.role, mark.name)
            if kin not in settings:
                settings[kin] = Counter(places.setting(other) for other in twins[kin])
            alone = settings[kin][mark.setting] == 1
            self._by_id[name] = Issued(
                id=name,
                handle=node.handle,
                shown=node,
                fingerprint=mark,
                alone=alone,
                around=around,
                whole=tree.complete,
            )
            self._latest[node.handle] = name
            ids[node.handle] = name
        return ids

    def issued(self, id: str) -> Issued | None:
        """Return what an id was given out for, None if this run never gave it."""
        return self._by_id.get(id_number(id))

    def id_of(self, handle: str) -> str | None:
        """Return the id of the element behind a handle, None if it has none."""
        return self._latest.get(handle)


def _twins(tree: Tree) -> dict[tuple[str, str, str], list[int]]:
    """Group the elements of a tree by document, role and name."""
    twins: dict[tuple[str, str, str], list[int]] = {}
    for index, node in enumerate(tree.nodes):
        twins.setdefault((node.document, canonical_role(node.role), normalise(node.name)), []).append(index)
    return twins


def needs_whole(tree: Tree, issued: Issued) -> bool:
    """Tell whether this part of the screen is too little to say what has become of an id (Z2).

    That is so where its handle is not in it, and where it has no name but a row's text that tells it from others.
    """
    if tree.complete:
        return False
    return issued.handle not in tree.by_handle or bool(not issued.fingerprint.name and issued.fingerprint.setting[0])


def agrees(tree: Tree, index: int, issued: Issued) -> bool:
    """Tell whether the element behind a live handle is what the id promised (Z2).

    Role and name agree; of a nameless one the roles above it and its row's text too, since nothing else tells it.
    """
    node, mark = tree.nodes[index], issued.fingerprint
    if node.document != mark.document or canonical_role(node.role) != mark.role or normalise(node.name) != mark.name:
        return False
    if mark.name:
        return True
    roles = [canonical_role(tree.nodes[step].role) for step in (index, *tree.ancestors(index))]
    return roles == [role for role, _, _ in mark.path] and Places(tree).setting(index) == mark.setting


def successor(tree: Tree, issued: Issued) -> int | None:
    """Return the one element of a whole tree that has the fingerprint of a dead handle, None if none or several do.

    A named element that stood alone is known by role, name and setting; any other also by its exact path.
    """
    if not (tree.complete and issued.whole):
        return None
    mark, places = issued.fingerprint, Places(tree)
    alike = [
        index
        for index, node in enumerate(tree.nodes)
        if node.document == mark.document
        and canonical_role(node.role) == mark.role
        and normalise(node.name) == mark.name
        and places.setting(index) == mark.setting
    ]
    if not (mark.name and issued.alone):
        alike = [index for index in alike if places.path(index) == mark.path]
    if len(alike) != 1 or tree.nodes[alike[0]].handle in issued.around:
        return None
    return alike[0]
