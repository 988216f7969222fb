"""Small desktops for tests: a window of the given elements, in virtual time, driven by id."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from axstream.ax.node import Node
from axstream.computer.base import Button, ClickAt, DragTo, Effect, MoveTo, PressKeys, TypeText, Wheel
from axstream.computer.memory import MemoryComputer, VirtualClock, parse_scene
from axstream.spec.actions import Direction
from axstream.spec.keys import KeyProblem, canonical_keys, split_chord

READY_S = 1.0


class Desk(MemoryComputer):
    """A memory computer with hands: acts by id."""

    async def click(self, key: str, button: Button = "left", count: int = 1) -> Effect:
        x, y = await self.prepare(self.node(key).handle, "click", READY_S)
        return await self.perform(ClickAt(x=x, y=y, button=button, count=count))

    async def hover(self, key: str) -> Effect:
        x, y = await self.prepare(self.node(key).handle, "move", READY_S)
        return await self.perform(MoveTo(x=x, y=y))

    async def drag(self, key: str, to: str) -> Effect:
        x, y = await self.prepare(self.node(key).handle, "drag", READY_S)
        to_x, to_y = await self.prepare(self.node(to).handle, "drop", READY_S)
        return await self.perform(DragTo(x=x, y=y, to_x=to_x, to_y=to_y))

    async def press(self, chord: str) -> Effect:
        keys = canonical_keys(chord)
        assert not isinstance(keys, KeyProblem)
        modifiers, key = split_chord(keys)
        return await self.perform(PressKeys(modifiers=modifiers, key=key))

    async def type(self, text: str, *, clear: bool = False) -> Effect:
        return await self.perform(TypeText(text=text, clear=clear))

    async def scroll(self, direction: Direction, clicks: int = 1) -> Effect:
        return await self.perform(Wheel(direction=direction, clicks=clicks))

    async def wait(self, seconds: float) -> None:
        await self.clock.sleep(seconds)

    async def shown(self) -> list[str]:
        """The ids of what is on the screen."""
        tree = await self.observe()
        ids = {live.handle: live.id for live in self.desktop.all()}
        return [ids[node.handle] for node in tree.nodes if ids[node.handle] and node.onscreen]

    async def focused(self) -> Node | None:
        return (await self.focus()).node

    @property
    def focus_id(self) -> str | None:
        live = self.desktop.focused()
        return None if live is None else live.id


def scene(*elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A window ``w`` of the given elements; ``more`` are keys of the scene."""
    window = {"role": "window", "id": "w", "name": "Desk", "box": [0, 0, 800, 600], "children": list(elements)}
    return {"screen": [window], **more}


@asynccontextmanager
async def desk(*elements: dict[str, Any], **more: Any) -> AsyncIterator[Desk]:
    """Open a desk that shows the elements, in virtual time."""
    spec = more if "screen" in more else scene(*elements, **more)
    computer = Desk(parse_scene(json.dumps(spec)), clock=VirtualClock())
    async with computer:
        yield computer
