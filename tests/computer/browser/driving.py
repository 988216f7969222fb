"""How the gallery's tests drive the browser: find by role and name, act, ask the page what it received."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from axstream.ax.node import Node, Tree
from axstream.computer.base import ClickAt, DragTo, Effect, MoveTo, PressKeys, TypeText, Wheel
from axstream.computer.browser.computer import BrowserComputer
from axstream.spec.keys import canonical_keys, split_chord
from axstream.spec.targets import Ax

FIND_S = 3.0


class Driver:
    """One browser computer."""

    def __init__(self, computer: BrowserComputer) -> None:
        self.computer = computer

    @property
    def page(self) -> Any:
        """The active tab's Playwright page: only to ask it what it received."""
        return self.computer.page

    async def log(self) -> list[str]:
        found: list[str] = await self.page.evaluate("window.log")
        return found

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        deadline = time.monotonic() + FIND_S
        while not await holds():
            assert time.monotonic() < deadline, f"it never came: {await self.log()}"
            await anyio.sleep(0.02)

    async def logged(self, *lines: str) -> None:
        """Wait until the page has said these lines, in this order, and nothing else."""
        deadline = time.monotonic() + FIND_S
        while (log := await self.log()) != list(lines):
            assert time.monotonic() < deadline, log
            await anyio.sleep(0.02)

    async def tree(self) -> Tree:
        return await self.computer.candidates(Ax(title="anything"), whole=True)

    async def find(self, role: str, name: str, *, nth: int = 0) -> Node:
        deadline = time.monotonic() + FIND_S
        while True:
            tree = await self.tree()
            found = [node for node in tree.nodes if node.role == role and node.name == name]
            if len(found) > nth:
                return found[nth]
            assert time.monotonic() < deadline, outline(tree)
            await anyio.sleep(0.02)

    async def point(self, role: str, name: str, *, nth: int = 0, purpose: Any = "click") -> tuple[float, float]:
        node = await self.find(role, name, nth=nth)
        return await self.computer.prepare(node.handle, purpose, 2.0)

    async def click(self, role: str, name: str, *, nth: int = 0, button: Any = "left", count: int = 1) -> Effect:
        node = await self.find(role, name, nth=nth)
        x, y = await self.computer.prepare(node.handle, "click", 2.0)
        return await self.computer.perform(ClickAt(x=x, y=y, button=button, count=count, handle=node.handle))

    async def hover(self, role: str, name: str) -> Effect:
        x, y = await self.point(role, name, purpose="move")
        return await self.computer.perform(MoveTo(x=x, y=y))

    async def drag(self, source: tuple[str, str], target: tuple[str, str]) -> Effect:
        x, y = await self.point(*source, purpose="drag")
        to_x, to_y = await self.point(*target, purpose="drop")
        return await self.computer.perform(DragTo(x=x, y=y, to_x=to_x, to_y=to_y))

    async def fill(self, role: str, name: str, text: str, *, clear: bool = False) -> Effect:
        node = await self.find(role, name)
        x, y = await self.computer.prepare(node.handle, "type", 2.0)
        await self.computer.perform(ClickAt(x=x, y=y, handle=node.handle))
        return await self.computer.perform(TypeText(text=text, clear=clear, handle=node.handle))

    async def type(self, text: str) -> Effect:
        return await self.computer.perform(TypeText(text=text))

    async def key(self, *keys: str) -> Effect:
        canonical = canonical_keys(keys)
        assert isinstance(canonical, tuple), canonical
        modifiers, key = split_chord(canonical)
        return await self.computer.perform(PressKeys(modifiers=modifiers, key=key))

    async def wheel(self, direction: Any, clicks: int = 1) -> Effect:
        return await self.computer.perform(Wheel(direction=direction, clicks=clicks))


def pairs(tree: Tree) -> list[tuple[str, str]]:
    return [(node.role, node.name) for node in tree.nodes]


def outline(tree: Tree) -> str:
    """For messages of failed tests."""
    return "\n".join(f"{node.role} {node.name!r} {node.value!r}" for node in tree.nodes)
