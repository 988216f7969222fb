"""Input delivered to a scene over time: each command step by step, and everything let go again (E5).

Every press is let go in a ``finally`` that awaits nothing, so that no cancellation can come between a press and its
release. What a press means to the scene is in ``pointer`` and ``keyboard``.
"""

from __future__ import annotations

from typing import assert_never

import anyio.lowlevel

from axstream.computer.base import (
    ClickAt,
    Command,
    DragTo,
    Effect,
    MoveTo,
    OpenApp,
    OpenUrl,
    PressKeys,
    TypeText,
    Wheel,
)
from axstream.computer.memory import keyboard, pointer
from axstream.computer.memory.clock import Clock
from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.effects import go, open_app
from axstream.computer.memory.live import WINDOW_ROLES, Live
from axstream.computer.memory.pages import view_of
from axstream.computer.memory.ready import FRAME
from axstream.computer.memory.records import AppOpened, KeyDown, KeyUp, UrlOpened
from axstream.errors import ActionUnsupported, TargetNotActionable, TargetNotFound
from axstream.spec.actions import Direction

DRAG_STEPS = 10  # pointer moves between press and release: enough for anything that watches a drag
SETTLE = 1.0  # seconds that an act or an observation waits for pages and motions (Z4, O7)
NOTABLE = WINDOW_ROLES | frozenset({"alert", "tooltip"})  # whose appearing an effect names; so are pop-ups (Z16)
_END: dict[Direction, str] = {
    "up": "at the top",
    "down": "at the bottom",
    "left": "on the left",
    "right": "on the right",
}


class Hands:
    """What holds the pointer and the keyboard. ``action_ms`` and ``key_ms`` are how long an act and a key take."""

    def __init__(self, desktop: Desktop, clock: Clock, action_ms: float, key_ms: float) -> None:
        self.desktop = desktop
        self.clock = clock
        self.action_ms = action_ms
        self.key_ms = key_ms
        self.started: float | None = None  # when the scene's time began, on the clock

    async def perform(self, command: Command) -> Effect:
        """Deliver input; every step on the way is a point where it can be cancelled."""
        desktop = self.desktop
        desktop.notes.clear()
        before, notable = desktop.changes, self._notable()
        match command:
            case ClickAt():
                effect = await self._click(command)
            case MoveTo():
                effect = await self._move(command)
            case DragTo():
                effect = await self._drag(command)
            case TypeText():
                effect = await self._type(command)
            case PressKeys():
                effect = await self._keys(command)
            case Wheel():
                effect = await self._wheel(command)
            case OpenUrl():
                effect = await self._open_url(command)
            case OpenApp():
                effect = await self._open_app(command)
            case _:
                assert_never(command)
        await self.settle(motions=False)
        opened = f'window "{command.name}"' if isinstance(command, OpenApp) else ""  # the summary says so already
        new = [words for handle, words in self._notable().items() if handle not in notable and words != opened]
        moved = effect.moved
        if moved is None and isinstance(command, ClickAt | PressKeys):
            moved = desktop.changes != before
        summary = effect.summary
        if moved is False and not isinstance(command, Wheel):
            summary += "; nothing changed"
        return Effect(summary=summary, moved=moved, notes=(*desktop.notes, *(f"{words} appeared" for words in new)))

    # Acts

    async def _click(self, command: ClickAt) -> Effect:
        self._check_inside(command.x, command.y)
        pointer.point_at(self.desktop, command.x, command.y)
        words = self._words_at(command.x, command.y)
        for count in range(1, command.count + 1):
            down = pointer.press(self.desktop, command.button)
            try:
                await self._step(self.action_ms / command.count)
            finally:
                pointer.release(self.desktop, down, count)
        verb = {1: "clicked", 2: "double-clicked"}.get(command.count, f"clicked {command.count} times")
        return Effect(summary=f"{'right-clicked' if command.button == 'right' else verb} {words}")

    async def _move(self, command: MoveTo) -> Effect:
        self._check_inside(command.x, command.y)
        pointer.point_at(self.desktop, command.x, command.y)
        await self._step(self.action_ms)
        return Effect(summary=f"moved the pointer to {self._words_at(command.x, command.y)}")

    async def _drag(self, command: DragTo) -> Effect:
        self._check_inside(command.x, command.y)
        self._check_inside(command.to_x, command.to_y)
        pointer.point_at(self.desktop, command.x, command.y)
        start, end = self._words_at(command.x, command.y), self._words_at(command.to_x, command.to_y)
        outcome = ""
        down = pointer.press(self.desktop, "left")
        try:
            for step in range(1, DRAG_STEPS + 1):
                await self._step(self.action_ms / DRAG_STEPS)
                share = step / DRAG_STEPS
                x = command.x + (command.to_x - command.x) * share
                y = command.y + (command.to_y - command.y) * share
                pointer.point_at(self.desktop, x, y)
            await self._step(0)
        finally:
            outcome = pointer.release(self.desktop, down)
        dropped = outcome == "dropped"
        said = "" if dropped else "; nothing took the drop"
        return Effect(summary=f"dragged {start} to {end}{said}", moved=True if dropped else None)

    async def _type(self, command: TypeText) -> Effect:
        self._check_focus(command)
        field = self.desktop.focused()
        if command.clear and field is not None:
            await self._press(("ctrl",), "a")
            await self._press((), "delete")
        text = command.text.replace("\r\n", "\n")
        landed = 0
        for char in text:
            focus = self.desktop.focused()
            if char not in "\n\t" and not self._takes(focus):
                where = (
                    "nothing has the focus"
                    if focus is None
                    else f"the focus is on {focus.words()}, which takes no text"
                )
                raise TargetNotActionable(f"{landed} of {len(text)} characters were typed and stay; now {where}")
            await self._press((), {"\n": "enter", "\t": "tab", " ": "space"}.get(char, char))
            landed += 1
        into = "" if field is None else f" into {field.words()}"
        return Effect(summary=f"typed {landed} character{'' if landed == 1 else 's'}{into}")

    async def _keys(self, command: PressKeys) -> Effect:
        answered = await self._press(command.modifiers, command.key)
        pressed = keyboard.spell(command.modifiers, command.key)
        return Effect(summary=f"pressed {pressed}", moved=None if answered else False)

    async def _wheel(self, command: Wheel) -> Effect:
        holder, moved = pointer.wheel(self.desktop, command.direction, command.clicks)
        await self._step(self.action_ms)
        if holder is None:
            return Effect(summary="nothing moved: nothing under the pointer scrolls", moved=False)
        if not moved:
            return Effect(
                summary=f"nothing moved: {holder.words()} is at its end {_END[command.direction]}", moved=False
            )
        return Effect(summary=f"scrolled {holder.words()} {command.direction} by {command.clicks}", moved=True)

    async def _open_url(self, command: OpenUrl) -> Effect:
        view = view_of(self.desktop, None)
        if view is None:
            raise ActionUnsupported(f"this computer has nothing to show {command.url} with")
        self.desktop.inputs.append(UrlOpened(t=self.desktop.now, url=command.url))
        window = self.desktop.window_of(view)
        self.desktop.show(window) if not self.desktop.visible(window) else self.desktop.bring_up(window)
        go(self.desktop, view, command.url)
        await self._step(self.action_ms)
        return Effect(summary=f"opened {command.url}", moved=True)

    async def _open_app(self, command: OpenApp) -> Effect:
        if not self.desktop.scene.apps:
            raise ActionUnsupported("this computer has no applications")
        self.desktop.inputs.append(AppOpened(t=self.desktop.now, name=command.name))
        if not open_app(self.desktop, command.name):
            names = ", ".join(app.name for app in self.desktop.scene.apps)
            raise TargetNotFound(f'no application is called "{command.name}"; there are: {names}')
        await self._step(self.action_ms)
        return Effect(summary=f"opened {command.name}", moved=True)

    # Parts of acts

    async def _press(self, modifiers: tuple[str, ...], key: str) -> bool:
        """Hold the modifiers, press and release the key; what went down comes up in the opposite order."""
        down: list[str] = []
        answered = False
        try:
            for name in (*modifiers, key):
                name = keyboard.physical(name)
                if name not in down:
                    self.desktop.inputs.append(KeyDown(t=self.desktop.now, key=name))
                    self.desktop.pressed.append(name)
                    down.append(name)
            answered = keyboard.press(self.desktop, modifiers, key)
            await self._step(self.key_ms)
        finally:
            for name in reversed(down):
                self._up(name)
        return answered

    def _takes(self, focus: Live | None) -> bool:
        return (focus is not None and focus.takes_text) or keyboard.listens(self.desktop)

    def _check_focus(self, command: TypeText) -> None:
        focus = self.desktop.focused()
        if command.handle is not None and (focus is None or focus.handle != command.handle):
            wanted = self.desktop.by_handle.get(command.handle)
            if wanted is None:
                raise TargetNotFound("the element to type into is not on the screen any more")
            has = "nothing has the focus" if focus is None else f"the focus is on {focus.words()}"
            raise TargetNotActionable(f"{has}, not on {wanted.words()}; nothing was typed")
        leads = command.text[:1] in ("", "\r", "\n", "\t")  # a key comes first, and may move the focus
        if self._takes(focus) or (leads and not command.clear):
            return
        if focus is None:
            raise TargetNotActionable("nothing has the focus; click a field first, or give type a target")
        why = "is read-only" if focus.readonly else "takes no text"
        raise TargetNotActionable(f"the focus is on {focus.words()}, which {why}; nothing was typed")

    def _words_at(self, x: float, y: float) -> str:
        hit = self.desktop.layout().hit(x, y)
        return f"the bare screen at {x:g},{y:g}" if hit is None else hit.words()

    def _check_inside(self, x: float, y: float) -> None:
        if not (0 <= x < self.desktop.scene.width and 0 <= y < self.desktop.scene.height):
            size = f"{self.desktop.scene.width:g} x {self.desktop.scene.height:g}"
            raise TargetNotActionable(f"the point {x:g},{y:g} lies outside the screen of {size}")

    def _notable(self) -> dict[str, str]:
        desktop = self.desktop
        return {
            live.handle: live.words()
            for live in desktop.all()
            if (live.role in NOTABLE or live.floats) and desktop.visible(live)
        }

    def _up(self, name: str) -> None:
        if name in self.desktop.pressed:
            self.desktop.pressed.remove(name)
            self.desktop.inputs.append(KeyUp(t=self.desktop.now, key=name))

    def let_go(self) -> None:
        """Let go of every key and button that is down; nothing is clicked or dropped by it."""
        for name in list(reversed(self.desktop.pressed)):
            if name in ("left", "right"):
                pointer.release(self.desktop, pointer.Press(name, None))
            else:
                self._up(name)

    # Time

    def now(self) -> float:
        """Let everything happen that was due, and return the scene's time."""
        now = 0.0 if self.started is None else self.clock.now() - self.started
        self.desktop.advance(now)
        return now

    async def _step(self, ms: float) -> None:
        if ms > 0:
            await self.clock.sleep(ms / 1000)
        else:
            await anyio.lowlevel.checkpoint()
        self.now()

    async def settle(self, *, motions: bool) -> None:
        """Wait until no page is loading and, with ``motions``, nothing is on its way to a rest; ``SETTLE`` at most."""
        until = self.now() + SETTLE
        while self.desktop.now < until and (self.desktop.loading or (motions and self._on_the_way())):
            await self.clock.sleep(FRAME)
            self.now()

    def _on_the_way(self) -> bool:
        now = self.desktop.now
        return any(
            live.motion is not None and not live.motion.repeat and live.motion.running(now)
            for live in self.desktop.all()
        )
