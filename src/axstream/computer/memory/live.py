"""One element of a running scene: its states, its place in the tree, its motion. No behaviour here."""

from __future__ import annotations

from collections.abc import Iterator

from axstream.computer.memory.scene import Effects, Element, Tri

TEXT_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
#: Roles that Tab passes by: their group is reached by arrows.
NO_TAB_STOP = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio", "option"})
#: Roles that take the focus when they are clicked.
FOCUS_ROLES = (
    TEXT_ROLES | NO_TAB_STOP | frozenset({"button", "link", "checkbox", "radio", "switch", "combobox", "slider", "tab"})
)
WINDOW_ROLES = frozenset({"window", "dialog", "alertdialog"})
CHECK_ROLES = frozenset({"checkbox", "switch", "menuitemcheckbox"})
RADIO_ROLES = frozenset({"radio", "menuitemradio"})
OPENERS = frozenset({"button", "link", "menuitem", "combobox", "tab"})
CHOICE_ROLES = frozenset({"option", "tab", "treeitem"})


def tri(state: Tri | None) -> str:
    """Spell a three-valued state as nodes have it; absent is empty."""
    return "" if state is None else state if isinstance(state, str) else "true" if state else "false"


class Motion:
    """A way from where an element is to ``by`` further, over a time; with ``repeat`` again from the start, for ever."""

    def __init__(self, start: float, by: tuple[float, float], seconds: float, repeat: bool) -> None:
        self.start, self.by, self.seconds, self.repeat = start, by, seconds, repeat

    def share(self, now: float) -> float:
        """Return how much of the way is done, 0 to 1."""
        done = max(0.0, (now - self.start) / self.seconds)
        return done % 1.0 if self.repeat else min(done, 1.0)

    def running(self, now: float) -> bool:
        """Tell whether it still moves."""
        return self.repeat or now < self.start + self.seconds


class Live:
    """An element that is in the tree. ``number`` is what ``${n}`` means inside an appended item, 0 elsewhere."""

    def __init__(self, spec: Element, handle: str, parent: Live | None, now: float, number: int) -> None:
        self.spec = spec
        self.handle = handle
        self.parent = parent
        self.children: list[Live] = []
        self.number = number
        self.item: Live | None = None  # the root of the appended item that it belongs to
        self.id = spec.id
        self.role = spec.role
        self.name = spec.name
        self.description = spec.description
        self.placeholder = spec.placeholder
        self.value = spec.value
        self.url = spec.url
        self.shown = spec.shown
        self.appears_at = now + spec.appears_after_ms / 1000
        self.enabled = spec.enabled
        self.readonly = spec.readonly
        self.required = spec.required
        self.checked: Tri | None = spec.checked
        if self.checked is None and spec.role in CHECK_ROLES | RADIO_ROLES:
            self.checked = False
        self.pressed: Tri | None = spec.pressed
        self.expanded = spec.expanded
        self.selected = spec.selected
        self.modal = spec.modal
        self.order = 0  # when it was last raised or shown, for windows and what floats
        self.offset = (0.0, 0.0)  # how far its content is scrolled
        self.moved = (0.0, 0.0)  # by how much it was shifted for good
        self.motion: Motion | None = None
        self.pinned: tuple[float, float] | None = None  # a pop-up that was shown at the pointer
        self.caret = len(spec.value)
        self.all_selected = False
        self.page = ""  # of an element that browses: which load this is, and of what
        self.title = ""
        self.query = ""
        self.history: list[str] = []
        self.page_keys: dict[str, Effects] = {}

    @property
    def key(self) -> str:
        """What records and results call it: its id, else its handle."""
        return self.id or self.handle

    @property
    def takes_text(self) -> bool:
        """Tell whether characters can land in it."""
        return self.role in TEXT_ROLES and self.enabled and not self.readonly

    @property
    def focusable(self) -> bool:
        """Tell whether it can have the focus."""
        wanted = self.spec.focusable
        return self.enabled and (self.role in FOCUS_ROLES if wanted is None else wanted)

    @property
    def floats(self) -> bool:
        """Tell whether it lies over everything else while it is shown."""
        return self.spec.popup or self.modal

    @property
    def handles_keys(self) -> bool:
        """Tell whether it listens to any key, as a game's board does."""
        return "*" in self.spec.on_key

    @property
    def popup_child(self) -> Live | None:
        """The menu or list that a click on it opens; a window or group that a pop-up is written in opens none."""
        if self.role not in OPENERS:
            return None
        return next((child for child in self.children if child.spec.popup), None)

    def up(self) -> Iterator[Live]:
        """Yield it, then its ancestors up to the root."""
        current: Live | None = self
        while current is not None:
            yield current
            current = current.parent

    def walk(self) -> Iterator[Live]:
        """Yield it and all below it, in document order."""
        stack = [self]
        while stack:
            current = stack.pop()
            yield current
            stack.extend(reversed(current.children))

    def shift(self, now: float) -> tuple[float, float]:
        """Return by how much it lies away from its place in the scene."""
        x, y = self.moved
        if self.motion is not None:
            share = self.motion.share(now)
            x, y = x + self.motion.by[0] * share, y + self.motion.by[1] * share
        return (x, y)

    def moves(self, now: float) -> bool:
        """Tell whether it, or something that it is in, is moving now."""
        return any(live.motion is not None and live.motion.running(now) for live in self.up())

    def words(self) -> str:
        """Say it for messages: ``button "Save"``."""
        return f'{self.role} "{self.name}"' if self.name else self.role
