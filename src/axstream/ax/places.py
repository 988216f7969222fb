"""Where an element stands, and what tells it from its equals: what it is known by, not whether it is known (Z2).

Of elements with one role and one name (the *Delete* of each row) the texts beside them tell which is which: the *key*
is the first text of an element's row that no row of its equals has. What changes while a row stays that row is mostly
a number (a counter, an age), so numbers count only where without them the text would be another row's too.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

import msgspec

from axstream.ax.node import Tree
from axstream.ax.roles import canonical_role, is_interactive
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
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MAX_BESIDE = 12  # texts beside an element that are looked at, where no row holds it

Path = tuple[tuple[str, int, int], ...]


def _blurred(text: str) -> str:
    return _NUMBER.sub("#", text)


class Key(msgspec.Struct, frozen=True):
    """A text that one of several equals has beside it and no other. ``exact`` is False where its numbers do not count."""

    text: str
    exact: bool

    def is_among(self, texts: Iterable[str]) -> bool:
        """Tell whether one of these texts is this one."""
        return any(text == self.text if self.exact else _blurred(text) == self.text for text in texts)


def keys_of(texts: Mapping[int, tuple[str, ...]]) -> dict[int, Key | None]:
    """Return what tells each of several equals from the others, out of the texts beside each: numbers aside if it can."""
    rows = [set(there) for there in texts.values()]
    times = Counter(text for row in rows for text in row)
    blurred = Counter(text for row in rows for text in set(map(_blurred, row)))

    def key(there: tuple[str, ...]) -> Key | None:
        for text in there:
            if blurred[plain := _blurred(text)] == 1:
                return Key(plain, exact=False)
        return next((Key(text, exact=True) for text in there if times[text] == 1), None)

    return {index: key(there) for index, there in texts.items()}


class Fingerprint(msgspec.Struct, frozen=True):
    """Role, name (normal form) and place of an element, and the key that tells it from its equals, None if none does.

    ``roles`` are its own and those above it.
    """

    document: str
    role: str
    name: str
    path: Path | str
    setting: tuple[str, ...]
    roles: tuple[str, ...]
    key: Key | None = None


class Places:
    """Fingerprints of one tree's elements; what many of them share is worked out once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._counts: dict[int, dict[int, tuple[str, int, int]]] = {}
        self._texts: dict[int, tuple[str, ...]] = {}

    def fingerprint(self, index: int, key: Key | None = None) -> Fingerprint:
        """Return what an element can be known by when its handle is gone. Needs a whole tree to be worth anything."""
        node = self.tree.nodes[index]
        return Fingerprint(
            document=node.document,
            role=canonical_role(node.role),
            name=normalise(node.name),
            path=self.path(index),
            setting=self.setting(index),
            roles=self.roles(index),
            key=key,
        )

    def roles(self, index: int) -> tuple[str, ...]:
        """Return the roles from the element up to its root."""
        return tuple(canonical_role(self.tree.nodes[step].role) for step in (index, *self.tree.ancestors(index)))

    def path(self, index: int) -> Path | str:
        """Return role, place among siblings of that role and their number, from the element up to its root.

        Where the backend has a word of its own for the place, return that: it also holds on a part of the screen.
        """
        return self.tree.nodes[index].place or tuple(self._count(step) for step in (index, *self.tree.ancestors(index)))

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
        return ("" if item is None else " ".join(self._text(item))[:_MAX_SETTING], *parts)

    def keys(self, equals: Collection[int]) -> dict[int, Key | None]:
        """Return the key of each of some elements of one role and name; one alone needs none."""
        return keys_of({index: self.beside(index) for index in equals}) if len(equals) > 1 else {}

    def beside(self, index: int) -> tuple[str, ...]:
        """Return the texts that say which of its equals an element is: those of its row, or else those beside it.

        Beside it are the texts between it and the controls before; behind it, where its siblings begin with a control.
        """
        for step in self.tree.ancestors(index):
            if canonical_role(self.tree.nodes[step].role) in ITEM_ROLES:
                return self._text(step)
        parent = self.tree.nodes[index].parent
        siblings = self.tree.children[parent]
        at = bisect_left(siblings, index)  # indices are in order
        before = siblings[max(at - _MAX_BESIDE, 0) : at][::-1]
        behind = siblings[at + 1 : at + 1 + _MAX_BESIDE]
        found: list[str] = []
        for step in behind if self._begins_acting(parent) else before:
            if not self._acts(step):
                found += self._own(step)
            elif found:
                break
        return tuple(found)

    def _begins_acting(self, parent: int) -> bool:
        told = None if parent < 0 else self.tree.nodes[parent].begins_acting
        return self._acts(self.tree.children[parent][0]) if told is None else told

    def _acts(self, index: int) -> bool:
        node = self.tree.nodes[index]
        return node.interactive or is_interactive(canonical_role(node.role))

    def _own(self, index: int) -> list[str]:
        node = self.tree.nodes[index]
        return [normalise(node.name)] if node.name and canonical_role(node.role) in _TELLING else []

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

    def _text(self, item: int) -> tuple[str, ...]:
        if item not in self._texts:
            parts: list[str] = []
            length = 0
            stack = list(reversed(self.tree.children.get(item, ())))
            while stack and length <= _MAX_SETTING:
                step = stack.pop()
                if canonical_role(self.tree.nodes[step].role) in ITEM_ROLES:
                    continue  # a row inside it speaks for itself
                parts += (own := self._own(step))
                length += sum(map(len, own))
                stack.extend(reversed(self.tree.children.get(step, ())))
            self._texts[item] = tuple(parts)
        return self._texts[item]
