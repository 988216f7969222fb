"""Where everything is at one moment: boxes, clipping, what lies over what, hit-testing. It reads the desktop only."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from axstream.ax.node import Box
from axstream.computer.memory.live import TEXT_ROLES, WINDOW_ROLES, Live

GAP = 8.0  # between what a container lines up, and around it
LETTER = 8.0  # how wide a letter counts for elements without a box
LINE = 28.0  # how high a control without a box is
WINDOW_SIZE = (640.0, 480.0)  # of a window that gives none
PLAIN = frozenset({"text", "heading", "img", "tooltip", "status", "alert", "progressbar"})


class Layout:
    """The geometry of one moment. ``paint`` is in the order of painting: the last box that holds a point is hit."""

    def __init__(
        self,
        roots: Iterable[Live],
        width: float,
        height: float,
        now: float,
        visible: Callable[[Live], bool],
    ) -> None:
        self.surface = Box(0.0, 0.0, width, height)
        self.now = now
        self.boxes: dict[str, Box] = {}
        self.clips: dict[str, Box | None] = {}
        self.paint: list[Live] = []
        self._visible = visible
        self._sizes: dict[str, tuple[float, float]] = {}
        self._floating: list[Live] = []
        cascade = 0
        painted: list[Live] = []
        for root in roots:
            if not visible(root):
                continue
            if root.spec.box is None and root.role in WINDOW_ROLES:
                x = y = 40.0 + 40.0 * cascade
                cascade += 1
            else:
                x, y = (root.spec.box or (0.0, 0.0))[:2]
            self._place(root, x, y, self.surface)
            painted.append(root)
        painted.sort(key=lambda live: (live.role in WINDOW_ROLES, live.order))
        for root in painted:
            if not root.floats:
                self._layer(root)
        self._floating += [root for root in painted if root.floats and root not in self._floating]
        for live in sorted(self._floating, key=lambda live: live.order):
            self._layer(live)

    def _layer(self, top: Live) -> None:
        stack = [top]
        while stack:
            live = stack.pop()
            self.paint.append(live)
            for child in reversed(live.children):
                if child.handle in self.boxes and not child.floats:
                    stack.append(child)

    def _size(self, live: Live) -> tuple[float, float]:
        known = self._sizes.get(live.handle)
        if known is None:
            known = live.spec.box[2:] if live.spec.box is not None else self._natural(live)
            self._sizes[live.handle] = known
        return known

    def _natural(self, live: Live) -> tuple[float, float]:
        if live.role in TEXT_ROLES or live.role == "combobox":
            return (320.0, 120.0) if live.spec.multiline else (200.0, LINE)
        inside = [self._size(child) for child in self._flowing(live)]
        if inside or (live.children and live.role not in ("button", "menuitem")):
            across = max((w for w, _ in inside), default=0.0)
            down = max((h for _, h in inside), default=0.0)
            if live.spec.row:
                across = sum(w for w, _ in inside) + GAP * max(0, len(inside) - 1)
            else:
                down = sum(h for _, h in inside) + GAP * max(0, len(inside) - 1)
            return (across + 2 * GAP, down + 2 * GAP)
        if live.role in WINDOW_ROLES:
            return WINDOW_SIZE
        if live.role in PLAIN:
            return (max(LETTER, LETTER * len(live.name)), 20.0)
        return (max(60.0, LETTER * len(live.name) + 24.0), LINE)

    def _flowing(self, live: Live) -> list[Live]:
        return [c for c in live.children if c.spec.box is None and not c.spec.popup and self._visible(c)]

    def _place(self, live: Live, x: float, y: float, clip: Box | None) -> None:
        width, height = self._size(live)
        dx, dy = live.shift(self.now)
        if live.pinned is not None:
            x, y = live.pinned
        box = Box(x + dx, y + dy, width, height)
        self.boxes[live.handle] = box
        if live.floats:
            clip = self.surface
            self._floating.append(live)
        self.clips[live.handle] = overlap(box, clip)
        inner = overlap(box, clip) if live.spec.scrolls or live.role in WINDOW_ROLES else clip
        left, top = box.x - live.offset[0], box.y - live.offset[1]
        across = down = GAP
        flowing = set(map(id, self._flowing(live)))
        for child in live.children:
            if not self._visible(child):
                continue
            if child.spec.box is not None:
                self._place(child, left + child.spec.box[0], top + child.spec.box[1], inner)
            elif id(child) in flowing:
                self._place(child, left + across, top + down, inner)
                if live.spec.row:
                    across += self._size(child)[0] + GAP
                else:
                    down += self._size(child)[1] + GAP
            else:  # a pop-up without a box hangs below its opener
                self._place(child, box.x, box.y + box.h, inner)

    def visible_part(self, live: Live) -> Box | None:
        """Return what of its box lies inside the surface and everything that clips it; None where nothing does."""
        return self.clips.get(live.handle)

    def hit(self, x: float, y: float) -> Live | None:
        """Return the topmost element at a point; under a modal dialog, everything outside it is the dialog."""
        for live in reversed(self.paint):
            clip = self.clips[live.handle]
            if clip is not None and clip.contains(x, y) and not live.spec.passes_clicks:
                return live
            if live.modal and self.surface.contains(x, y):
                return live
        return None

    def content(self, live: Live) -> tuple[float, float]:
        """Return the size of what scrolls inside an element."""
        if live.spec.content is not None:
            return live.spec.content
        box = self.boxes[live.handle]
        right, bottom = box.w, box.h
        for child in live.children:
            inside = self.boxes.get(child.handle)
            if inside is not None and not child.floats:
                right = max(right, inside.x + inside.w - box.x + live.offset[0] + GAP)
                bottom = max(bottom, inside.y + inside.h - box.y + live.offset[1] + GAP)
        return (right, bottom)

    def room(self, live: Live) -> tuple[float, float]:
        """Return how far an element's content can be scrolled, to the right and down."""
        box, (width, height) = self.boxes[live.handle], self.content(live)
        return (max(0.0, width - box.w), max(0.0, height - box.h))


def overlap(box: Box, other: Box | None) -> Box | None:
    """Return what two boxes share; None where they share nothing."""
    if other is None:
        return None
    left, top = max(box.x, other.x), max(box.y, other.y)
    right, bottom = min(box.x + box.w, other.x + other.w), min(box.y + box.h, other.y + other.h)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None
