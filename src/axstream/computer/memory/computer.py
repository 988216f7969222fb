"""``MemoryComputer``: the scene as a ``Computer``, with what it received and ways to change it from outside.

Time comes from its clock alone. How input is delivered is in ``acts``.
"""

from __future__ import annotations

from collections.abc import Sequence

from axstream.ax.narrowing import may_matter, part_of
from axstream.ax.node import Node, Tree
from axstream.ax.roles import canonical_role, same_family
from axstream.computer.base import Command, Effect, Focus, Purpose
from axstream.computer.memory import keyboard
from axstream.computer.memory.acts import Hands
from axstream.computer.memory.check import check_scene
from axstream.computer.memory.clock import Clock, RealClock
from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.effects import go, shift
from axstream.computer.memory.live import Live
from axstream.computer.memory.pages import view_of
from axstream.computer.memory.ready import make_ready
from axstream.computer.memory.records import Input
from axstream.computer.memory.scene import Element, Scene, Shift
from axstream.computer.memory.snapshot import node_of, tree_of
from axstream.errors import Disconnected
from axstream.spec.targets import Ax


class MemoryComputer:
    """A small desktop made of values. ``inputs`` is everything that it received, ``pressed`` what is down now."""

    kind = "memory"

    def __init__(
        self, scene: Scene, *, clock: Clock | None = None, action_ms: float | None = None, key_ms: float | None = None
    ) -> None:
        check_scene(scene)
        self.scene = scene
        self.clock: Clock = clock or RealClock()
        self.desktop = Desktop(scene)
        self._hands = Hands(
            self.desktop,
            self.clock,
            scene.action_ms if action_ms is None else action_ms,
            scene.key_ms if key_ms is None else key_ms,
        )
        self.has_applications = bool(scene.apps)
        self.opens_urls = view_of(self.desktop, None) is not None
        self._open = False
        for view in [live for live in self.desktop.all() if live.spec.browse and live.url]:
            go(self.desktop, view, view.url)

    # What tests read

    @property
    def inputs(self) -> Sequence[Input]:
        """Everything that it received, in order."""
        return tuple(self.desktop.inputs)

    @property
    def pressed(self) -> frozenset[str]:
        """The keys and buttons that are down now."""
        return frozenset(self.desktop.pressed)

    @property
    def counts(self) -> dict[str, int]:
        """What the scene counted (``count``)."""
        return dict(self.desktop.counts)

    @property
    def records(self) -> dict[str, tuple[str, ...]]:
        """What the scene wrote down (``record``), by list."""
        return {name: tuple(texts) for name, texts in self.desktop.records.items()}

    def value(self, key: str) -> str:
        """Return an element's value by its id or handle; a password's too."""
        return self._live(key).value

    def node(self, key: str) -> Node:
        """Return an element as it is now, by its id or handle."""
        self._hands.now()
        return node_of(self.desktop, self._live(key))

    def offset(self, key: str) -> tuple[float, float]:
        """Return how far an element's content is scrolled, in pixels right and down."""
        return self._live(key).offset

    def exists(self, key: str) -> bool:
        """Tell whether there is an element with this id or handle, shown or not."""
        return self.desktop.find(key) is not None or key in self.desktop.by_handle

    # What tests change behind the model's back

    def move(self, key: str, dx: float, dy: float) -> None:
        """Shift an element by pixels, at once."""
        self._hands.now()
        shift(self.desktop, self._live(key), Shift(id=key, by=(dx, dy)))

    def remove(self, key: str) -> None:
        """Take an element away."""
        self.desktop.remove(self._live(key))

    def rename(self, key: str, name: str) -> None:
        """Call an element something else; it stays the same element."""
        self._live(key).name = name
        self.desktop.changes += 1

    def replace(self, key: str) -> str:
        """Put another element of the same look in an element's place; returns the new handle."""
        self._hands.now()
        old = self._live(key)
        siblings = self.desktop.roots if old.parent is None else old.parent.children
        place = siblings.index(old)
        new = self.desktop.make(old.spec, old.parent)
        for name in ("id", "name", "description", "value", "shown", "enabled", "checked", "selected", "moved"):
            setattr(new, name, getattr(old, name))
        siblings.insert(place, siblings.pop())
        self.desktop.remove(old)
        return new.handle

    def add(self, to: str | None, item: Element, *, first: bool = False) -> str:
        """Add an element to a container, or to the bare screen; returns its handle."""
        self._hands.now()
        parent = None if to is None else self._live(to)
        return self.desktop.make(item, parent, first=first).handle

    def set(self, key: str, **states: str | bool | None) -> None:
        """Set states of an element by name: ``shown``, ``enabled``, ``value``, ``checked``, ``selected``..."""
        live = self._live(key)
        for name, state in states.items():
            if name not in ("shown", "enabled", "value", "description", "checked", "selected", "readonly", "expanded"):
                raise AttributeError(f"an element has no state {name!r} that can be set")
            setattr(live, name, state)
        live.caret = len(live.value)
        self.desktop.changes += 1

    # The Computer protocol

    async def __aenter__(self) -> MemoryComputer:
        """Start the scene's time."""
        if self._hands.started is None:
            self._hands.started = self.clock.now()
        self._open = True
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Let go of everything."""
        self._hands.let_go()
        self._open = False

    async def observe(self) -> Tree:
        """Return the whole screen, once no page is loading and nothing is on its way to a rest; a second at most."""
        self._check_open()
        await self._hands.settle(motions=True)
        return tree_of(self.desktop)

    async def candidates(self, ax: Ax, *, whole: bool = False, known: Sequence[str] = ()) -> Tree:
        """Return the whole screen, or without a title and place only what is of the wanted role's family."""
        self._check_open()
        tree = tree_of(self.desktop)
        if whole or ax.role is None or ax.title is not None or ax.id is not None or ax.within is not None:
            return tree
        return narrow(tree, ax.role)

    async def focus(self) -> Focus:
        """Say what has the focus; a scene always knows whether it takes text."""
        self._check_open()
        live = self.desktop.focused()
        listens = keyboard.listens(self.desktop)
        if live is None:
            return Focus(node=None, takes_text=False, handles_keys=listens)
        return Focus(node=node_of(self.desktop, live), takes_text=live.takes_text, handles_keys=listens)

    async def at(self, x: float, y: float) -> Node | None:
        """Return the topmost element at a point; under a modal dialog that is the dialog, wherever."""
        self._check_open()
        hit = self.desktop.layout().hit(x, y)
        return None if hit is None else node_of(self.desktop, hit)

    async def surface(self) -> tuple[float, float]:
        """Return the scene's size."""
        return (self.scene.width, self.scene.height)

    async def prepare(self, handle: str, purpose: Purpose, timeout: float) -> tuple[float, float]:
        """Wait on the scene's clock until an element can be acted on (T7, Z17)."""
        self._check_open()
        return await make_ready(self.desktop, self.clock, self._hands.now, handle, purpose, timeout)

    async def applications(self) -> tuple[str, ...]:
        """Return the names of the scene's applications."""
        return tuple(app.name for app in self.scene.apps)

    async def perform(self, command: Command) -> Effect:
        """Deliver input; every step on the way is a point where it can be cancelled, with all input let go."""
        self._check_open()
        return await self._hands.perform(command)

    async def release_all(self) -> None:
        """Let go of every key and button."""
        self._hands.let_go()

    def _check_open(self) -> None:
        if not self._open:
            raise Disconnected("the memory computer is not running: open it with `async with`")
        self._hands.now()

    def _live(self, key: str) -> Live:
        live = self.desktop.find(key) or self.desktop.by_handle.get(key)
        if live is None:
            raise KeyError(key)
        return live


def narrow(tree: Tree, role: str) -> Tree:
    """Keep what is of a role's family, its labels, and what ranking always needs, with all their ancestors."""
    wanted = canonical_role(role)
    handles = {node.handle for node in tree.nodes if same_family(wanted, node.role)}
    kept = may_matter(tree, Ax(role=role))
    kept |= {index for index, node in enumerate(tree.nodes) if node.handle in handles or node.label_for in handles}
    return tree if len(kept) == len(tree.nodes) else part_of(tree, kept)
