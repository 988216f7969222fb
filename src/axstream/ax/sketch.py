"""Which nodes become lines of an outline, in which order and how deep (O1, O2, O6). Nothing is worded or budgeted here.

A sketch is made once over the tree, without recursion (pages nest thousands deep): what floats over the rest comes
first (pop-ups, then modals, then active windows and dialogs), then the roots, the active one first, each in document
order. Elements that act are lines; so are headings, named groups, rows with their text, and what else has a name and
nothing inside. Static text is folded: what its control, heading or row says already is left out. What is off the
screen or behind a modal is counted, not shown.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from axstream.ax.match import ROW_SEPARATOR, Reach, acts, reach
from axstream.ax.node import Node, Surface, Tree
from axstream.ax.places import ITEM_ROLES
from axstream.ax.quote import cut, visible
from axstream.ax.roles import canonical_role
from axstream.ax.titles import normalise


class Kind(Enum):
    """What a line is."""

    ELEMENT = "element"  # can be acted on: has an id
    GROUP = "group"  # gives what is inside a meaning; shown only with something inside
    LABEL = "label"  # static, with a role that says something: a heading, a picture, a progress bar
    TEXT = "text"  # static text alone


class Entry(msgspec.Struct, kw_only=True):
    """One line to be. ``parent`` is the position of the entry that it stands in, -1 for none."""

    kind: Kind
    index: int
    parent: int
    text: str = ""  # a text's words, or what is said in a nameless row or control
    lost: int = 0  # characters of an endless text that were dropped behind this line
    depth: int = 0


class Region(msgspec.Struct):
    """What is not shown in one direction: how many elements that act, how many texts, and how to reach them."""

    how: str
    elements: int = 0
    texts: int = 0


class Sketch(msgspec.Struct):
    """The lines to be, and what was left out by region, in the order met."""

    entries: list[Entry]
    regions: dict[str, Region]
    modals: tuple[int, ...]
    behind: int = 0


#: Roles that are worth a line when they have a name, for what is inside them.
_GROUPS = frozenset(
    {
        "window", "dialog", "alertdialog", "form", "group", "region", "navigation", "toolbar", "menu", "menubar", "list",
        "listbox", "table", "grid", "treegrid", "tree", "tablist", "tabpanel", "radiogroup", "iframe", "application",
        "article", "alert", "status", "search", "complementary", "figure", "document", "main", "banner", "contentinfo",
        "feed",
    }
)  # fmt: skip
#: Groups that are worth a line without a name too.
_TELLING_GROUPS = frozenset({"dialog", "alertdialog", "menu", "navigation", "form", "alert", "tablist", "search"})
#: Groups that a person must know of although nothing in them can be read.
_KEPT_EMPTY = frozenset({"dialog", "alertdialog"})
#: Static roles that say something beside the text.
_LABELS = frozenset({"heading", "img", "canvas", "progressbar", "meter", "timer", "columnheader", "video", "audio"})
_MAX_ROW = 200  # characters of text that go into a row's own line; longer texts stand below it
LINE = 300  # characters of one line of text: longer texts go on in the next
_MAX_TEXT = 6000  # characters of one text that are kept, the rest is counted
_MAX_TOLD = 4  # lines above whose words are not said again


def sketch(tree: Tree) -> Sketch:
    """Decide on the lines of an outline."""
    usable, modals = reach(tree)
    work = Sketch([], {}, modals)
    lifted = _lifted(tree, usable, modals)
    roots = sorted(tree.children.get(-1, ()), key=lambda index: not tree.nodes[index].active)
    starts = [*lifted, *(root for root in roots if root not in lifted)]
    for start in starts:
        _walk(tree, start, usable, frozenset(lifted), work)
    _prune(tree, work)
    return work


def _lifted(tree: Tree, usable: Reach, modals: tuple[int, ...]) -> list[int]:
    """Return what floats over the rest, in the order in which it is shown."""

    def place(index: int) -> int | None:
        node = tree.nodes[index]
        if not usable(index):
            return None
        if node.popup and canonical_role(node.role) != "tooltip":
            return 0
        if index in modals:
            return 1
        return 2 if node.active and node.parent >= 0 else None

    places = [(where, index) for index in range(len(tree.nodes)) if (where := place(index)) is not None]
    found = {index for _, index in places}
    # A menu that opened out of a menu stays where it is in it.
    return [
        index
        for where, index in sorted(places)
        if not (where == 0 and any(above in found and tree.nodes[above].popup for above in tree.ancestors(index)))
    ]


class _Step(msgspec.Struct):
    """Where the walk is: a node, the entry around it, and the words that lines above have said."""

    index: int
    parent: int
    depth: int
    told: tuple[str, ...]
    title: str  # the name of the group around, not to be said again by a text or heading that is just that


def _walk(tree: Tree, start: int, usable: Reach, lifted: frozenset[int], work: Sketch) -> None:
    stack = [_Step(start, -1, 0, (), "")]
    while stack:
        step = stack.pop()
        below = _visit(tree, step, usable, work)
        for child in reversed(tree.children.get(step.index, ())):
            if child not in lifted:
                stack.append(msgspec.structs.replace(below, index=child))


def _visit(tree: Tree, step: _Step, usable: Reach, work: Sketch) -> _Step:
    """Add a node's entry, if it is worth one, and return the step for what is inside."""
    node = tree.nodes[step.index]
    role = canonical_role(node.role)
    element = acts(node)
    leaf = step.index not in tree.children
    if not usable(step.index):
        work.behind += element
        return step
    if not node.onscreen:
        _count(node, element, leaf, tree.surface, work)
        return step
    if element:
        text = "" if node.name else _inside(tree, step.index)
        return _add(work, step, Kind.ELEMENT, text, (normalise(node.name), normalise(text)))
    if role in ITEM_ROLES:
        return _visit_item(tree, step, work)
    if role in _GROUPS and (node.name or role in _TELLING_GROUPS):
        # The surface's own title stands in the first line already.
        if step.parent < 0 and role == "document" and normalise(node.name) == normalise(tree.surface.title):
            return msgspec.structs.replace(step, title=normalise(node.name))
        below = _add(work, step, Kind.GROUP, "", ())
        return msgspec.structs.replace(below, title=normalise(node.name))
    if role in _LABELS and (node.name or node.value):
        if node.name and _said(step, node.name):
            return step
        return _add(work, step, Kind.LABEL, "", (normalise(node.name),))
    if (leaf or role == "text") and not _said(step, node.name) and not _is_label(tree, node):
        _add_text(work, step, node.name)
        return msgspec.structs.replace(step, told=(*step.told, normalise(node.name))[-_MAX_TOLD:])
    return step


def _visit_item(tree: Tree, step: _Step, work: Sketch) -> _Step:
    """Add the line of a row or list item: its text, or a name of its own with the text below."""
    node = tree.nodes[step.index]
    text, name = _inside(tree, step.index), normalise(node.name)
    if name and not _is_from_content(tree, step.index, name):
        return _add(work, step, Kind.LABEL, "", (name,))
    if not text:
        return step  # only controls, which speak for themselves
    if len(text) <= _MAX_ROW:
        return _add(work, step, Kind.LABEL, text, (normalise(text),))
    return _add(work, step, Kind.GROUP, "", ())


def _is_from_content(tree: Tree, item: int, name: str) -> bool:
    """Tell whether a row's name is only what stands in it, as browsers compute it."""
    for index in tree.descendants(item):
        if index not in tree.children and (inner := normalise(tree.nodes[index].name)):
            return inner in name
    return False


def _add(work: Sketch, step: _Step, kind: Kind, text: str, says: tuple[str, ...]) -> _Step:
    work.entries.append(Entry(kind=kind, index=step.index, parent=step.parent, text=text, depth=step.depth))
    told = (*step.told, *(words for words in says if words))[-_MAX_TOLD:]
    return _Step(step.index, len(work.entries) - 1, step.depth + 1, told, "" if kind is Kind.GROUP else step.title)


def _add_text(work: Sketch, step: _Step, said: str) -> None:
    """Add static text in lines of bounded length; short texts that follow one another share a line."""
    rest = visible(said[:_MAX_TEXT])
    last = work.entries[-1] if work.entries else None
    if (
        last is not None
        and last.kind is Kind.TEXT
        and (last.parent, last.lost) == (step.parent, 0)
        and len(last.text) + len(rest) < LINE
    ):
        last.text = f"{last.text} {rest}"
        return
    while rest:
        line, _ = cut(rest, LINE)
        work.entries.append(Entry(kind=Kind.TEXT, index=step.index, parent=step.parent, text=line, depth=step.depth))
        rest = rest[len(line) :].lstrip()
    work.entries[-1].lost = max(0, len(said) - _MAX_TEXT)


def _said(step: _Step, text: str) -> bool:
    """Tell whether a line above says this text already."""
    normal = normalise(text)
    return not normal or normal == step.title or any(normal in words for words in step.told)


def _is_label(tree: Tree, node: Node) -> bool:
    """Tell whether a text is the label of a control whose name says the same."""
    control = tree.by_handle.get(node.label_for) if node.label_for else None
    return control is not None and normalise(tree.nodes[control].name) == normalise(node.name)


def _inside(tree: Tree, item: int) -> str:
    """Return the static texts in a row or control, but for those in other rows or controls inside it."""
    pieces: list[str] = []
    length = 0
    stack = list(reversed(tree.children.get(item, ())))
    while stack and length <= _MAX_ROW:
        index = stack.pop()
        node = tree.nodes[index]
        if acts(node) or canonical_role(node.role) in ITEM_ROLES or not node.onscreen:
            continue
        children = tree.children.get(index, ())
        if children:
            stack.extend(reversed(children))
        elif node.name and (text := visible(node.name[:_MAX_TEXT])):
            pieces.append(text)
            length += len(text)
    return ROW_SEPARATOR.join(pieces)


def _count(node: Node, element: bool, leaf: bool, surface: Surface, work: Sketch) -> None:
    """Count what is off the screen by where it is."""
    text = leaf and not element and bool(node.name)
    if not (element or text):
        return
    region, how = "out of sight", "scroll, or open what holds them"
    if node.box is not None:
        box = node.box
        for here, where, way in (
            (box.y >= surface.height, "below", "scroll down"),
            (box.y + box.h <= 0, "above", "scroll up"),
            (box.x >= surface.width, "to the right", "scroll right"),
            (box.x + box.w <= 0, "to the left", "scroll left"),
        ):
            if here:
                region, how = where, way
                break
    counted = work.regions.setdefault(region, Region(how))
    counted.elements += element
    counted.texts += text


def _prune(tree: Tree, work: Sketch) -> None:
    """Drop the groups in which nothing is shown."""
    kept = [entry.kind is not Kind.GROUP or _is_kept_empty(tree, entry) for entry in work.entries]
    for position in range(len(work.entries) - 1, -1, -1):
        parent = work.entries[position].parent
        if kept[position] and parent >= 0:
            kept[parent] = True
    moved: dict[int, int] = {-1: -1}
    left: list[Entry] = []
    for position, entry in enumerate(work.entries):
        if kept[position]:
            moved[position] = len(left)
            entry.parent = moved[entry.parent]
            left.append(entry)
    work.entries = left


def _is_kept_empty(tree: Tree, entry: Entry) -> bool:
    return canonical_role(tree.nodes[entry.index].role) in _KEPT_EMPTY
