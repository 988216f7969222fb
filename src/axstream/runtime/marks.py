"""A picture of the screen with the ids of its elements drawn on it (set of marks), for models that see.

It is drawn on the picture and never into the page. Values are never drawn, names only where there is no picture to
draw on (a script dialog blocks the page): then the tree is all that is known. Needs the ``vision`` extra.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Literal

import anyio
import msgspec

from axstream.ax.ids import IdBook
from axstream.ax.node import Box, Node, Tree
from axstream.ax.outline import Outline
from axstream.ax.quote import visible
from axstream.ax.roles import canonical_role, family
from axstream.computer.base import Computer, Sees
from axstream.errors import Unsupported, UsageError

Kind = Literal["button", "link", "field", "choice", "other"]

#: Dark enough for white letters (contrast of 4.5 and more), and apart in hue for those who see few colours.
COLOURS: dict[Kind, str] = {
    "button": "#b3261e",
    "link": "#1a4fd6",
    "field": "#0b6b3a",
    "choice": "#7a1fa2",
    "other": "#8a4b00",
}
DISABLED = "#5f6368"
_FONT_SIZE = 12  # pixels: models that see read this at the sizes to which pictures are scaled down
_PAD = 2
_CELL = 64.0  # pixels of the grid in which neighbours are looked up
_LABEL_WEIGHT = 8  # a label over a label is lost, one over an element hides some of it
_DASH = 4

_Rect = tuple[float, float, float, float]  # left, top, right, bottom


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One element to be marked: its id, and its box in pixels of the surface."""

    id: str
    box: Box
    kind: Kind
    covered: bool = False
    disabled: bool = False


def marks_of(tree: Tree, seen: Outline, book: IdBook) -> tuple[Mark, ...]:
    """Return a mark for each element that an outline shows and that lies somewhere on the screen."""
    shown = set(seen.ids)
    marks = []
    for node in tree.nodes:
        number = book.id_of(node.handle)
        if number in shown and node.box is not None:
            marks.append(
                Mark(id=number, box=node.box, kind=_kind(node), covered=node.covered, disabled=not node.enabled)
            )
    return tuple(marks)


def _kind(node: Node) -> Kind:
    role = canonical_role(node.role)
    if role == "link":
        return "link"
    if node.editable or family(role) in ("entry", "range"):
        return "field"
    kinds: dict[str, Kind] = {"press": "button", "check": "choice", "item": "choice", "choice": "choice"}
    return "choice" if role == "tab" else kinds.get(family(role), "other")


async def picture_of(screen: Computer, tree: Tree, seen: Outline, book: IdBook, *, marks: bool) -> bytes:
    """Return the screen as PNG, one pixel a logical pixel, with ``marks`` the ids of ``seen`` on it.

    The picture is taken now, ``tree`` was seen before: what moves lies elsewhere. Raises UsageError for a computer that
    has no picture, and without the ``vision`` extra where marks are asked for; Unsupported where a dialog blocks the
    page and no marks are asked for.
    """
    sight = with_sight(screen, marks=marks)
    if not marks:
        return await sight.screenshot()
    picture: bytes | None
    try:
        picture = await sight.screenshot()
    except Unsupported:
        picture = None
    return await anyio.to_thread.run_sync(draw_marks, picture, tree, marks_of(tree, seen, book))


def with_sight(screen: Computer, *, marks: bool) -> Sees:
    """Return the computer as one that has a picture. Raises UsageError where it has none, or marks cannot be drawn."""
    if not isinstance(screen, Sees):
        raise UsageError(f"the {screen.kind} computer has no picture to take; a screenshot needs a browser")
    if marks:
        _pillow()
    return screen


def _pillow() -> tuple[ModuleType, ModuleType, ModuleType]:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise UsageError(
            f"drawing marks needs Pillow ({error}); install it with `pip install 'axstream-runtime[vision]'`"
        ) from error
    return Image, ImageDraw, ImageFont


def draw_marks(picture: bytes | None, tree: Tree, marks: Sequence[Mark]) -> bytes:
    """Draw marks on a picture of the surface, or on a sheet with the words of the tree; return PNG."""
    images, draws, fonts = _pillow()
    size = (max(round(tree.surface.width), 1), max(round(tree.surface.height), 1))
    font: Any = fonts.load_default(_FONT_SIZE)
    if picture is None:
        image = images.new("RGB", size, "white")
        _write_words(draws.Draw(image), tree, font)
    else:
        image = images.open(io.BytesIO(picture)).convert("RGB")
    draw = draws.Draw(image)
    scale = image.width / size[0]
    rects = [_scaled(mark.box, scale, image.size) for mark in marks]
    visible_marks = [(mark, rect) for mark, rect in zip(marks, rects, strict=True) if rect is not None]
    sizes = [(draw.textlength(mark.id, font=font) + 2 * _PAD, _FONT_SIZE + 2.0 * _PAD) for mark, _ in visible_marks]
    texts = [_scaled(node.box, scale, image.size) for node in tree.nodes if node.box is not None and _is_text(node)]
    labels = place_labels([rect for _, rect in visible_marks], sizes, image.size, [rect for rect in texts if rect])
    for mark, rect in visible_marks:
        _draw_box(draw, rect, DISABLED if mark.disabled else COLOURS[mark.kind], dashed=mark.covered)
    for (mark, _), label in zip(visible_marks, labels, strict=True):
        colour = DISABLED if mark.disabled else COLOURS[mark.kind]
        ground, ink = ("white", colour) if mark.covered else (colour, "white")
        draw.rectangle(label, fill=ground, outline=colour)
        draw.text((label[0] + _PAD, label[1]), mark.id, fill=ink, font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _is_text(node: Node) -> bool:
    return node.onscreen and canonical_role(node.role) == "text"


def _scaled(box: Box, scale: float, size: tuple[int, int]) -> _Rect | None:
    """Return what of a box lies in the picture, None where nothing does."""
    left, top = max(box.x * scale, 0.0), max(box.y * scale, 0.0)
    right, bottom = min((box.x + box.w) * scale, size[0] - 1.0), min((box.y + box.h) * scale, size[1] - 1.0)
    return (left, top, right, bottom) if right > left and bottom > top else None


def place_labels(
    boxes: Sequence[_Rect],
    sizes: Sequence[tuple[float, float]],
    within: tuple[float, float],
    texts: Sequence[_Rect] = (),
) -> list[_Rect]:
    """Return where each box's label stands: at its edge, inside the picture, over as little else as can be."""
    elements, taken, placed = _Grid(), _Grid(), list[_Rect]()
    for box in (*boxes, *texts):
        elements.add(box)
    for box, (width, height) in zip(boxes, sizes, strict=True):
        best: tuple[float, _Rect] | None = None
        for left, top in _places(box, width, height):
            left = min(max(left, 0.0), max(within[0] - 1 - width, 0.0))
            top = min(max(top, 0.0), max(within[1] - 1 - height, 0.0))
            label = (left, top, left + width, top + height)
            cost = _LABEL_WEIGHT * taken.overlap(label) + elements.overlap(label)
            if best is None or cost < best[0]:
                best = (cost, label)
            if cost == 0:
                break
        if best is not None:
            taken.add(best[1])
            placed.append(best[1])
    return placed


def _places(box: _Rect, width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield the places of a label: outside of its box first, then in its corners."""
    left, top, right, bottom = box
    yield left, top - height
    yield right - width, top - height
    yield left - width, top
    yield right, top
    yield left, bottom
    yield right - width, bottom
    yield left, top
    yield right - width, bottom - height


class _Grid:
    """Rectangles by the cells that they lie in, so that asking for overlaps looks at neighbours only."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[_Rect]] = {}

    def _of(self, rect: _Rect) -> Iterator[tuple[int, int]]:
        for column in range(int(rect[0] // _CELL), int(rect[2] // _CELL) + 1):
            for row in range(int(rect[1] // _CELL), int(rect[3] // _CELL) + 1):
                yield column, row

    def add(self, rect: _Rect) -> None:
        for cell in self._of(rect):
            self._cells.setdefault(cell, []).append(rect)

    def overlap(self, rect: _Rect) -> float:
        """Return the area that a rectangle shares with those that were added."""
        near = {other for cell in self._of(rect) for other in self._cells.get(cell, ())}
        return sum(
            max(min(rect[2], other[2]) - max(rect[0], other[0]), 0.0)
            * max(min(rect[3], other[3]) - max(rect[1], other[1]), 0.0)
            for other in near
        )


def _draw_box(draw: Any, rect: _Rect, colour: str, *, dashed: bool) -> None:
    if not dashed:
        draw.rectangle(rect, outline=colour, width=2)
        return
    left, top, right, bottom = (round(edge) for edge in rect)
    for start in range(left, right, 2 * _DASH):
        for edge in (top, bottom):
            draw.line((start, edge, min(start + _DASH, right), edge), fill=colour, width=2)
    for start in range(top, bottom, 2 * _DASH):
        for edge in (left, right):
            draw.line((edge, start, edge, min(start + _DASH, bottom)), fill=colour, width=2)


def _write_words(draw: Any, tree: Tree, font: Any) -> None:
    """Write the names of what is on the screen where it is."""
    for node in tree.nodes:
        if node.box is None or not node.onscreen or node.parent < 0 or not (words := visible(node.name)):
            continue
        columns = max(int(node.box.w / (_FONT_SIZE * 0.55)), 8)
        lines = textwrap.wrap(words, columns)[: max(int(node.box.h // (_FONT_SIZE + 3)), 1)]
        draw.text((node.box.x + 4, node.box.y + 3), "\n".join(lines), fill="black", font=font)
