"""Which nodes may be meant by a role and a title, and how well each fits (T3, T4, Z3, N3). Nothing is chosen here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum

import msgspec

from axstream.ax.node import Node, Tree
from axstream.ax.places import ITEM_ROLES
from axstream.ax.roles import canonical_role, is_interactive, same_family
from axstream.ax.titles import TitleRank, Wanted
from axstream.spec.targets import Ax


class Source(IntEnum):
    """Where the title was found; smaller is better (Z3)."""

    NAME = 0  # its own, or its label's
    DESCRIPTION = 1
    PLACEHOLDER = 2
    VALUE = 3
    TEXT = 4  # static text inside a nameless row, item or control of the role that was asked for


class Match(msgspec.Struct, frozen=True):
    """A node that may be meant. ``scope`` ranks the container that ``within`` found for it; all smaller is better."""

    index: int
    rank: TitleRank
    relative: bool  # not the role that was asked for, but of its family
    source: Source
    scope: TitleRank = TitleRank.IDENTICAL

    @property
    def worst(self) -> TitleRank:
        """The lower of the two ranks: of the title, and of the container's."""
        return max(self.rank, self.scope)


Reach = Callable[[int], bool]

#: Containers that a text inside them can name (N3). The text of a cell names its row too.
_GROUPS = frozenset({"group", "region", "form", "list", "rowgroup", "radiogroup", "figure", "navigation", "toolbar"})
_CELLS = frozenset({"cell", "gridcell", "rowheader", "columnheader"})
CONTAINERS = ITEM_ROLES | _GROUPS | _CELLS
ROW_SEPARATOR = " | "  # between the texts of a row, where they are put in one line
_MAX_JOINED = 4000  # characters of a row's text that are looked through for a title in several pieces


def acts(node: Node) -> bool:
    """Tell whether a node is there to be acted on, by what its backend says or by its role."""
    return node.interactive or is_interactive(canonical_role(node.role))


def reach(tree: Tree) -> tuple[Reach, tuple[int, ...]]:
    """Return what can be used now, and the open modals that decide it, none where nothing is barred (Z3).

    Of several modals those that are active count, else all; one that opened inside another stands for it. What
    floats (menus, lists) belongs to the modal, unless another modal holds it.
    """
    modals = [index for index, node in enumerate(tree.nodes) if node.modal]
    if not modals:
        return lambda index: True, ()
    outer = {above for modal in modals for above in tree.ancestors(modal)}
    inner = [modal for modal in modals if modal not in outer]
    top = tuple(modal for modal in inner if tree.nodes[modal].active) or tuple(inner)
    barred = outer | (set(modals) - set(top))
    usable = [False] * len(tree.nodes)
    for index, node in enumerate(tree.nodes):
        if index in top:
            usable[index] = True
        elif index not in barred:
            lifted = node.popup and not any(above in modals for above in tree.ancestors(index))
            usable[index] = lifted or (node.parent >= 0 and usable[node.parent])
    return usable.__getitem__, top


def role_fits(wanted: str | None, actual: str, *, titled: bool) -> bool | None:
    """Tell whether a role serves: False for the very one (or any), True for a relative of it, None for not at all."""
    if wanted is None or wanted == actual:
        return False
    return True if titled and same_family(wanted, actual) else None


def gather(tree: Tree, role: str | None, title: str | None, *, close: bool) -> dict[int, Match]:
    """Return the best match of each node that may be meant, by index; ``close`` lets edit distance in (Z27)."""
    found: dict[int, Match] = {}
    if title is None:
        for index, node in enumerate(tree.nodes):
            if canonical_role(node.role) == role:
                found[index] = Match(index, TitleRank.IDENTICAL, False, Source.NAME)
        return found
    wanted = Wanted(title)

    def keep(index: int, rank: TitleRank, source: Source) -> bool:
        relative = role_fits(role, canonical_role(tree.nodes[index].role), titled=True)
        if relative is None:
            return False
        match = Match(index, rank, relative, source)
        known = found.get(index)
        if known is None or (rank, source) < (known.rank, known.source):
            found[index] = match
        return True

    for index, node in enumerate(tree.nodes):
        best = rank_node(wanted, node, close=close)
        if best is None:
            continue
        control = tree.by_handle.get(node.label_for) if node.label_for else None
        if control is not None and keep(control, *best):
            continue  # a label stands for its control (Z3)
        if keep(index, *best) or role is None or acts(node):
            continue
        for holder in _nameless_holders(tree, index):
            keep(holder, best[0], Source.TEXT)
    return found


def rank_node(wanted: Wanted, node: Node, *, close: bool) -> tuple[TitleRank, Source] | None:
    """Rank a title against all that a node is called, the best of it; a password's value is never looked at (R6)."""
    best: tuple[TitleRank, Source] | None = None
    if node.name and (rank := wanted.rank(node.name, close=close)) is not None:
        best = (rank, Source.NAME)
    if node.description and (rank := wanted.rank(node.description, close=close)) is not None:
        best = min(best or (rank, Source.DESCRIPTION), (rank, Source.DESCRIPTION))
    if node.placeholder and (rank := wanted.rank(node.placeholder, close=close)) is not None:
        best = min(best or (rank, Source.PLACEHOLDER), (rank, Source.PLACEHOLDER))
    if node.value and not node.password and (rank := wanted.rank(node.value, close=close)) is not None:
        best = min(best or (rank, Source.VALUE), (rank, Source.VALUE))
    return best


def _nameless_holders(tree: Tree, index: int) -> Iterator[int]:
    """Yield the nameless items and controls whose text a static node is, up to the first row-like one."""
    for above in tree.ancestors(index):
        node = tree.nodes[above]
        role = canonical_role(node.role)
        if role in CONTAINERS or acts(node):
            if not node.name:
                yield above
            if role not in _CELLS:
                return


class Scope:
    """What lies within the containers that an ``ax`` names (N3).

    A container is an ancestor whose own name or description has the title, or a row, item, cell or group in which a
    text has it. A text in one row says nothing about its neighbours: where text and element lie in two containers of
    one kind (two rows of a list, two groups of a page), what holds both is not meant. Edit distance is not used.
    """

    def __init__(self, tree: Tree, ax: Ax, element: int | None) -> None:
        self._tree = tree
        self._role = None if ax.role is None else canonical_role(ax.role)
        self._title = None if ax.title is None else Wanted(ax.title)
        self._element = element  # what an id means
        self._outer: Scope | None = None
        #: By container: the kinds of container between it and a text in it, and the rank of that text.
        self._texts: dict[int, dict[frozenset[str], TitleRank]] = {}
        if element is None and self._title is not None:
            self._collect(self._title)

    def inside(self, outer: Scope) -> None:
        """Narrow this scope to what lies within another."""
        self._outer = outer

    def container(self, index: int) -> tuple[int, TitleRank] | None:
        """Return the innermost container that holds a node, and how well it fits; None if none does."""
        kinds: set[str] = set()
        for above in self._tree.ancestors(index):
            rank = self._fits(above, kinds)
            if rank is not None and (self._outer is None or self._outer.container(above) is not None):
                return above, rank
            kinds.add(canonical_role(self._tree.nodes[above].role))
        return None

    def join_pieces(self) -> None:
        """Look for the title in the joined text of each row-like container: ``Bob`` and ``Smith`` in two cells.

        The whole static text of a row, as the outline puts it together, counts as equal.
        """
        if self._outer is not None:
            self._outer.join_pieces()
        if self._title is None or self._element is not None:
            return
        wanted = Wanted(self._title.title.replace(ROW_SEPARATOR, " "))
        if len(wanted.forms[0].split()) < 2:
            return
        texts: dict[int, list[tuple[str, bool]]] = {}
        for index, node in enumerate(self._tree.nodes):
            if node.name and index not in self._tree.children and canonical_role(node.role) not in ITEM_ROLES:
                rows = (above for above in self._tree.ancestors(index) if self._is_item(above))
                if (row := next(rows, None)) is not None:  # a row inside a row speaks for itself
                    texts.setdefault(row, []).append((node.name, acts(node)))
        for item, named in texts.items():
            said = " ".join(name for name, acting in named if not acting)[:_MAX_JOINED]
            if wanted.rank(said, close=False) in (TitleRank.IDENTICAL, TitleRank.EQUAL):
                self._note(item, frozenset(), TitleRank.EQUAL)
            elif wanted.holds(" ".join(name for name, _ in named)[:_MAX_JOINED]):
                self._note(item, frozenset(), TitleRank.WORDS_INSIDE)

    def _is_item(self, index: int) -> bool:
        return canonical_role(self._tree.nodes[index].role) in ITEM_ROLES

    def _collect(self, title: Wanted) -> None:
        for index, node in enumerate(self._tree.nodes):
            best = title.rank(node.name, close=False) if node.name else None
            if node.description:
                best = _better(best, title.rank(node.description, close=False))
            if best is not None:
                self._note(index, frozenset(), best)
            if node.value and not node.password:
                best = _better(best, title.rank(node.value, close=False))
            if best is not None:
                self._climb(index, best)

    def _climb(self, index: int, rank: TitleRank) -> None:
        kinds: frozenset[str] = frozenset()
        role = canonical_role(self._tree.nodes[index].role)
        if role in CONTAINERS - _CELLS:
            kinds = frozenset({role})
        for above in self._tree.ancestors(index):
            role = canonical_role(self._tree.nodes[above].role)
            if role in CONTAINERS:
                if not self._note(above, kinds, rank):
                    return
                if role not in _CELLS:
                    kinds |= {role}

    def _note(self, container: int, kinds: frozenset[str], rank: TitleRank) -> bool:
        """Remember a text of a container; False where nothing new is learnt here or above."""
        ranks = self._texts.setdefault(container, {})
        if kinds in ranks and ranks[kinds] <= rank:
            return False
        ranks[kinds] = rank
        return True

    def _fits(self, index: int, kinds: set[str]) -> TitleRank | None:
        if self._element is not None:
            return TitleRank.IDENTICAL if index == self._element else None
        role = canonical_role(self._tree.nodes[index].role)
        if role_fits(self._role, role, titled=self._title is not None) is None:
            return None
        if self._title is None:
            return TitleRank.IDENTICAL
        apart = ITEM_ROLES if role in ITEM_ROLES else CONTAINERS - _CELLS
        ranks = (rank for between, rank in self._texts.get(index, {}).items() if not (between & kinds & apart))
        return min(ranks, default=None)


def _better(one: TitleRank | None, other: TitleRank | None) -> TitleRank | None:
    """Return the smaller of two ranks, None where there is none."""
    return other if one is None else one if other is None else min(one, other)


def narrow(tree: Tree, matches: Iterable[Match], scope: Scope) -> list[Match]:
    """Keep the matches inside the innermost and best fitting containers of a scope."""
    held: dict[int, list[Match]] = {}
    for match in matches:
        found = scope.container(match.index)
        if found is not None:
            container, rank = found
            held.setdefault(container, []).append(msgspec.structs.replace(match, scope=rank))
    outer = {above for container in held for above in tree.ancestors(container)}
    inner = [match for container, inside in held.items() if container not in outer for match in inside]
    best = min((match.scope for match in inner), default=None)
    return [match for match in inner if match.scope == best]
