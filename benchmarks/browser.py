"""Observing and clicking in a real Chromium, beside Playwright's ai snapshot, ``get_by_role().click()`` and ``count()``.

On pages of 100, 1,000 and 10,000 elements and one of 20 frames, in one browser and one run, ours and theirs in turns.
Tokens are o200k. Each aim is said with what was measured, met or not.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from bpe_openai import get_encoding

from axstream.ax.changes import changes
from axstream.ax.ids import IdBook
from axstream.ax.node import Node, Tree
from axstream.ax.outline import outline
from axstream.ax.titles import normalise
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.launch import Chromium
from axstream.policy import Policy
from axstream.runtime.executor import Executor
from axstream.testing.serving import served
from benchmarks.shop_pages import framed, last_row, write_pages
from benchmarks.table import show

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

SIZES = [100, 1000, 10_000]
RUNS = {100: 15, 1000: 11, 10_000: 5, 0: 11}  # 0: the page of frames
REST_S = 0.12  # between two clicks, so that a page is at rest for both
AIM = 0.25  # of what Playwright takes
SAME_BOX_PX = 2.0
#: Roles of Playwright's snapshot that are acted on.
ACTING = frozenset(
    {
        "button",
        "checkbox",
        "combobox",
        "link",
        "menuitem",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
    }
)
_REF = re.compile(r'^\s*- (\w+)(?: "((?:[^"\\]|\\.)*)")?.*\[ref=(\w+)\]')
_ENCODING = get_encoding("o200k_base")


def _tokens(text: str) -> int:
    return len(_ENCODING.encode(text))


class Figures(msgspec.Struct):
    """What was measured on one page; times in milliseconds."""

    page: str
    cold: float = 0.0
    ours: float = 0.0
    theirs: float = 0.0
    our_tokens: int = 0
    their_tokens: int = 0
    on_screen: int = 0
    found: int = 0
    same_names: int = 0
    missing: list[str] = []


async def _timed(what: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await what()
    return (time.perf_counter() - begun) * 1000


async def _in_turns(runs: int, *sides: Callable[[], Awaitable[object]], rest: float = 0.0) -> list[float]:
    """Return the median time of each side, taken in turns."""
    times: list[list[float]] = [[] for _ in sides]
    for _ in range(runs):
        for side, found in zip(sides, times, strict=True):
            if rest:
                await asyncio.sleep(rest)
            found.append(await _timed(side))
    return [statistics.median(found) for found in times]


async def _observing(page: str, screen: BrowserComputer, runs: int) -> Figures:
    book, seen, snapshot = IdBook(), [""], [""]
    figures = Figures(page=page)

    async def ours() -> None:
        seen[0] = outline(await screen.observe(), book).text

    async def theirs() -> None:
        snapshot[0] = await screen.page.aria_snapshot(mode="ai")

    figures.cold = await _timed(ours)
    await theirs()
    figures.ours, figures.theirs = await _in_turns(runs, ours, theirs)
    figures.our_tokens, figures.their_tokens = _tokens(seen[0]), _tokens(snapshot[0])
    await _compare(figures, await screen.observe(), snapshot[0], screen.page)
    return figures


async def _compare(figures: Figures, tree: Tree, snapshot: str, page: Page) -> None:
    """Look for each element to act on of Playwright's list that is on the screen, by its box, in what we observed."""
    width, height = tree.surface.width, tree.surface.height
    boxes = [node for node in tree.nodes if node.box is not None and node.onscreen]
    listed = [match.groups() for line in snapshot.splitlines() if (match := _REF.match(line))]
    for role, name, ref in listed:
        if role not in ACTING:
            continue
        box = await page.locator(f"aria-ref={ref}").bounding_box()
        if box is None or box["y"] >= height or box["x"] >= width or box["y"] + box["height"] <= 0:
            if box is not None and box["y"] > 3 * height:
                break  # the rest is further down
            continue
        figures.on_screen += 1
        at = (box["x"], box["y"], box["width"], box["height"])
        same = [node for node in boxes if _is_at(node, at) and node.interactive]
        if not same:
            figures.missing.append(f"{role} {name!r} at {at}")
            continue
        figures.found += 1
        said = normalise(re.sub(r"\\(.)", r"\1", name or ""))
        if any(normalise(node.name) == said for node in same):
            figures.same_names += 1
        else:
            figures.missing.append(f"{role}: {name!r} is called {[node.name for node in same]}")


def _is_at(node: Node, at: tuple[float, float, float, float]) -> bool:
    box = node.box
    if box is None:
        return False
    return all(abs(one - other) <= SAME_BOX_PX for one, other in zip((box.x, box.y, box.w, box.h), at, strict=True))


class Clicks(msgspec.Struct):
    """Times of resolving and clicking on one page, in milliseconds; ``received`` of ``sent`` clicks the page counted."""

    page: str
    ours: float
    theirs: float
    counting: float
    ours_in_a_row: float
    theirs_in_a_row: float
    sent: int
    received: int


async def _clicking(page: str, screen: BrowserComputer, name: str, key: str, runs: int) -> Clicks:
    line = f'{{"op":"click","target":{{"ax":{{"role":"button","title":"{name}"}}}}}}\n'
    executor = Executor(screen, policy=Policy(risky="allow"), book=IdBook(), bare=True)
    frame = screen.page.frame_locator("iframe >> nth=0") if page == "20 frames" else screen.page
    locator = frame.get_by_role("button", name=name, exact=True)

    async def ours() -> None:
        async def stream():  # type: ignore[no-untyped-def]
            yield line

        result = await executor.run_burst(stream())
        if result.executed != 1:
            raise AssertionError(f"the click was not done: {result}")

    async def theirs() -> None:
        await locator.click()

    async def counting() -> None:
        if await locator.count() != 1:
            raise AssertionError(f"{name} is not there once")

    await ours()
    await theirs()
    at_rest = await _in_turns(runs, ours, theirs, counting, rest=REST_S)
    in_a_row = [statistics.median([await _timed(side) for _ in range(runs)]) for side in (ours, theirs)]
    sent = 2 + 4 * runs
    received = sum([await found.evaluate(f"window.hits?.[{key!r}] ?? 0") for found in screen.page.frames])
    return Clicks(page, *at_rest, *in_a_row, sent=sent, received=received)


async def _second(page: str, screen: BrowserComputer) -> list[list[object]]:
    """Return what a second observation costs, by how much of the rows that show was changed."""
    rows: list[list[object]] = []
    book = IdBook()
    for what, share in (("nothing", 0.0), ("one row", -1.0), ("a tenth", 0.1), ("all", 1.0)):
        first = outline(await screen.observe(), book)
        await screen.page.evaluate(
            """(share) => { const rows = [...document.querySelectorAll("tr")];
            const many = share < 0 ? 1 : Math.round(rows.length * share);
            for (let i = 0; i < many; i++) rows[Math.floor(i * rows.length / many)].querySelector("span").textContent = "changed " + Math.random(); }""",
            share,
        )
        await asyncio.sleep(REST_S)
        times: list[float] = []
        for _ in range(3):
            begun = time.perf_counter()
            second = outline(await screen.observe(), book)
            times.append((time.perf_counter() - begun) * 1000)
        said = changes(first, second) or second.text
        rows.append([page, what, f"{statistics.median(times):.0f}", _tokens(said), _tokens(second.text)])
    return rows


def _aim(what: str, holds: bool, measured: str) -> None:
    print(f"  {'met    ' if holds else 'NOT met'}  {what}: {measured}")


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f}" if theirs else "-"


async def _all(browser: Browser, sizes: list[int], *, verbose: bool) -> None:
    observed: list[Figures] = []
    clicked: list[Clicks] = []
    seconds: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        write_pages(Path(folder), sizes)
        with served(Path(folder)) as base:
            other = base.replace("127.0.0.1", "localhost")
            (Path(folder) / "frames.html").write_text(framed(other), "utf-8")
            for size in sizes:
                async with BrowserComputer(url=f"{base}/orders{size}.html", browser=browser) as screen:
                    observed.append(await _observing(f"{size:,}", screen, RUNS[size]))
                    number = last_row(size) // 2
                    clicked.append(
                        await _clicking(f"{size:,}", screen, f"Edit {1000 + number}", str(number), RUNS[size])
                    )
                    await screen.page.evaluate("scrollTo(0, 0)")
                    seconds += await _second(f"{size:,}", screen)
            async with BrowserComputer(url=f"{base}/frames.html", browser=browser) as screen:
                observed.append(await _observing("20 frames", screen, RUNS[0]))
                clicked.append(await _clicking("20 frames", screen, "Use 0", "0", RUNS[0]))
    print(
        "observing (ms, o200k tokens; ours is what is on the screen, the rest counted; Playwright's is all of the page)"
    )
    show(
        ["page", "first", "ours", "playwright", "ratio", "tokens", "playwright", "ratio", "on screen", "found", "same name"],
        [
            [one.page, f"{one.cold:.0f}", f"{one.ours:.1f}", f"{one.theirs:.1f}", _ratio(one.ours, one.theirs),
             one.our_tokens, one.their_tokens, _ratio(one.our_tokens, one.their_tokens), one.on_screen, one.found, one.same_names]
            for one in observed
        ],
    )  # fmt: skip
    print("resolving and clicking (ms), the page at rest before each; then one right behind the other")
    show(
        ["page", "ours", "click()", "ratio", "count()", "in a row", "click()", "ratio", "received"],
        [
            [one.page, f"{one.ours:.1f}", f"{one.theirs:.1f}", _ratio(one.ours, one.theirs), f"{one.counting:.1f}",
             f"{one.ours_in_a_row:.1f}", f"{one.theirs_in_a_row:.1f}", _ratio(one.ours_in_a_row, one.theirs_in_a_row),
             f"{one.received} of {one.sent}"]
            for one in clicked
        ],
    )  # fmt: skip
    print("observing a second time (ms, o200k tokens of what changed and of the whole)")
    show(["page", "changed", "ms", "tokens", "whole"], seconds)
    _say_aims(observed, clicked)
    if verbose:
        for one in observed:
            for line in one.missing:
                print(f"  {one.page}: {line}")


def _say_aims(observed: list[Figures], clicked: list[Clicks]) -> None:
    print("aims")
    for one in observed:
        if one.page in ("1,000", "10,000"):
            measured = _ratio(one.ours, one.theirs)
            _aim(f"observe {one.page} in a quarter of the time", one.ours <= AIM * one.theirs, measured)
        tokens = _ratio(one.our_tokens, one.their_tokens)
        _aim(f"observe {one.page} in a quarter of the tokens", one.our_tokens <= AIM * one.their_tokens, tokens)
        shown = f"{one.found} of {one.on_screen}"
        _aim(
            f"every element to act on of Playwright's list on the screen of {one.page}",
            one.found == one.on_screen,
            shown,
        )
    for click in clicked:
        measured = _ratio(click.ours, click.theirs)
        _aim(f"resolve and click on {click.page} in a quarter of the time", click.ours <= AIM * click.theirs, measured)


async def measure(sizes: list[int], *, verbose: bool = False) -> None:
    """Measure on pages of those sizes, and print the tables and the aims."""
    running = await Chromium.start()
    try:
        if running.browser is None:
            raise AssertionError("the browser has started")
        await _all(running.browser, sizes, verbose=verbose)
    finally:
        await running.stop()


def main() -> None:
    asyncio.run(measure(SIZES, verbose=True))
