"""What a backend may leave out of its candidates, and how that is checked (Z27). The rule for ``Computer.candidates``.

A part of the screen is enough for a target where it holds, with all their ancestors: what has the title at word
boundaries in its name, description, placeholder or value (or, without a title, what has the role); the controls of
labels among those; what has the title of a ``within`` the same way, and the row-like containers whole where that title
has several words; everything that is active, modal or floats; windows and documents. For an id: its element, with
``Node.changed`` where the backend can tell it; without that, and where the element is gone, the whole is asked for.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from axstream.ax.ids import IdBook
from axstream.ax.match import rank_node
from axstream.ax.node import Node, Tree
from axstream.ax.places import ITEM_ROLES
from axstream.ax.resolve import Ambiguous, Found, Missing, resolve, same_outcome
from axstream.ax.roles import canonical_role
from axstream.ax.titles import TitleRank, Wanted
from axstream.spec.targets import Ax

_ALWAYS = frozenset({"window", "document", "application", "iframe", "dialog", "alertdialog"})


def may_matter(tree: Tree, ax: Ax) -> set[int]:
    """Return the least that candidates for a target must hold; ancestors come on top (see ``part_of``)."""
    kept = {
        index
        for index, node in enumerate(tree.nodes)
        if node.active or node.modal or node.popup or canonical_role(node.role) in _ALWAYS
    }
    step: Ax | None = ax
    while step is not None:
        kept |= _of_one(tree, step, within=step is not ax)
        step = step.within
    return kept


def _of_one(tree: Tree, ax: Ax, *, within: bool) -> set[int]:
    if ax.id is not None:
        return set(range(len(tree.nodes)))
    if ax.title is None:
        role = None if ax.role is None else canonical_role(ax.role)
        return {index for index, node in enumerate(tree.nodes) if canonical_role(node.role) == role}
    wanted = Wanted(ax.title)
    found = {index for index, node in enumerate(tree.nodes) if rank_node(wanted, node, close=False) is not None}
    found |= {tree.by_handle[label] for index in found if (label := tree.nodes[index].label_for) in tree.by_handle}
    if within and len(wanted.forms[0].split()) > 1:
        items = [index for index, node in enumerate(tree.nodes) if canonical_role(node.role) in ITEM_ROLES]
        found |= {inside for item in items for inside in tree.descendants(item)}
    return found


def part_of(tree: Tree, keep: Collection[int]) -> Tree:
    """Return some nodes of a tree with all their ancestors, as a part of the screen."""
    wanted = set(keep) | {above for index in keep for above in tree.ancestors(index)}
    moved = {-1: -1}
    nodes: list[Node] = []
    for index in sorted(wanted):
        moved[index] = len(nodes)
        nodes.append(msgspec.structs.replace(tree.nodes[index], parent=moved[tree.nodes[index].parent]))
    return msgspec.structs.replace(tree, nodes=tuple(nodes), complete=False)


def agrees_with_whole(part: Tree, whole: Tree, ax: Ax, book: IdBook) -> bool:
    """Tell whether candidates give what the whole tree gives: the same element, the same tie, or nothing.

    What the whole tree finds by edit distance, and ids of which the part cannot tell, are asked of the whole anyway.
    """
    narrow, wide = resolve(part, ax, book), resolve(whole, ax, book)
    if not part.complete and isinstance(narrow, Missing):
        close = isinstance(wide, Found | Ambiguous) and wide.rank is TitleRank.CLOSE
        if narrow.needs_whole or close:
            return True
    return same_outcome(narrow, wide)
