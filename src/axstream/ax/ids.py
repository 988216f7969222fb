"""Ids: what ``e12`` means, and how an element is known again (T2, Z2). Nothing is ranked or chosen here.

An id is a promise about one element: the backend's handle, and a fingerprint for when the handle is dead or the
element has no name. The fingerprint is role, name and place. Place is never pixels; it is

* the *path*: role, place among the siblings of the same role, and how many of those there are, for the element and
  each ancestor (a row more or less and every path behind it is another, on purpose);
* the *setting*: the named containers around it, and what the nearest row-like container says. A row that is drawn
  anew for other data has the same path and another setting;
* the *key*, of one of several equals (the *Delete* of each row): the text that tells its row from theirs.

A live handle whose row has another key now is another element: lists draw other data into the nodes that they have.
The element is then where its key is.

Without a key a dead handle is followed only to an element that was not on the screen when the id was last seen alive:
of two ``Delete`` buttons that nothing tells apart, the one that is left is not the one that went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from axstream.ax.node import Node, Tree
from axstream.ax.places import Fingerprint, Key, Places
from axstream.ax.roles import canonical_role
from axstream.ax.titles import normalise


class Issued(msgspec.Struct, frozen=True, kw_only=True):
    """An id that was given out: what the element was when it was last shown.

    ``alone`` says that nothing else on the screen had its role, name and setting; ``around`` are all handles that were
    on the screen then, all there were where the tree was ``complete``; ``several`` that others on it had its role and
    name; ``began`` and ``at`` are when that was (``Tree``).
    """

    id: str
    handle: str
    shown: Node
    fingerprint: Fingerprint
    alone: bool
    around: frozenset[str]
    several: bool
    complete: bool
    began: float = 0.0
    at: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether it can be told that an element was not there when the id was last shown."""
        return self.complete or self.at > 0


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
        keys: dict[tuple[str, str, str], dict[int, Key | None]] = {}
        ids: dict[str, str] = {}
        for index in wanted:
            node = tree.nodes[index]
            element = (node.document, node.handle)
            name = self._by_element.get(element)
            if name is None:
                name = f"e{len(self._by_id) + 1}"
                self._by_element[element] = name
            kin = (node.document, canonical_role(node.role), normalise(node.name))
            if kin not in settings:
                settings[kin] = Counter(places.setting(other) for other in twins[kin])
                keys[kin] = places.keys(twins[kin])
            mark = places.fingerprint(index, keys[kin].get(index))
            alone = settings[kin][mark.setting] == 1
            self._by_id[name] = Issued(
                id=name,
                handle=node.handle,
                shown=node,
                fingerprint=mark,
                alone=alone,
                around=around,
                several=len(twins[kin]) > 1,
                complete=tree.complete,
                began=tree.began,
                at=tree.at,
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

    That is so where its handle is not in it; and where texts beside it tell it from others, unless the backend says that
    nothing about them was changed since.
    """
    if tree.complete:
        return False
    index, mark = tree.by_handle.get(issued.handle), issued.fingerprint
    if index is None:
        return True
    told_by_texts = mark.key is not None or bool(not mark.name and mark.setting[0])
    return told_by_texts and not _unchanged(tree.nodes[index], issued)


def _unchanged(node: Node, issued: Issued) -> bool:
    """Tell whether the backend knows that nothing in and around an element was changed since its id was last shown."""
    return node.changed is not None and node.changed <= issued.began


def agrees(tree: Tree, index: int, issued: Issued) -> bool:
    """Tell whether the element behind a live handle is what the id promised (Z2).

    Role and name agree, and of one of several equals the key. Of a nameless one the roles above it too, and its row's
    text where it has no key, since nothing else tells it.
    """
    node, mark = tree.nodes[index], issued.fingerprint
    if node.document != mark.document or canonical_role(node.role) != mark.role or normalise(node.name) != mark.name:
        return False
    places = Places(tree)
    if not mark.name and places.roles(index) != mark.roles:
        return False
    if _unchanged(node, issued):
        return True
    if mark.key is not None:
        return _has_key(places, index, mark.key, issued)
    return bool(mark.name) or places.setting(index) == mark.setting


def _has_key(places: Places, index: int, key: Key, issued: Issued) -> bool:
    """Tell whether the key of an id is beside an element: no other equal has it, where some were not seen as it was made."""
    if not key.is_among(places.beside(index)):
        return False
    setting = issued.fingerprint.setting
    if issued.complete or (setting[0] and places.setting(index) == setting):
        return True
    others = (other for other in _equals(places, issued) if other != index)
    return not any(key.is_among(places.beside(other)) for other in others)


def _equals(places: Places, issued: Issued) -> list[int]:
    """Return the elements of a document, role and name, and with the named containers around them."""
    mark = issued.fingerprint
    return [
        index
        for index, node in enumerate(places.tree.nodes)
        if node.document == mark.document
        and canonical_role(node.role) == mark.role
        and normalise(node.name) == mark.name
        and places.setting(index)[1:] == mark.setting[1:]
    ]


def successor(tree: Tree, issued: Issued) -> int | None:
    """Return the one element of a whole tree that has the fingerprint of an id, None if none or several do.

    That is for an id whose handle is dead, or shows another of its equals. One that had a key is known by that, with
    role, name and the containers around; a named one that stood alone by role, name and setting; any other also by its
    exact path. Without a key it must not have been on the screen: of two that nothing tells apart, the one that is left
    is not the one that went. What was there already, off the screen, when the id was last shown is another element.
    """
    if not (tree.complete and issued.whole):
        return None
    mark, places = issued.fingerprint, Places(tree)
    alike = _equals(places, issued)
    if mark.key is not None:
        keyed = [index for index in alike if mark.key.is_among(places.beside(index))]
        if len(keyed) > 1 and not issued.complete:  # off the screen others had that text too: then all texts must agree
            keyed = [index for index in keyed if places.setting(index) == mark.setting]
        return keyed[0] if len(keyed) == 1 and not _was_elsewhere(tree.nodes[keyed[0]], issued) else None
    alike = [index for index in alike if not _was_elsewhere(tree.nodes[index], issued)]
    alike = [index for index in alike if places.setting(index) == mark.setting]
    if not (mark.name and issued.alone):
        alike = [index for index in alike if places.path(index) == mark.path]
    if len(alike) != 1 or tree.nodes[alike[0]].handle in issued.around:
        return None
    return alike[0]


def _was_elsewhere(node: Node, issued: Issued) -> bool:
    """Tell whether an element was there when an id was last shown, where only a part of the screen was looked at."""
    return issued.at > 0 and node.handle not in issued.around and node.since <= issued.at


def moved_on(tree: Tree, index: int, issued: Issued) -> bool:
    """Tell whether a live handle shows an equal of what the id promised, and nothing but its key is another."""
    node, mark = tree.nodes[index], issued.fingerprint
    same = canonical_role(node.role) == mark.role and normalise(node.name) == mark.name
    return mark.key is not None and node.document == mark.document and same
