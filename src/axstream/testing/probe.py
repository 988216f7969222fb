"""What contract checks use to drive a computer and to say what they saw. No check is here.

A failed check is an ``AssertionError`` with a sentence of its own, so that the suite needs no test runner's rewriting.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import anyio

from axstream.ax.ids import IdBook
from axstream.ax.node import Node
from axstream.ax.resolve import Found, resolve
from axstream.computer.base import Button, ClickAt, Command, Computer, Effect, MoveTo, Purpose, TypeText
from axstream.errors import ActionError
from axstream.spec.targets import Ax, describe_ax
from axstream.testing.contract import ContractFixture, Report

LOOK_S = 2.0  # how long an element may take to appear (T6)
READY_S = 2.0  # how long a check lets an element become ready where it must become so
REFUSE_S = 0.4  # and where it must not: long enough for several frames, short enough for a suite
POLL_S = 0.02
T = TypeVar("T")

Check = Callable[[ContractFixture], Awaitable[None]]
Claim = Callable[["Probe"], Awaitable[None]]


def claim(*, slow: bool = False) -> Callable[[Claim], Check]:
    """Make a check of a claim: open the scene, run it, see that nothing stays pressed (E5), close."""

    def wrap(body: Claim) -> Check:
        async def check(fixture: ContractFixture) -> None:
            computer = await fixture.open(slow=slow)
            try:
                await body(Probe(fixture, computer))
                report = await fixture.report()
                expect(report.pressed, (), "nothing is pressed at the end")
                expect(report.ups, report.downs, "every press was released")
            finally:
                await fixture.close()

        check.__name__ = check.__qualname__ = body.__name__
        check.__doc__ = body.__doc__
        check.__module__ = body.__module__
        return check

    return wrap


class Probe:
    """One computer that shows the standard scene, and what it received."""

    def __init__(self, fixture: ContractFixture, computer: Computer) -> None:
        self.fixture = fixture
        self.computer = computer
        self.book = IdBook()

    async def report(self) -> Report:
        """Ask the scene what it received."""
        return await self.fixture.report()

    async def clicks(self) -> dict[str, int]:
        """Return the clicks that the scene counted, without zeros."""
        return {name: count for name, count in (await self.report()).clicks.items() if count}

    async def look(self, ax: Ax) -> Node | None:
        """Resolve a target once, on the candidates."""
        found = resolve(await self.computer.candidates(ax), ax, self.book)
        return found.node if isinstance(found, Found) else None

    async def find(self, role: str | None, title: str | None, within: Ax | None = None) -> Node:
        """Resolve a target, waiting for it to appear."""
        ax = Ax(role=role, title=title, within=within)
        waited = 0.0
        while (node := await self.look(ax)) is None:
            if waited > LOOK_S:
                raise AssertionError(f"{describe_ax(ax)} is not on the screen")
            await self.fixture.pause(POLL_S)
            waited += POLL_S
        return node

    async def ready(self, role: str, title: str, purpose: Purpose = "click") -> tuple[float, float]:
        """Find an element and bring it to where it can be acted on."""
        node = await self.find(role, title)
        return await self.computer.prepare(node.handle, purpose, READY_S)

    async def click_node(self, node: Node, button: Button = "left", count: int = 1) -> Effect:
        """Click an element once it is ready."""
        x, y = await self.computer.prepare(node.handle, "click", READY_S)
        return await self.computer.perform(ClickAt(x=x, y=y, button=button, count=count, handle=node.handle))

    async def click(self, role: str, title: str, button: Button = "left", count: int = 1) -> Effect:
        """Find an element and click it."""
        return await self.click_node(await self.find(role, title), button, count)

    async def move_to(self, role: str, title: str) -> Effect:
        """Move the pointer over an element."""
        node = await self.find(role, title)
        x, y = await self.computer.prepare(node.handle, "move", READY_S)
        return await self.computer.perform(MoveTo(x=x, y=y, handle=node.handle))

    async def fill(self, title: str, text: str, *, clear: bool = False) -> Effect:
        """Click a field and type into it."""
        node = await self.find("textbox", title)
        x, y = await self.computer.prepare(node.handle, "type", READY_S)
        await self.computer.perform(ClickAt(x=x, y=y, handle=node.handle))
        return await self.computer.perform(TypeText(text=text, clear=clear, handle=node.handle))

    async def until(self, seen: Callable[[Report], bool], what: str) -> Report:
        """Wait until the scene has received something; input may reach it a moment after it was delivered."""
        waited = 0.0
        while not seen(report := await self.report()):
            if waited > LOOK_S:
                raise AssertionError(f"the scene never showed that {what}: {report}")
            await self.fixture.pause(POLL_S)
            waited += POLL_S
        return report

    async def cancel_when(self, command: Command, seen: Callable[[Report], bool], what: str) -> None:
        """Start a command, and cancel it the moment that the scene shows something of it."""
        ended = False

        async def perform() -> None:
            nonlocal ended
            await self.computer.perform(command)
            ended = True

        async with anyio.create_task_group() as group:
            group.start_soon(perform)
            while not seen(await self.report()):
                if ended:
                    raise AssertionError(f"the command ended before {what}: open(slow=True) must be slow enough")
                await self.fixture.pause(0.002)
            group.cancel_scope.cancel()
        expect(ended, False, "the command was cut short")


def expect(actual: T, wanted: T, what: str) -> None:
    """Fail unless two values are equal."""
    if actual != wanted:
        raise AssertionError(f"{what}: expected {wanted!r}, got {actual!r}")


def expect_that(holds: bool, what: str) -> None:
    """Fail unless it holds."""
    if not holds:
        raise AssertionError(what)


@contextmanager
def refuses(error: type[ActionError], *words: str) -> Iterator[None]:
    """Expect an error that the model can mend, whose one line says all these words, in any case."""
    try:
        yield
    except error as caught:
        message = str(caught)
        expect_that("\n" not in message, f"the message is one line: {message!r}")
        for word in words:
            expect_that(word.casefold() in message.casefold(), f"the message says {word!r}: {message!r}")
        return
    raise AssertionError(f"expected {error.__name__} saying {', '.join(words) or 'why'}")
