"""The state of a running scene: its elements, focus, windows' order, what is due later. Input comes from elsewhere.

All changes of a scene go through these few verbs (``make``, ``remove``, ``show``, ``hide``, ``focus_on``, ...), so that
``changes`` counts them and an act can tell whether anything happened.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator

from axstream.computer.memory.layout import Layout
from axstream.computer.memory.live import NO_TAB_STOP, WINDOW_ROLES, Live
from axstream.computer.memory.records import Input
from axstream.computer.memory.scene import Element, Scene


class Desktop:
    """One running scene. Time is handed in by ``advance``, in seconds since the start; nothing here waits."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.now = 0.0
        self.roots: list[Live] = []
        self.by_handle: dict[str, Live] = {}
        self.focus: Live | None = None
        self.pointer = (scene.width / 2, scene.height / 2)
        self.under: tuple[str, ...] = ()  # handles under the pointer, for hovering
        self.pressed: list[str] = []
        self.inputs: list[Input] = []
        self.counts: Counter[str] = Counter()
        self.records: dict[str, list[str]] = {}
        self.notes: list[str] = []
        self.clipboard = ""
        self.changes = 0
        self.loading = 0  # pages on their way
        self._handles = self._orders = self._numbers = self._due_count = 0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._restore: dict[str, Live | None] = {}
        self._layout: tuple[int, float, Layout] | None = None
        for spec in scene.screen:
            self.make(spec, None)

    # Time

    def advance(self, now: float) -> None:
        """Let everything happen that was due until then, in order."""
        while self._due and self._due[0][0] <= now:
            at, _, happen = heapq.heappop(self._due)
            self.now = max(self.now, at)
            happen()
        self.now = max(self.now, now)

    def later(self, seconds: float, happen: Callable[[], None]) -> None:
        """Do it after some time. To plan something counts as a change: the act did something."""
        self._due_count += 1
        self.changes += 1
        heapq.heappush(self._due, (self.now + seconds, self._due_count, happen))

    # Elements

    def new_number(self) -> int:
        """Return a number that no event and no appended item had before."""
        self._numbers += 1
        return self._numbers

    def make(
        self, spec: Element, parent: Live | None, *, number: int = 0, item: Live | None = None, first: bool = False
    ) -> Live:
        """Add an element and all below it, with handles that were never used."""
        self._handles += 1
        live = Live(spec, f"m{self._handles}", parent, self.now, number)
        live.item = item
        self.by_handle[live.handle] = live
        siblings = self.roots if parent is None else parent.children
        siblings.insert(0 if first else len(siblings), live)
        self._orders += 1
        live.order = self._orders
        for child in spec.children:
            self.make(child, live, number=number, item=item)
        if spec.options and live.popup_child is None:
            options = tuple(
                Element(role="option", name=text, selected=text == spec.value, focusable=False) for text in spec.options
            )
            listing = Element(role="listbox", name=spec.name, popup=True, shown=False, children=options)
            self.make(listing, live, number=number, item=item)
        self.changes += 1
        return live

    def remove(self, live: Live) -> None:
        """Take an element and all below it away; their handles are dead for good."""
        self.leave(live)
        (self.roots if live.parent is None else live.parent.children).remove(live)
        for gone in live.walk():
            self.by_handle.pop(gone.handle, None)
        self.changes += 1

    def all(self) -> Iterator[Live]:
        """Yield every element, shown or not, in document order."""
        for root in self.roots:
            yield from root.walk()

    def find(self, wanted: str) -> Live | None:
        """Return the element with an id; the first of several."""
        return next((live for live in self.all() if live.id == wanted), None)

    def visible(self, live: Live) -> bool:
        """Tell whether it is there for a person: shown, appeared, and so all that it is in."""
        return all(one.shown and one.appears_at <= self.now for one in live.up())

    def layout(self) -> Layout:
        """Return where everything is now."""
        if self._layout is None or self._layout[:2] != (self.changes, self.now):
            layout = Layout(self.roots, self.scene.width, self.scene.height, self.now, self.visible)
            self._layout = (self.changes, self.now, layout)
        return self._layout[2]

    # Windows and what floats

    def windows(self) -> list[Live]:
        """Return the windows that are shown, the topmost last."""
        shown = [live for live in self.roots if live.role in WINDOW_ROLES and self.visible(live)]
        return sorted(shown, key=lambda live: live.order)

    def floating(self) -> list[Live]:
        """Return the dialogs and pop-ups that are shown, the topmost last."""
        shown = [live for live in self.all() if live.floats and self.visible(live)]
        return sorted(shown, key=lambda live: live.order)

    def modal(self) -> Live | None:
        """Return the dialog that has all the input, if one is open."""
        return next((live for live in reversed(self.floating()) if live.modal), None)

    def active(self) -> Live | None:
        """Return the dialog or window that keys belong to."""
        windows = self.windows()
        return self.modal() or (windows[-1] if windows else None)

    def window_of(self, live: Live) -> Live:
        """Return the window that an element is in; for what lies on the bare desktop, its root."""
        return list(live.up())[-1]

    def bring_up(self, live: Live) -> None:
        """Put the window that an element is in above the others."""
        root = self.window_of(live)
        if root.role in WINDOW_ROLES and self.windows()[-1:] != [root]:
            self._orders += 1
            root.order = self._orders
            self.changes += 1

    def show(self, live: Live, at: tuple[float, float] | None = None) -> None:
        """Show an element; a dialog, and whatever holds an ``autofocus``, takes the focus."""
        was = self.visible(live)
        live.shown = True
        live.pinned = at
        self._orders += 1
        live.order = self._orders
        self.changes += 1
        if was:
            return
        if live.floats or live.role in WINDOW_ROLES:
            self._restore[live.handle] = self.focus
        wanted = next((one for one in live.walk() if one.spec.autofocus), None)
        if wanted is None and live.modal:
            wanted = next(iter(self.tab_stops(live)), None)
            if wanted is None:
                self.focus_on(None)
        if wanted is not None:
            self.focus_on(wanted)

    def hide(self, live: Live) -> None:
        """Hide an element; the focus goes back to what had it before."""
        if live.shown:
            live.shown = False
            self.changes += 1
            self.leave(live)

    def leave(self, live: Live) -> None:
        """Take the focus out of an element that goes away."""
        back = self._restore.pop(live.handle, None)
        if self.focus is not None and live in self.focus.up():
            alive = back is not None and back.handle in self.by_handle and self.visible(back)
            self.focus_on(back if alive else None)

    def close_popups(self, keep: Live | None = None) -> bool:
        """Close every pop-up but those that an element is in, or that it opened itself; tell whether one closed."""
        kept = set() if keep is None else {one.handle for one in keep.up()}
        closed = False
        for live in self.floating():
            opener = live.parent if live.parent is not None and live.parent.popup_child is live else None
            if live.spec.popup and live.handle not in kept and (opener is None or opener.handle not in kept):
                self.hide(live)
                closed = True
        return closed

    # Focus

    def focus_on(self, live: Live | None) -> None:
        """Give the focus to an element, its caret at the end of its text."""
        if live is not self.focus:
            self.changes += 1
        self.focus = live
        if live is not None:
            live.caret = len(live.value)
            live.all_selected = False

    def focused(self) -> Live | None:
        """Return what has the focus; what is hidden, disabled or shut out by a dialog has it no longer."""
        live = self.focus
        if live is None or live.handle not in self.by_handle or not self.visible(live) or not live.enabled:
            return None
        modal = self.modal()
        if modal is not None and modal not in live.up() and not any(one.spec.popup for one in live.up()):
            return None
        return live

    def tab_stops(self, scope: Live) -> list[Live]:
        """Return what Tab goes through inside an element, in document order."""
        return [
            live
            for live in scope.walk()
            if live.focusable and live.role not in NO_TAB_STOP and self.visible(live) and (live is not scope)
        ]
