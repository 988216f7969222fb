"""The ``Computer`` protocol: what a backend must do, and the values that pass through it. No backend lives here.

The resolver decides, backends narrow: a backend never ranks, guesses or retries on its own. All points are logical
pixels of the surface (A8), all times seconds unless a name says ``ms``. Every method is bounded in time and raises
``ComputerError`` where the platform failed, ``ActionError`` where the model can mend it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from axstream.ax.node import Node, Tree
from axstream.spec.actions import Direction
from axstream.spec.targets import Ax

Button = Literal["left", "right"]
#: What a pointer act needs of its element (T7, Z17): ``move`` needs no enabled, ``drop`` is the end of a drag.
Purpose = Literal["click", "type", "move", "drag", "drop"]


class ClickAt(msgspec.Struct, frozen=True, kw_only=True):
    """Press and release at a point. ``handle`` is the element meant, None for a bare point."""

    x: float
    y: float
    button: Button = "left"
    count: int = 1
    handle: str | None = None


class MoveTo(msgspec.Struct, frozen=True, kw_only=True):
    """Move the pointer to a point."""

    x: float
    y: float
    handle: str | None = None


class DragTo(msgspec.Struct, frozen=True, kw_only=True):
    """Press at (x, y), move in steps, release at (to_x, to_y), whatever happens (A7)."""

    x: float
    y: float
    to_x: float
    to_y: float


class TypeText(msgspec.Struct, frozen=True, kw_only=True):
    """Type into what has the focus now: LF is Enter, TAB is Tab, all else arrives as itself (A1).

    With ``clear`` what stood in the field goes first. ``handle`` names the element that must have the focus, None
    where no element was named.
    """

    text: str
    clear: bool = False
    handle: str | None = None


class PressKeys(msgspec.Struct, frozen=True, kw_only=True):
    """One press: canonical modifier names, then one key name or one character (A2, Z15)."""

    modifiers: tuple[str, ...]
    key: str


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """Turn the wheel where the pointer is (A3)."""

    direction: Direction
    clicks: int


class OpenUrl(msgspec.Struct, frozen=True, kw_only=True):
    """Show a URL, already checked against the allowed schemes (A6)."""

    url: str


class OpenApp(msgspec.Struct, frozen=True, kw_only=True):
    """Start or raise an installed application, by its exact name out of ``applications()``."""

    name: str


Command = ClickAt | MoveTo | DragTo | TypeText | PressKeys | Wheel | OpenUrl | OpenApp


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an act did, as far as the computer can tell. ``summary`` is a few words for a person and the model.

    ``moved`` is False where the backend knows that nothing moved or changed (A3), None where it cannot tell.
    ``notes`` name side effects: a tab that opened, a dialog that appeared (Z16).
    """

    summary: str = ""
    moved: bool | None = None
    notes: tuple[str, ...] = ()


class Focus(msgspec.Struct, frozen=True, kw_only=True):
    """What keys would reach now. ``takes_text`` is None where the platform cannot tell (A1, Z18)."""

    node: Node | None
    takes_text: bool | None
    handles_keys: bool = False  # the page or application listens to keys without a focused field


@runtime_checkable
class Computer(Protocol):
    """A screen, pointer and keyboard. One action at a time; opened with ``async with``.

    ``kind`` is the registered name (``memory``, ``browser``). ``has_applications`` is False where ``open`` knows URLs
    only (A6). ``opens_urls`` is False where there is nothing to show a URL with.
    """

    kind: str
    has_applications: bool
    opens_urls: bool

    async def __aenter__(self) -> Computer:
        """Start or attach; cheap if already started."""

    async def __aexit__(self, *exc: object) -> None:
        """Release all input, leave nothing behind that this object started."""

    async def observe(self) -> Tree:
        """Return the screen, once it has settled (O7); bounded. What is off the screen may be only counted (``more``)."""

    async def candidates(self, ax: Ax, *, whole: bool = False, known: Sequence[str] = ()) -> Tree:
        """Return, at once, a superset of what may match on the live screen, ancestors included (``ax.narrowing``).

        It always holds the windows, documents, modals and pop-ups that are open, since ranking needs them. With
        ``whole`` the whole tree is wanted: the edit-distance rank (Z27), or a search by an id's fingerprint.
        ``known`` are the handles that the ids in the target were given for: each is there, if it lives, with the row
        around it.
        """

    async def focus(self) -> Focus:
        """Say what has the keyboard focus now."""

    async def at(self, x: float, y: float) -> Node | None:
        """Hit-test a point: the element that a click there would reach (Z22), None for bare background."""

    async def surface(self) -> tuple[float, float]:
        """Return width and height of the surface in logical pixels, for bounds checks (Z22)."""

    async def prepare(self, handle: str, purpose: Purpose, timeout: float) -> tuple[float, float]:
        """Bring an element to where it can be acted on, and return the point to act at (T7, Z17).

        Waits at most ``timeout`` seconds for: attached, enabled (unless ``move``/``drop``), scrolled into view, at
        rest, not covered. Raises ``TargetNotActionable`` that says what is in the way, ``TargetNotFound`` where the
        element went away.
        """

    async def applications(self) -> tuple[str, ...]:
        """Return the names that ``open`` may start; empty where ``has_applications`` is False."""

    async def perform(self, command: Command) -> Effect:
        """Deliver the input; returns when it is delivered and no navigation that it began is pending (Z4).

        On cancellation, whatever it pressed is up again before the cancellation goes on (E5).
        """

    async def release_all(self) -> None:
        """Let go of every key and button that is still down. Never raises for what is already up (E5)."""


class Offered(Protocol):
    """The files that may be given to a page, by name, and how many more there are."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names that ``GivenFiles.find`` takes."""

    @property
    def more(self) -> int:
        """How many there are besides."""


class GivenFiles(Protocol):
    """Which files may be given to a page: a policy's decision, handed down (``axstream.policy.Uploads``)."""

    def listed(self, *, folders: bool) -> Offered:
        """Return what may be given: files, or with ``folders`` folders."""

    def find(self, name: str, *, folders: bool) -> str:
        """Return the resolved path of a file that may be given. Raises ActionError for one that may not."""


@runtime_checkable
class TakesFiles(Protocol):
    """What a computer may offer beside ``Computer``: it gives files to what it shows, those that it is told of only."""

    def allow_uploads(self, files: GivenFiles) -> None:
        """Take the files that may be given from now on; until then none may."""


@runtime_checkable
class Sees(Protocol):
    """What a computer may offer beside ``Computer``: a picture of its surface."""

    async def screenshot(self) -> bytes:
        """Return what is on the surface now as PNG, one pixel a logical pixel (A8); bounded.

        Raises ``Unsupported`` where no picture can be taken at the moment, saying why.
        """
