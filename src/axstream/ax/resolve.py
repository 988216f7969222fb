"""Late binding: the one node of a live tree that an ``ax`` target means, or why there is none (T2-T5, Z2-Z5, N3).

Pure but for one thing: where several elements tie, those without an id are given one, so that the message can name
them. The order of nodes decides nothing about what is found; it orders lists in messages.

How one is chosen: what lies behind an open modal is out; ``within`` narrows; then, each only between equals of the
one before,

1. the title's rank (a static text that is *identical* counts as *equal*: letter case is no reason to prefer a
   heading to a button),
2. the very role before a relative of it,
3. where the title was found: name or label, description, placeholder, value, text inside,
4. interactive before static,
5. of an element and one inside it that have one name, the inner,
6. *identical* before *equal*,
7. in the active window or an open pop-up, on the screen, enabled.

What is still equal is a tie, and a tie refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import msgspec

from axstream.ax.ids import IdBook, Issued, agrees, moved_on, needs_whole, successor
from axstream.ax.match import Match, Reach, Scope, Source, acts, gather, narrow, rank_node, reach, role_fits
from axstream.ax.node import Node, Tree
from axstream.ax.quote import plain
from axstream.ax.roles import canonical_role
from axstream.ax.say import say_nearest, say_node, say_role_problem, say_target, say_tie
from axstream.ax.titles import TitleRank, Wanted, normalise
from axstream.spec.targets import Ax


class Found(msgspec.Struct, frozen=True):
    """The element. Where ``immediate`` is False the title fits less well: wait for a better one first (Z4)."""

    node: Node
    index: int
    rank: TitleRank
    source: Source
    immediate: bool


class Missing(msgspec.Struct, frozen=True, dict=True):
    """Nothing fits; ``message`` is one line for the model, put together when it is first read.

    ``final`` says that waiting is of no use (an id that was never issued). ``needs_whole`` says that an id's element
    may be there but this part of the screen cannot tell: ask again at once with the whole tree. (Any target may do
    better on the whole tree, since only there titles are compared by edit distance: look there once at the end.)
    """

    say: Callable[[], str]
    final: bool = False
    needs_whole: bool = False

    @cached_property
    def message(self) -> str:
        """Why there is none, and what is near."""
        return self.say()


class Ambiguous(msgspec.Struct, frozen=True):
    """Several elements fit equally well; ``message`` lists them with their ids. ``immediate`` as for ``Found``."""

    nodes: tuple[Node, ...]
    rank: TitleRank
    message: str
    immediate: bool


Resolution = Found | Missing | Ambiguous


def resolve(tree: Tree, ax: Ax, book: IdBook) -> Resolution:
    """Find the one element that a target means on a live tree, whole or narrowed to candidates.

    Edit distance is used on whole trees only (Z27), where nothing fits better. Never guesses: a tie is ``Ambiguous``,
    an id that has come to mean something else is ``Missing``.
    """
    usable, modals = reach(tree)
    found = _find(tree, ax, book, usable)
    if isinstance(found, Missing):
        return found
    if not found:
        return Missing(partial(_say_missing, tree, ax, book, usable, modals))
    tied = choose(tree, found)
    immediate = tied[0].worst <= TitleRank.EQUAL
    if len(tied) == 1:
        match = tied[0]
        return Found(tree.nodes[match.index], match.index, match.rank, match.source, immediate)
    indices = sorted(match.index for match in tied)
    nodes = tuple(tree.nodes[index] for index in indices)
    return Ambiguous(nodes, tied[0].rank, say_tie(tree, ax, indices, book), immediate)


def exists(tree: Tree, ax: Ax, book: IdBook, *, lower: bool = True, behind: bool = False) -> bool:
    """Tell whether at least one element fits, for ``assert`` and ``wait_until`` (Z12).

    Without ``lower`` only titles that are identical or equal count: what is asked while there is time left (Z4).
    With ``behind`` what lies behind an open modal counts as well: what ``gone`` asks.
    """
    found = _find(tree, ax, book, (lambda index: True) if behind else reach(tree)[0])
    if isinstance(found, Missing):
        return False
    return any(lower or match.worst <= TitleRank.EQUAL for match in found)


def same_outcome(one: Resolution, other: Resolution) -> bool:
    """Tell whether two resolutions mean the same: the same element found the same way, the same tie, or nothing."""
    match one, other:
        case (Found(), Found()):
            return (one.node.handle, one.rank, one.source) == (other.node.handle, other.rank, other.source)
        case (Ambiguous(), Ambiguous()):
            return {node.handle for node in one.nodes} == {node.handle for node in other.nodes}
        case (Missing(), Missing()):
            return one.final == other.final
        case _:
            return False


def choose(tree: Tree, matches: Sequence[Match]) -> list[Match]:
    """Return what is left of some matches when every rule has spoken: one, or several that tie (Z3, T5)."""

    def standing(match: Match) -> tuple[TitleRank, bool, Source]:
        rank = match.rank if acts(tree.nodes[match.index]) else max(match.rank, TitleRank.EQUAL)
        return rank, match.relative, match.source

    left = _least(matches, standing)
    left = _least(left, lambda match: not acts(tree.nodes[match.index]))
    left = _innermost(tree, left)
    left = _least(left, lambda match: match.rank)
    left = _least(left, lambda match: not _has_attention(tree, match.index))
    left = _least(left, lambda match: not tree.nodes[match.index].onscreen)
    return _least(left, lambda match: not tree.nodes[match.index].enabled)


def _least(matches: Iterable[Match], key: Callable[[Match], Any]) -> list[Match]:
    keyed = [(key(match), match) for match in matches]
    best = min(value for value, _ in keyed)
    return [match for value, match in keyed if value == best]


def _innermost(tree: Tree, matches: list[Match]) -> list[Match]:
    """Drop each element around another of the same name (Z3)."""
    if len(matches) == 1:
        return matches
    names = {match.index: normalise(tree.nodes[match.index].name) for match in matches}
    around = {
        above for index, name in names.items() if name for above in tree.ancestors(index) if names.get(above) == name
    }
    return [match for match in matches if match.index not in around]


def _has_attention(tree: Tree, index: int) -> bool:
    return any(tree.nodes[step].active or tree.nodes[step].popup for step in (index, *tree.ancestors(index)))


class _Stale(msgspec.Struct, frozen=True):
    """An id that was given out and means nothing on the screen any more, and what is known about it.

    Where several elements had its role and name, those do not tell it: whoever gave the id did not mean just any of them.
    """

    message: str
    issued: Issued

    def is_equal(self, node: Node) -> bool:
        mark = self.issued.fingerprint
        same = canonical_role(node.role) == mark.role and normalise(node.name) == mark.name
        return same and self.issued.several


def _find(tree: Tree, ax: Ax, book: IdBook, usable: Reach) -> list[Match] | Missing:
    """Return all that may be meant, or why an id in the target rules everything out."""
    scope = None if ax.within is None else _scope(tree, ax.within, book)
    if isinstance(scope, Missing):
        return scope
    if ax.id is not None:
        element = _element(tree, ax.id, book)
        if isinstance(element, int):
            problem = _contradiction(tree, ax, element)
            if problem is not None:
                return problem
            match = Match(element, TitleRank.IDENTICAL, False, Source.NAME)
            return _within(tree, [match] if usable(element) else [], scope)
        if isinstance(element, Missing):
            return element
        if ax.role is None and ax.title is None:
            return _missing(element.message)
        found = _search(tree, ax, usable, scope)
        if any(element.is_equal(tree.nodes[match.index]) for match in found):
            return _missing(f"{element.message}; several had that title, so that it does not tell which: add `within`")
        return found
    return _search(tree, ax, usable, scope)


def _search(tree: Tree, ax: Ax, usable: Reach, scope: Scope | None) -> list[Match]:
    """Return what fits by role and title; by edit distance only where nothing else does, on a whole tree."""
    role = None if ax.role is None else canonical_role(ax.role)
    found: list[Match] = []
    for close in (False, True) if tree.complete and ax.title is not None else (False,):
        found = [match for match in gather(tree, role, ax.title, close=close).values() if usable(match.index)]
        found = _within(tree, found, scope)
        if found:
            break
    return found


def _within(tree: Tree, matches: list[Match], scope: Scope | None) -> list[Match]:
    if scope is None or not matches:
        return matches
    inside = narrow(tree, matches, scope)
    if not inside:
        scope.join_pieces()
        inside = narrow(tree, matches, scope)
    return inside


def _scope(tree: Tree, ax: Ax, book: IdBook) -> Scope | Missing:
    """Return what lies within a container, or why its id rules everything out."""
    element: int | Missing | _Stale | None = None
    if ax.id is not None:
        element = _element(tree, ax.id, book)
        if isinstance(element, int):
            problem = _contradiction(tree, ax, element)
            if problem is not None:
                return problem
        elif isinstance(element, Missing):
            return element
        elif ax.role is None and ax.title is None:
            return _missing(element.message)
    scope = Scope(tree, ax, element if isinstance(element, int) else None)
    if ax.within is not None:
        outer = _scope(tree, ax.within, book)
        if isinstance(outer, Missing):
            return outer
        scope.inside(outer)
    return scope


def _element(tree: Tree, id: str, book: IdBook) -> int | Missing | _Stale:
    """Return the live element that an id means (T2, Z2)."""
    issued = book.issued(id)
    if issued is None:
        return _missing(
            f"the id {plain(id, 40)} was never given in this run; use an id of the last observation", final=True
        )
    if needs_whole(tree, issued):
        return _missing(f"{_was(issued)} is not in this part of the screen", needs_whole=True)
    index = tree.by_handle.get(issued.handle)
    if index is None:
        after = successor(tree, issued)
        if after is not None:
            return after
        gone = all(node.document != issued.fingerprint.document for node in tree.nodes)
        return _Stale(f"{_was(issued)} is stale: {'its page or window' if gone else 'it'} is gone", issued)
    if agrees(tree, index, issued):
        return index
    if moved_on(tree, index, issued) and (after := successor(tree, issued)) is not None:
        return after
    node = tree.nodes[index]
    if node.document != issued.fingerprint.document:
        return _Stale(f"{_was(issued)} is stale: its page or window is gone", issued)
    now = say_node(node)
    if now == say_node(issued.shown):
        now += " in another place"
    return _Stale(f"{_was(issued)} is stale: it is now {now}", issued)


def _missing(message: str, *, final: bool = False, needs_whole: bool = False) -> Missing:
    return Missing(lambda: message, final, needs_whole)


def _was(issued: Issued) -> str:
    return f"{issued.id} ({say_node(issued.shown)})"


def _contradiction(tree: Tree, ax: Ax, index: int) -> Missing | None:
    """Say that a role or title beside an id is not the element's; None where they agree."""
    node = tree.nodes[index]
    actual = canonical_role(node.role)
    if ax.role is None or role_fits(canonical_role(ax.role), actual, titled=True) is not None:
        if ax.title is None or rank_node(Wanted(ax.title), node, close=True) is not None:
            return None
        # Its label, or the text in it.
        if index in gather(tree, actual, ax.title, close=tree.complete):
            return None
        if not tree.complete:
            return _missing(f"{plain(ax.id or '', 40)} may not be {say_node(node)}", needs_whole=True)
    asked = say_target(msgspec.structs.replace(ax, id=None, within=None))
    return _missing(f"{plain(ax.id or '', 40)} is {say_node(node)}, not {asked}")


def _say_missing(tree: Tree, ax: Ax, book: IdBook, usable: Reach, modals: tuple[int, ...]) -> str:
    """Say in one line what was looked for, why it is not there as far as that can be told, and what is near."""
    parts: list[str] = []
    if ax.id is not None and isinstance(element := _element(tree, ax.id, book), _Stale):
        parts.append(element.message)
    parts.append(f"nothing on the screen fits {say_target(ax)}")
    if modals and _find(tree, ax, book, lambda index: True):
        parts.append(f"it is behind the open {say_node(tree.nodes[modals[0]])}, which comes first")
    elif ax.within is not None:
        outside = _find(tree, msgspec.structs.replace(ax, within=None), book, usable)
        if outside and not isinstance(outside, Missing):
            without = say_target(msgspec.structs.replace(ax, within=None))
            parts.append(f"{without} is there, but not within {say_target(ax.within)}")
    if problem := say_role_problem(ax):
        parts.append(problem)
    if nearest := say_nearest(tree, ax, [index for index in range(len(tree.nodes)) if usable(index)]):
        parts.append(nearest)
    return "; ".join(parts)
