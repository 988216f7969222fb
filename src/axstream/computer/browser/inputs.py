"""The pointer and the keyboard of a tab: trusted input, and what is down (E5). What it means is decided elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import msgspec

from axstream.computer.browser.keys import Press
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.errors import Disconnected

DRAG_STEPS = 10  # facts: five were enough for HTML5 and pointer drags; libraries with a threshold want more
NOTCH_PX = 100.0  # what Chromium scrolls for one notch of a common wheel
DELIVERY_LIMIT_S = 10.0  # a page that takes no input within this runs a script that does not end
RELEASE_LIMIT_S = 2.0
CARRY_STEP_S = 0.005  # between two looks whether the browser has said what the page drags
CARRY_TRIES = 200
_VIRTUAL = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Backspace": 8}


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How long input takes, in seconds: a whole drag, and each character. Zero is as quick as the page takes it."""

    drag_s: float = 0.0
    character_s: float = 0.0


class Inputs:
    """Input to one tab. Whatever it pressed it lets go of, also when it is cancelled."""

    def __init__(self, tab: Tab, pace: Pace) -> None:
        self.tab = tab
        self.pace = pace
        self.buttons: list[str] = []
        self.keys: list[str] = []

    async def send(self, delivery: Awaitable[Any]) -> None:
        """Deliver one input. A dialog that it opens ends the waiting: the rest of it arrives once that is answered.

        On cancellation the input in flight still arrives, since half of it cannot be taken back; bounded.
        """
        task = asyncio.ensure_future(delivery)
        error_class = playwright_error()
        try:
            await self.tab.race(asyncio.shield(task), DELIVERY_LIMIT_S)
        except DialogOpen:
            self.tab.hold_up(task)
            raise
        except error_class as error:
            if self.tab.closed or "closed" in str(error):
                raise Disconnected("the tab was closed") from error
            raise
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await asyncio.wait({task}, timeout=RELEASE_LIMIT_S)
            if task.done() and not task.cancelled():
                task.exception()
            raise

    # -- pointer -----------------------------------------------------------------------------------------------------

    async def click(self, x: float, y: float, button: str, count: int, *, held: tuple[str, ...] = ()) -> None:
        """Move to a point, press and release there ``count`` times, with the modifiers ``held`` down."""
        self.tab.pointer = (x, y)
        try:
            for modifier in held:
                self.keys.append(modifier)
                await self.send(self.tab.page.keyboard.down(modifier))
            await self.send(self.tab.page.mouse.click(x, y, button=button, click_count=count))
        finally:
            if held:
                await self._release_keys()

    async def move(self, x: float, y: float) -> None:
        """Move the pointer to a point."""
        self.tab.pointer = (x, y)
        await self.send(self.tab.page.mouse.move(x, y))

    async def drag(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        began: Callable[[], Awaitable[bool]],
        *,
        crosses: bool,
    ) -> None:
        """Press at one point, move in steps, release at another; the button comes up whatever happens (A7).

        ``began`` tells whether the page has begun a drag by the platform's protocol. That is carried on as such, so
        that it reaches frames of other processes and never becomes a drag of the whole desktop. ``crosses`` says that
        its end lies in another process than its start, which then is left and entered.
        """
        session = self.tab.session
        carried: list[dict[str, Any]] = []

        def hear(event: dict[str, Any]) -> None:
            carried.append(event["data"])

        await self.move(x, y)
        session.on("Input.dragIntercepted", hear)
        self.buttons.append("left")
        dropped = entered = False
        try:
            await self.send(session.send("Input.setInterceptDrags", {"enabled": True}))
            await self._mouse("mousePressed", x, y)
            for turn in range(1, DRAG_STEPS + 2):
                step = min(turn, DRAG_STEPS)  # twice at the end: targets learn of a drag over them by the second
                if self.pace.drag_s:
                    await anyio.sleep(self.pace.drag_s / DRAG_STEPS)
                share = step / DRAG_STEPS
                at = (x + (to_x - x) * share, y + (to_y - y) * share)
                if not carried:
                    await self._mouse("mouseMoved", *at)
                    await self._carry(carried, began)
                if carried:
                    if crosses and turn == DRAG_STEPS and entered and self.tab.pointer:
                        await self._drag_event("dragCancel", *self.tab.pointer, carried[0])
                        entered = False
                    await self._drag_event("dragOver" if entered else "dragEnter", *at, carried[0])
                    entered = True
            await self.tab.ask("frames", 2)  # pages that follow the pointer by frames have come to where it is
            if carried:
                await self._drag_event("drop", to_x, to_y, carried[0])
                dropped = True
                if (
                    crosses
                ):  # Chromium ends the drag in the process that it was dropped in alone; the other takes no input
                    nothing = {"items": [], "dragOperationsMask": 0}
                    await self._drag_event("dragEnter", x, y, nothing)
                    await self._drag_event("dragCancel", x, y, nothing)
        finally:
            with anyio.CancelScope(shield=True):
                at = self.tab.pointer or (to_x, to_y)
                if "left" in self.buttons:  # else it was let go of meanwhile
                    self.buttons.remove("left")
                if not carried:
                    await self._quietly(self._mouse("mouseReleased", *at))
                elif not dropped:
                    await self._quietly(self._drag_event("dragCancel", *at, carried[0]))
                await self._quietly(session.send("Input.setInterceptDrags", {"enabled": False}))
                session.remove_listener("Input.dragIntercepted", hear)

    async def _carry(self, carried: list[dict[str, Any]], began: Callable[[], Awaitable[bool]]) -> None:
        """Wait for what the page drags, where it has begun to."""
        if carried or not await began():
            return
        for _ in range(CARRY_TRIES):
            if carried:
                return
            await anyio.sleep(CARRY_STEP_S)

    async def _mouse(self, kind: str, x: float, y: float) -> None:
        self.tab.pointer = (x, y)
        buttons = 0 if kind == "mouseReleased" else 1
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1}
        await self.send(self.tab.session.send("Input.dispatchMouseEvent", event))

    async def _drag_event(self, kind: str, x: float, y: float, data: dict[str, Any]) -> None:
        self.tab.pointer = (x, y)
        await self.send(self.tab.session.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data}))

    async def _up(self, button: str) -> None:
        with anyio.CancelScope(shield=True):
            if button in self.buttons:
                self.buttons.remove(button)
                await self._quietly(self.tab.page.mouse.up(button=button))

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel over a point; the pointer stays where it is."""
        event = {"type": "mouseWheel", "x": x, "y": y, "deltaX": dx, "deltaY": dy}
        await self.send(self.tab.session.send("Input.dispatchMouseEvent", event))

    # -- keyboard ----------------------------------------------------------------------------------------------------

    async def press(self, press: Press) -> None:
        """Hold the modifiers, press the key, let go of all, whatever happens."""
        keyboard = self.tab.page.keyboard
        try:
            for modifier in press.modifiers:
                self.keys.append(modifier)
                await self.send(keyboard.down(modifier))
            if press.raw is not None:
                await self._raw(press)
            elif press.text:
                await self._character(press)
            elif press.key in ("Control", "Alt", "Shift", "Meta"):
                self.keys.append(press.key)
                await self.send(keyboard.down(press.key))
            else:
                await self.send(keyboard.press(press.key))
        finally:
            await self._release_keys()

    async def repeat(self, name: str, times: int) -> None:
        """Press one key of `_VIRTUAL` many times, without waiting for each."""
        event = {"key": name, "code": name, "windowsVirtualKeyCode": _VIRTUAL[name]}
        sent = [
            self.tab.session.send("Input.dispatchKeyEvent", {"type": kind, **event})
            for _ in range(times)
            for kind in ("rawKeyDown", "keyUp")
        ]
        if sent:
            await self.send(asyncio.gather(*sent))

    async def _raw(self, press: Press) -> None:
        key, code = press.raw or ("", 0)
        for kind in ("rawKeyDown", "keyUp"):
            event = {
                "type": kind,
                "key": key,
                "code": key,
                "windowsVirtualKeyCode": code,
                "modifiers": _mask(press.modifiers),
            }
            await self.send(self.tab.session.send("Input.dispatchKeyEvent", event))

    async def _character(self, press: Press) -> None:
        plain = not press.modifiers or press.modifiers == ("Shift",)
        for kind in ("keyDown" if plain else "rawKeyDown", "keyUp"):
            event: dict[str, Any] = {"type": kind, "key": press.text, "modifiers": _mask(press.modifiers)}
            if kind == "keyDown":
                event |= {"text": press.text, "unmodifiedText": press.text}
            await self.send(self.tab.session.send("Input.dispatchKeyEvent", event))

    async def type(self, text: str) -> None:
        """Type characters of a US keyboard, each as its key (no LF, no TAB)."""
        delay = self.pace.character_s * 1000
        await self.send(self.tab.page.keyboard.type(text, delay=delay or None))

    async def insert(self, text: str) -> None:
        """Put text in as an input method does: all at once, no keys."""
        await self.send(self.tab.page.keyboard.insert_text(text))

    async def _release_keys(self) -> None:
        with anyio.CancelScope(shield=True):
            while self.keys:
                await self._quietly(self.tab.page.keyboard.up(self.keys.pop()))

    # -- letting go ----------------------------------------------------------------------------------------------------

    async def _quietly(self, delivery: Awaitable[Any]) -> None:
        """Deliver a release; where the tab is gone or a dialog blocks it there is nothing more to do."""
        with contextlib.suppress(DialogOpen, Disconnected, playwright_error(), TimeoutError):
            with anyio.move_on_after(RELEASE_LIMIT_S):
                await self.send(delivery)

    async def release_all(self) -> None:
        """Let go of every button and key that is down (E5)."""
        for button in list(self.buttons):
            await self._up(button)
        await self._release_keys()


def _mask(modifiers: tuple[str, ...]) -> int:
    bits = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
    return sum(bits[name] for name in modifiers)
