"""Runs random responses on real browsers, side by side, and holds what the pages received against what was named."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec

import axstream
from axstream.ax.ids import IdBook
from axstream.ax.node import Tree
from axstream.ax.outline import outline
from axstream.errors import AxstreamError
from axstream.runtime.executor import Executor
from axstream.testing.serving import served
from axstream.trace.events import Committed, Denied, Discarded, Executed, Failed, Rejected, RunEvent
from campaigns.hostile.draws import Element, Line, draw_lines

if TYPE_CHECKING:
    from axstream.computer.browser.computer import BrowserComputer

PAGES = Path(__file__).with_name("pages")
RESOLVE_WAIT_S = 0.3  # in place of T6's 2 s, so that ten thousand acts are practical
BOUND_S = (
    45.0  # of one act: resolving (2 s and one answer of the page, 8 s), coming to rest (the same), delivery (30 s)
)
OBSERVE_BOUND_S = 20.0
BURSTS_A_BROWSER = 60
KEPT_HITS = 200  # of earlier bursts: a page tells late of a click behind which it opened a dialog
TRUSTED_MS = 2.0  # clocks of the page and ours
MOST_SHOWN = 30
PROGRESS_S = 20.0


class Hit(msgspec.Struct, frozen=True):
    """A press or click that a page told of; ``t`` is in milliseconds since 1970."""

    type: str
    name: str
    t: float


class Figures:
    """What was counted. ``say`` gets one line at a time."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self.acts: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.stops: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.presses = 0
        self.slowest = 0.0
        self.slowest_line = ""
        self._begun = self._last = time.monotonic()

    @property
    def done(self) -> int:
        return self.acts.total()

    def fault(self, kind: str, story: str) -> None:
        """Count what must not happen, and tell the first of them in full."""
        self.faults[kind] += 1
        if self.faults[kind] <= MOST_SHOWN:
            self._say(f"  {kind.upper()}: {story}")

    def progress(self) -> None:
        """Say now and then how far it is."""
        if time.monotonic() - self._last > PROGRESS_S:
            self._last = time.monotonic()
            self._say(f"  … {self.done} acts, {time.monotonic() - self._begun:.0f} s, faults {dict(self.faults)}")

    def report(self) -> int:
        """Say the figures; return 0 where all is as claimed, else 1."""
        seconds = time.monotonic() - self._begun
        self._say(
            f"\n{self.done} acts in {seconds:.0f} s; slowest {self.slowest:.2f} s of {BOUND_S:g}: {self.slowest_line}"
        )
        self._say(f"  ended as {dict(self.acts)}, {self.presses} presses told; bursts ended as {dict(self.stops)}")
        self._say(f"  failures by class: {dict(self.failures)}")
        self._say(f"  faults: {dict(self.faults) or 'none'}")
        self._say("  " + ("NOT as claimed" if self.faults else "as claimed"))
        return 1 if self.faults else 0


async def campaign(actions: int, seed: int, lanes: int, figures: Figures) -> None:
    """Perform at least that many acts, over ``lanes`` browsers."""
    with served(PAGES) as base:
        numbers = iter(range(10**9))

        async def lane() -> None:
            while figures.done < actions:
                number = next(numbers)
                try:
                    async with axstream.browser(f"{base}/hostile.html?seed={seed * 1000 + number}") as screen:
                        await Torment(screen, base, f"{seed}/{number}", figures).run(actions)
                except AxstreamError as error:
                    figures.fault("browser", f"{seed}/{number}: {error!r}")

        async with asyncio.TaskGroup() as tasks:
            for _ in range(lanes):
                tasks.create_task(lane())


class Torment:
    """One browser, one book, a number of bursts."""

    def __init__(self, screen: BrowserComputer, base: str, name: str, figures: Figures) -> None:
        self._screen = screen
        self._base = base
        self._name = name
        self._random = Random(name)
        self._figures = figures
        self._book = IdBook()
        self._hits: list[Hit] = []
        self._events: list[tuple[float, RunEvent]] = []
        screen.page.context.on("console", self._hear)
        self._executor = Executor(
            screen,
            policy=axstream.Policy(risky="allow"),
            book=self._book,
            emit=lambda _, event: self._events.append((time.time() * 1000, event)),
            resolve_wait=RESOLVE_WAIT_S,
            on_failure="continue",
            bare=True,
        )

    def _hear(self, message: object) -> None:
        text = getattr(message, "text", "")
        if text.startswith("HIT "):
            self._hits.append(msgspec.json.decode(text[4:], type=Hit))

    async def run(self, actions: int) -> None:
        """Observe and act until the browser has had enough, or all acts are done."""
        for _ in range(BURSTS_A_BROWSER):
            if self._figures.done >= actions:
                return
            tree = await self._observe()
            if tree is None:
                return
            lines = draw_lines(self._random, self._seen(tree), self._base)
            stop = await self._burst(lines)
            self._figures.stops[stop] += 1
            self._figures.progress()
            if stop in ("error", "raised"):
                return

    async def _observe(self) -> Tree | None:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(OBSERVE_BOUND_S):
                return await self._screen.observe()
        except TimeoutError:
            self._figures.fault("hang", f"{self._name}: observing took over {OBSERVE_BOUND_S:g} s")
        except AxstreamError as error:
            self._figures.failures[f"observe: {type(error).__name__}"] += 1
        except Exception as error:
            took = time.monotonic() - begun
            self._figures.fault("exception", f"{self._name}: observing raised {error!r} after {took:.1f} s")
        return None

    def _seen(self, tree: Tree) -> list[Element]:
        outline(tree, self._book)
        acting = (node for node in tree.nodes if node.interactive or node.role == "option")
        by_id = ((self._book.id_of(node.handle), node) for node in acting)
        return [Element(number, node.role, node.name) for number, node in by_id if number is not None]

    async def _burst(self, lines: list[Line]) -> str:
        self._events.clear()
        del self._hits[:-KEPT_HITS]
        failed = ""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(BOUND_S * len(lines)):
                result = await self._executor.run_burst(_stream(lines))
            stop: str = result.stop
            if stop == "error":
                self._figures.failures[f"burst: {result.reason}"] += 1
        except AxstreamError as error:
            stop, failed = "error", repr(error)
            self._figures.failures[type(error).__name__] += 1
        except TimeoutError:
            stop = "raised"
            self._figures.fault("hang", f"{self._name}: a burst took {time.monotonic() - begun:.0f} s")
        except Exception as error:
            stop, failed = "raised", repr(error)
            self._figures.fault("exception", f"{self._name}: {error!r}")
        if stop not in ("exhausted", "error", "denied", "raised"):
            self._figures.fault("stop", f"{self._name}: the burst ended as {stop} {failed}")
        await self._barrier()
        self._check(lines)
        return stop

    async def _barrier(self) -> None:
        """Let what pages told arrive: it comes by the same pipe as an answer."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(0.5):
                await self._screen.page.context.cookies()

    def _check(self, lines: list[Line]) -> None:
        """Hold each press against the act that ran when it came."""
        begun = 0.0
        for at, event in self._events:
            match event:
                case Committed():
                    begun = begun or at
                case Rejected():
                    self._figures.fault("rejected", f"{self._name}: {event}")
                case Executed() | Failed() | Denied():
                    self._one(lines[event.line - 1], event, at)
                case Discarded(why=why):
                    self._figures.failures[f"discarded: {why[:60]}"] += 1
                case _:
                    pass

    def _one(self, line: Line, event: Executed | Failed | Denied, ended: float) -> None:
        figures = self._figures
        took = getattr(event, "ms", 0.0)
        kind = type(event).__name__.lower()
        figures.acts[kind] += 1
        if isinstance(event, Failed):
            figures.failures[event.error] += 1
        if took / 1000 > figures.slowest:
            figures.slowest, figures.slowest_line = took / 1000, f"{line.text.strip()} ({kind})"
        if took / 1000 > BOUND_S:
            figures.fault("hang", f"{self._name}: {line.text.strip()} took {took / 1000:.1f} s")
        hits = [hit for hit in self._hits if ended - took - TRUSTED_MS <= hit.t <= ended + TRUSTED_MS]
        figures.presses += sum(hit.type == "press" for hit in hits)
        if line.names is None:
            return
        for hit in hits:
            if not _is_on(hit.name, line.names) and (hit.type == "press" or not hit.name.startswith("(")):
                story = f"{self._name}: {line.text.strip()}: a {hit.type} on {hit.name!r}; {event}"
                figures.fault("wrong hit", story)


def _is_on(name: str, names: frozenset[str]) -> bool:
    """Tell whether a press is on what was named: a list is opened for its options, a frame pressed for its inside."""
    return any(name == wanted or wanted.startswith((f"{name} option", f"{name}: ")) or not wanted for wanted in names)


async def _stream(lines: list[Line]) -> AsyncIterator[str]:
    for line in lines:
        yield line.text
