"""The outline: a tree as the lines that a model reads (O1, O2, O6, R7), within a budget of tokens. No I/O, no tokenizer.

::

    note: what a reader must know first
    screen 1280x800 "Notes - Main" https://notes.example/
    dialog "Save changes?" modal
      "You have unsaved changes."
      e4 button "Save" focused
    window "Notes"
      e1 textbox "Title" = "Groceries"
      listitem "Buy milk | today"
        e2 checkbox "Buy milk" unchecked
    … 37 elements, 12 texts below: scroll down

What can be acted on has an id. All that was observed stands in double quotes, JSON-like, and cannot break its line.
The same tree and book give the same text, so that equal outlines mean that nothing changed (O7).
"""

from __future__ import annotations

from collections import Counter

import msgspec

from axstream.ax.ids import IdBook
from axstream.ax.match import ROW_SEPARATOR
from axstream.ax.node import Node, Tree
from axstream.ax.quote import plain, quote, visible
from axstream.ax.roles import canonical_role
from axstream.ax.say import say_node
from axstream.ax.sketch import LINE, Entry, Kind, Sketch, sketch
from axstream.ax.titles import normalise

MAX_TOKENS = 4000  # a prompt's largest part; two screens of a dense page
BYTES_PER_TOKEN = 3.2  # o200k on outlines: 3.2 bytes of UTF-8 a token in tables of short cells, 4 in prose
MAX_NAME = 120  # characters of a name or value
_ELEMENTS_FIRST = 0.7  # the share of the budget that elements may fill before texts get their turn
_RESERVE = 120  # tokens for what is said about what was left out
_ID_TOKENS = 2
_MAX_DEPTH = 12  # deeper indentation says nothing more, and costs
_MAX_NOTES = 6
_MAX_MORE = 8
_MAX_NOTE = 240


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """What a model reads, and what a grammar may be narrowed to.

    ``ids`` are those in the text, in its order. ``elements`` are (id, role, title) of the same, titles as they can be
    asked for, ``""`` for none. ``pairs`` are their different roles and titles, those that name one element first.
    """

    text: str
    ids: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    elements: tuple[tuple[str, str, str], ...] = ()


def tokens(text: str) -> int:
    """Estimate the tokens of a text from its bytes: ``ceil(bytes / 3.2)``."""
    return int(-(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN))


def escape(text: str, limit: int = MAX_NAME) -> str:
    """Return observed text on one line, harmless and cut, without quotes around it (R7)."""
    return plain(text, limit)


def outline(tree: Tree, book: IdBook, *, max_tokens: int = MAX_TOKENS) -> Outline:
    """Put a tree into lines, and give ids to the elements shown.

    Elements come before texts where the budget is short; what was left out is counted, with how to reach it. Only the
    elements that are shown get ids, or have what their ids promise brought up to date.
    """
    work = sketch(tree)
    head = _head(tree, work)
    lines = [_words(tree, entry) for entry in work.entries]
    kept = _afford(work.entries, lines, max_tokens - _RESERVE - sum(tokens(line + "\n") for line in head))
    shown = [entry for position, entry in enumerate(work.entries) if position in kept and entry.kind is Kind.ELEMENT]
    ids = book.issue(tree, [entry.index for entry in shown])
    body: list[str] = []
    for position, (entry, line) in enumerate(zip(work.entries, lines, strict=True)):
        if position in kept:
            number = f"{ids[tree.nodes[entry.index].handle]} " if entry.kind is Kind.ELEMENT else ""
            body.append(f"{_pad(entry)}{number}{line}")
    tail = _tail(tree, work, kept)
    elements = tuple(
        (ids[tree.nodes[entry.index].handle], _role(tree.nodes[entry.index]), _title(tree.nodes[entry.index], entry))
        for entry in shown
    )
    return Outline(
        text="\n".join((*head, *body, *tail)),
        ids=tuple(number for number, _, _ in elements),
        pairs=_pairs(elements),
        elements=elements,
    )


def _pairs(elements: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the roles and titles that elements can be asked for by, those of one element alone first."""
    named = [
        (role, title) for _, role, title in elements if title and len(title) <= MAX_NAME and ROW_SEPARATOR not in title
    ]
    often = Counter((role, normalise(title)) for role, title in named)
    return tuple(sorted(dict.fromkeys(named), key=lambda pair: often[pair[0], normalise(pair[1])] > 1))


def _head(tree: Tree, work: Sketch) -> list[str]:
    notes = [f"note: {escape(note, _MAX_NOTE)}" for note in tree.notes[:_MAX_NOTES]]
    if len(tree.notes) > _MAX_NOTES:
        notes.append(f"note: and {len(tree.notes) - _MAX_NOTES} more notes")
    if not (work.entries or work.regions or tree.more or tree.notes):
        notes.append("note: nothing can be seen here" + (" yet" if tree.nodes else ": the screen is empty"))
    surface = tree.surface
    words = [f"screen {surface.width:g}x{surface.height:g}"]
    if surface.title:
        words.append(quote(surface.title))
    if surface.url:
        words.append(escape(surface.url, 200).replace(" ", "%20"))
    return [*notes, " ".join(words)]


def _afford(entries: list[Entry], lines: list[str], budget: int) -> set[int]:
    """Return the positions of the lines that fit: elements first, then texts, then the rest of the elements."""
    costs = [
        tokens(_pad(entry) + line + "\n") + (_ID_TOKENS if entry.kind is Kind.ELEMENT else 0)
        for entry, line in zip(entries, lines, strict=True)
    ]
    everything = set(range(len(entries)))
    if sum(costs) <= budget:
        return everything
    kept: set[int] = set()
    spent = 0
    texts = [position for position in everything if entries[position].kind is Kind.TEXT]
    others = [position for position in everything if entries[position].kind in (Kind.ELEMENT, Kind.LABEL)]
    for positions, limit in ((others, budget * _ELEMENTS_FIRST), (texts, budget), (others, budget)):
        for position in sorted(positions):
            needed = [position]
            while (parent := entries[needed[-1]].parent) >= 0:
                needed.append(parent)
            new = [step for step in needed if step not in kept]
            cost = sum(costs[step] for step in new)
            if spent + cost > limit:
                break
            kept.update(new)
            spent += cost
    return kept


def _pad(entry: Entry) -> str:
    return "  " * min(entry.depth, _MAX_DEPTH)


def _tail(tree: Tree, work: Sketch, kept: set[int]) -> list[str]:
    """Say what was left out and how to reach it (O2)."""
    counts = Counter(entry.kind for position, entry in enumerate(work.entries) if position not in kept)
    lines: list[str] = []
    if work.behind:
        lines.append(f"… {_number(work.behind, 0)} behind {say_node(tree.nodes[work.modals[0]], 60)}: close it first")
    if counts[Kind.ELEMENT] or counts[Kind.LABEL] or counts[Kind.TEXT]:
        left = _number(counts[Kind.ELEMENT], counts[Kind.LABEL] + counts[Kind.TEXT])
        lines.append(f"… {left} here left out for length: scroll, or name them by title")
    regions = [(left.region, left.elements, left.texts, left.how) for left in tree.more] or [
        (region, counted.elements, counted.texts, counted.how) for region, counted in work.regions.items()
    ]
    counts_of = [(_number(elements, texts), region, how) for region, elements, texts, how in regions]
    lines.extend(
        f"… {count} {escape(region, 60)}: {escape(how, 80)}" for count, region, how in counts_of[:_MAX_MORE] if count
    )
    if len(regions) > _MAX_MORE:
        rest = regions[_MAX_MORE:]
        lines.append(f"… {_number(sum(one[1] for one in rest), sum(one[2] for one in rest))} elsewhere")
    return lines


def _number(elements: int, texts: int) -> str:
    parts = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in ((elements, "element"), (texts, "text"))
        if count
    ]
    return ", ".join(parts)


def _role(node: Node) -> str:
    return escape(canonical_role(node.role), 40) or "element"


def _title(node: Node, entry: Entry) -> str:
    """Return what an element can be asked for by."""
    return visible(node.name) or visible(node.placeholder) or visible(node.description) or entry.text


def _words(tree: Tree, entry: Entry) -> str:
    """Word a line, without its id."""
    node = tree.nodes[entry.index]
    if entry.kind is Kind.TEXT:
        return quote(entry.text, LINE) + (f" (+{entry.lost} characters)" if entry.lost else "")
    words = [_role(node)]
    hint = ""
    if entry.text:
        words.append(quote(entry.text, 2 * MAX_NAME))
    elif visible(node.name):
        words.append(quote(node.name, MAX_NAME))
    elif visible(node.placeholder):
        hint = f"placeholder {quote(node.placeholder, MAX_NAME)}"
    elif visible(node.description):
        hint = f"described {quote(node.description, MAX_NAME)}"
    elif entry.kind is Kind.ELEMENT and node.box is not None:
        x, y = node.box.centre
        hint = f"at {x:.0f},{y:.0f}"  # nothing else tells it from its like
    if hint:
        words.append(hint)
    if node.value and not node.password and normalise(node.value) != normalise(node.name):
        words.append(f"= {quote(node.value, MAX_NAME)}")
    words.extend(_states(node))
    return " ".join(words)


def _states(node: Node) -> list[str]:
    """Return the states that matter, in a fixed order."""
    said = [
        (node.password, "password"),
        (node.multiline and node.editable, "multiline"),
        (node.checked == "true", "checked"),
        (node.checked == "false", "unchecked"),
        (node.pressed == "true", "pressed"),
        (node.pressed == "false", "unpressed"),
        ("mixed" in (node.checked, node.pressed), "mixed"),
        (node.expanded == "true", "expanded"),
        (node.expanded == "false", "collapsed"),
        (node.selected, "selected"),
        (node.focused, "focused"),
        (not node.enabled, "disabled"),
        (node.readonly, "readonly"),
        (node.required, "required"),
        (node.covered, "covered"),
        (node.modal, "modal"),
    ]
    return [word for so, word in said if so]
