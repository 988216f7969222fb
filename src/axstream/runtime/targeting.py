"""Late resolution: a target against the live screen, waiting for what is not there yet (T2, T6, Z4, Z12, Z22).

Nothing is clicked and nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from axstream.ax.ids import IdBook
from axstream.ax.node import Node, Tree
from axstream.ax.resolve import Ambiguous, Found, Missing, exists, resolve
from axstream.computer.base import Computer, Focus, Purpose
from axstream.errors import TargetAmbiguous, TargetNotActionable, TargetNotFound
from axstream.spec.targets import Ax, PointTarget, Target, describe_target

RESOLVE_WAIT_S = 2.0  # T6
AMBIGUOUS_WAIT_S = 0.5  # two equals are often one leaving as the other comes; longer would only delay the answer
FIRST_POLL_S = 0.02  # then twice as long each time, so that a quick pop-up costs little and a slow one no load
LAST_POLL_S = 0.1
LEAST_SLEEP_S = 0.001  # a remainder of rounding must not be slept for again and again


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """A target as found on the live screen. ``node`` is None for a point over bare background."""

    target: Target
    node: Node | None

    @property
    def key(self) -> tuple[str, str, str] | None:
        """What must not change between a person's yes and the act (Z7): element, role, name."""
        return None if self.node is None else (self.node.handle, self.node.role, self.node.name)

    @property
    def look(self) -> tuple[str, str] | None:
        """Role and name: what an element that took another's place shares with it."""
        return None if self.node is None else (self.node.role, self.node.name)


class Targeting:
    """Finds targets on one computer. ``clock`` and ``sleep`` are seconds, injected so that tests own the time."""

    def __init__(
        self,
        computer: Computer,
        book: IdBook,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        wait: float = RESOLVE_WAIT_S,
    ) -> None:
        self._computer = computer
        self._book = book
        self._clock = clock
        self._sleep = sleep
        self.wait = wait

    async def locate(self, target: Target) -> Located:
        """Return the element or point that a target means now, waiting up to T6's time for it to appear.

        Raises TargetNotFound or TargetAmbiguous when the wait is over; TargetNotActionable for a point outside.
        """
        if isinstance(target, PointTarget):
            return Located(target=target, node=await self._hit(target))
        return Located(target=target, node=await self._find(target.ax))

    async def _hit(self, target: PointTarget) -> Node | None:
        width, height = await self._computer.surface()
        if not (0 <= target.x < width and 0 <= target.y < height):
            raise TargetNotActionable(
                f"the point {target.x:g},{target.y:g} is outside the screen; x goes from 0 to {width - 1:g}, y from 0 to {height - 1:g}"
            )
        return await self._computer.at(target.x, target.y)

    async def _find(self, ax: Ax) -> Node:
        started = self._clock()
        poll = FIRST_POLL_S
        while True:
            waited = self._clock() - started
            found = await self._look(ax, whole=waited >= self.wait)
            match found:
                case Found(node=node, immediate=True):
                    return node
                case Found(node=node):
                    if waited >= self.wait:
                        return node
                case Missing(message=message, final=final):
                    if final or waited >= self.wait:
                        raise TargetNotFound(message)
                case Ambiguous(message=message, immediate=immediate):
                    if waited >= (min(AMBIGUOUS_WAIT_S, self.wait) if immediate else self.wait):
                        raise TargetAmbiguous(message)
            await self._sleep(min(poll, max(self.wait - waited, LEAST_SLEEP_S)))
            poll = min(poll * 2, LAST_POLL_S)

    async def _look(self, ax: Ax, *, whole: bool) -> Found | Missing | Ambiguous:
        tree = await self._candidates(ax, whole=whole)
        found = resolve(tree, ax, self._book)
        if isinstance(found, Missing) and found.needs_whole and not tree.complete:
            found = resolve(await self._candidates(ax, whole=True), ax, self._book)
        return found

    async def _candidates(self, ax: Ax, *, whole: bool) -> Tree:
        known: list[str] = []
        step: Ax | None = ax
        while step is not None:
            issued = self._book.issued(step.id) if step.id is not None else None
            if issued is not None:
                known.append(issued.handle)
            step = step.within
        return await self._computer.candidates(ax, whole=whole, known=known)

    async def wait_for(self, target: Target, *, gone: bool, timeout: float, poll: float | None = None) -> str | None:
        """Wait until a target exists, or with ``gone`` until none is left (A5, N4, Z12).

        Looks at once, then again at least every ``poll`` seconds. Returns None when it holds, else one line that
        says what was seen instead.
        """
        started = self._clock()
        pause = FIRST_POLL_S
        while True:
            waited = self._clock() - started
            unmet = await self._unmet(target, gone=gone, last=waited >= timeout)
            if unmet is None:
                return None
            problem, final = unmet
            if final or waited >= timeout:
                return problem
            step = poll if poll is not None else pause
            await self._sleep(min(step, max(timeout - waited, LEAST_SLEEP_S)))
            pause = min(pause * 2, LAST_POLL_S)

    async def _unmet(self, target: Target, *, gone: bool, last: bool) -> tuple[str, bool] | None:
        """Say what is in the way now, and whether waiting is of no use; None where nothing is."""
        if isinstance(target, PointTarget):
            try:
                node = await self._hit(target)
            except TargetNotActionable as error:
                return None if gone else (str(error), True)
            if (node is None) == gone:
                return None
            return f"{describe_target(target)}: " + ("something is still there" if gone else "nothing is there"), False
        ax = target.ax
        tree = await self._candidates(ax, whole=last or gone)
        found = resolve(tree, ax, self._book)
        if isinstance(found, Missing) and found.needs_whole and not tree.complete:
            tree = await self._candidates(ax, whole=True)
            found = resolve(tree, ax, self._book)
        if isinstance(found, Missing) and found.final:
            return found.message, True  # an id that never was is not gone either (Z2)
        if exists(tree, ax, self._book, lower=last or gone, behind=gone) != gone:
            return None
        if gone:
            return f"{describe_target(target)} is still there", False
        return found.message if isinstance(found, Missing) else f"{describe_target(target)} is not there", False

    async def point_for(self, located: Located, purpose: Purpose, timeout: float) -> tuple[float, float]:
        """Return where to act on a located target, once it can be acted on (T7). Points are taken as they are."""
        if isinstance(located.target, PointTarget):
            return (located.target.x, located.target.y)
        if located.node is None:
            raise AssertionError("an element target was located without an element")
        return await self._computer.prepare(located.node.handle, purpose, timeout)

    async def focus_for_text(self) -> Focus:
        """Wait T6's time for a focus that takes text (Z18). Raises TargetNotActionable naming what has it."""
        started = self._clock()
        poll = FIRST_POLL_S
        while True:
            focus = await self._computer.focus()
            if focus.takes_text is not False or focus.handles_keys:
                return focus
            if self._clock() - started >= self.wait:
                raise TargetNotActionable(f"type: {_who(focus)}; give `type` a target, or click a text field first")
            await self._sleep(poll)
            poll = min(poll * 2, LAST_POLL_S)


def _who(focus: Focus) -> str:
    if focus.node is None:
        return "nothing has the focus"
    from_book = focus.node
    label = from_book.name or from_book.description or from_book.placeholder
    return (
        f"the focus is on {from_book.role}"
        + (f" {msgspec.json.encode(label[:80]).decode()}" if label else "")
        + ", which takes no text"
    )
