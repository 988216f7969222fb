"""Elements and targets put into words, one line each, for the model's next prompt and people. Nothing is resolved."""

from __future__ import annotations

from collections.abc import Sequence

from axstream.ax.ids import IdBook
from axstream.ax.match import acts
from axstream.ax.node import Node, Tree
from axstream.ax.places import ITEM_ROLES
from axstream.ax.quote import plain, quote
from axstream.ax.roles import canonical_role, is_known_role, nearest_roles
from axstream.ax.titles import nearest_titles
from axstream.spec.targets import Ax

MAX_LISTED = 6  # candidates of an ambiguous target: more would not be read
_SHORT = 60  # characters of a title inside a list
_MAX_ROLE = 40
_MAX_WITHIN = 3  # nested containers that are spelt out
_MAX_WHERE = 200  # characters of a row's text that are put together


def say_node(node: Node, limit: int = 120) -> str:
    """Say what an element is: ``button "Save"``; a nameless one by its placeholder or description."""
    role = plain(canonical_role(node.role), _MAX_ROLE) or "element"
    if node.name:
        return f"{role} {quote(node.name, limit)}"
    if node.placeholder:
        return f"{role} with placeholder {quote(node.placeholder, limit)}"
    if node.description:
        return f"{role} described {quote(node.description, limit)}"
    return f"{role} without a name"


def say_target(ax: Ax, depth: int = 0) -> str:
    """Say what was looked for: ``button "Save" within "Bob"``; the model's own words, made safe for a line."""
    parts: list[str] = []
    if ax.role is not None:
        role = canonical_role(ax.role)
        parts.append(plain(role if is_known_role(ax.role) else ax.role, _MAX_ROLE))
    if ax.title is not None:
        parts.append(quote(ax.title))
    if ax.id is not None:
        parts.append(f"({plain(ax.id, _MAX_ROLE)})" if parts else plain(ax.id, _MAX_ROLE))
    if ax.within is not None:
        parts.append("within " + (say_target(ax.within, depth + 1) if depth < _MAX_WITHIN else "…"))
    return " ".join(parts)


def say_role_problem(ax: Ax) -> str:
    """Say that a role is none of the four vocabularies', and which are near; empty where there is no such problem."""
    if ax.role is None or is_known_role(ax.role):
        return ""
    nearest = nearest_roles(ax.role)
    hint = f"; the nearest {'is' if len(nearest) == 1 else 'are'} {', '.join(nearest)}" if nearest else ""
    return f'"{plain(ax.role, _MAX_ROLE)}" is no known role{hint}'


def say_place(tree: Tree, index: int) -> str:
    """Say where an element is: the row that it is in by its text, or the nearest named container; empty if neither."""
    for above in tree.ancestors(index):
        node = tree.nodes[above]
        role = canonical_role(node.role)
        if role in ITEM_ROLES:
            text = node.name or row_text(tree, above, but=index)
            if text:
                return f"in {role} {quote(text, _SHORT)}"
        elif node.name:
            return f"in {plain(role, _MAX_ROLE)} {quote(node.name, _SHORT)}"
    return ""


def row_text(tree: Tree, item: int, but: int = -1) -> str:
    """Return the static texts inside a row-like container, joined; those of ``but`` are left out."""
    texts: list[str] = []
    length = 0
    for step in tree.descendants(item):
        node = tree.nodes[step]
        if step != but and node.name and not acts(node) and but not in tree.ancestors(step):
            texts.append(node.name)
            length += len(node.name)
            if length > _MAX_WHERE:
                break
    return " ".join(texts)[:_MAX_WHERE]


def say_tie(tree: Tree, ax: Ax, tied: Sequence[int], book: IdBook) -> str:
    """Say which elements fit equally well, each with its id (a new one where it has none) and what tells it from the
    others (T5)."""
    listed = tied[:MAX_LISTED]
    book.issue(tree, [index for index in listed if book.id_of(tree.nodes[index].handle) is None])
    places = [say_place(tree, index) for index in listed]
    lines: list[str] = []
    for number, (index, place) in enumerate(zip(listed, places, strict=True), start=1):
        node = tree.nodes[index]
        words = [book.id_of(node.handle) or "", say_node(node, _SHORT)]
        if place:
            words.append(place)
        if not place or places.count(place) > 1:
            words.append(f"({number} of {len(tied)}{', ' + _spot(node) if node.box else ''})")
        words += [word for word, so in (("disabled", not node.enabled), ("off screen", not node.onscreen)) if so]
        lines.append(" ".join(words))
    more = f"; and {len(tied) - len(listed)} more" if len(tied) > len(listed) else ""
    return (
        f"{len(tied)} elements fit {say_target(ax)} equally well: {'; '.join(lines)}{more}. "
        'Name one by its id, or add "within".'
    )


def _spot(node: Node) -> str:
    assert node.box is not None
    x, y = node.box.centre
    return f"at {x:.0f},{y:.0f}"


def say_nearest(tree: Tree, ax: Ax, usable: Sequence[int]) -> str:
    """Say which elements look most like what was looked for; empty where nothing does."""
    if ax.title is None:
        return ""
    role = None if ax.role is None else canonical_role(ax.role)
    ordered = sorted(
        (index for index in usable if tree.nodes[index].name),
        key=lambda index: (
            canonical_role(tree.nodes[index].role) != role,
            not acts(tree.nodes[index]),
            not tree.nodes[index].onscreen,
        ),
    )
    # One of each: equal names in equal roles say nothing more.
    unique = {(tree.nodes[index].name, canonical_role(tree.nodes[index].role)): index for index in reversed(ordered)}
    indices = list(reversed(unique.values()))
    near = nearest_titles(ax.title, [tree.nodes[index].name for index in indices])
    if not near:
        return ""
    return "nearest: " + ", ".join(say_node(tree.nodes[indices[position]], _SHORT) for position in near)
