"""What a screen is made of: nodes and trees, frozen values. No I/O; backends make these, the resolver reads them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import msgspec


class Box(msgspec.Struct, frozen=True, array_like=True):
    """A rectangle in logical pixels of the surface: left, top, width, height (A8)."""

    x: float
    y: float
    w: float
    h: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle point, in logical pixels."""
        return (self.x + self.w / 2, self.y + self.h / 2)

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point lies inside (right and bottom edges excluded)."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


class Node(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One element of the live screen.

    ``parent`` is the index of the parent in its tree's ``nodes``, -1 for a root. ``handle`` is the backend's own
    key for the element, never reused for another element while the session lasts; ``document`` names the window or
    document that the element lives in, so that a navigation makes old handles foreign (T2). ``name`` is the
    accessible name as the platform computes it. A node with role ``text`` is static text (O6).
    """

    handle: str
    role: str
    parent: int = -1
    document: str = ""
    name: str = ""
    description: str = ""
    placeholder: str = ""
    value: str = ""
    box: Box | None = None
    onscreen: bool = True  # some of it is inside the surface, and it is not hidden
    interactive: bool = False
    enabled: bool = True
    focused: bool = False
    editable: bool = False  # takes typed text
    multiline: bool = False
    password: bool = False  # its value is never read (R6)
    readonly: bool = False
    required: bool = False
    selected: bool = False
    checked: str = ""  # "", "true", "false", "mixed"
    pressed: str = ""  # "", "true", "false", "mixed"
    expanded: str = ""  # "", "true", "false"
    covered: bool = False
    active: bool = False  # this window, dialog or pop-up has the user's attention (T5)
    modal: bool = False  # while it is open only it and what it opened can be used (Z3)
    popup: bool = False  # a menu, list or tool-tip that floats over its opener
    label_for: str = ""  # the handle of the control that this label stands for (Z3)
    level: int = 0  # of a heading
    url: str = ""  # where a link leads, or what document a root shows
    form_action: str = ""  # where the element's form would send
    submits: str = ""  # name of the button that Enter in this field presses, by the form's rules (Z8)
    place: str = ""  # the backend's own word for where the element stands; what is drawn anew there has the same (T2)
    since: float = 0.0  # when it came to be, by the clock of its tree's ``at``; 0 where it was always there
    changed: float | None = None  # when anything in or around it was last changed, by that clock; None where unknown
    begins_acting: bool | None = None  # whether what it holds begins with a control; None where its first child tells


class Surface(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the points of an observation refer to: its size in logical pixels, and where the user is."""

    width: float
    height: float
    title: str = ""
    url: str = ""


class Left(msgspec.Struct, frozen=True, array_like=True):
    """What was left out in one region: how to reach it, how many elements that act, how many texts (O2)."""

    region: str
    how: str
    elements: int = 0
    texts: int = 0


class Tree(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The live screen, or a part of it: nodes in document order, each after its parent.

    ``notes`` say what a reader must know: cut short by a budget, empty and why (O2). ``more`` counts by region all
    that is off the screen, where the backend counted it itself. ``complete`` is False where only a part was walked.
    ``began`` and ``at`` are when the look began and when the last part of it was read, in ms, where the backend knows of
    each element whether it is younger (``since``) or was changed (``changed``).
    """

    nodes: tuple[Node, ...]
    surface: Surface
    notes: tuple[str, ...] = ()
    more: tuple[Left, ...] = ()
    complete: bool = True
    began: float = 0.0
    at: float = 0.0

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """Indices of the children by index of the parent; -1 holds the roots."""
        found: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            found.setdefault(node.parent, []).append(index)
        return {parent: tuple(indices) for parent, indices in found.items()}

    @cached_property
    def by_handle(self) -> dict[str, int]:
        """Index of each node by its handle."""
        return {node.handle: index for index, node in enumerate(self.nodes)}

    def ancestors(self, index: int) -> Iterator[int]:
        """Yield the indices from the parent up to the root."""
        index = self.nodes[index].parent
        while index >= 0:
            yield index
            index = self.nodes[index].parent

    def descendants(self, index: int) -> Iterator[int]:
        """Yield the indices below a node, in document order."""
        stack = list(reversed(self.children.get(index, ())))
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(self.children.get(current, ())))
