"""How close streamed execution comes to the ideal, and what it saves against running the plan after the whole answer.

For line arrivals a and action durations d, the ideal end is f[i] = max(f[i-1], a[i]) + d[i]. Arrivals are when the
chunk with the newline was handed over, durations are those of the run itself, all by the same clock.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import axstream as ax
from axstream.models.tokens import CHARS_PER_TOKEN
from axstream.runtime.executor import Executor
from axstream.testing.serving import served
from axstream.trace.events import Executed, RunEvent
from benchmarks.table import show

ACTIONS = 20
PACES = (40, 80, 160)  # tokens a second: a large hosted model, a fast one, a very fast one
CLICK = '{"op":"click","target":{"ax":{"role":"button","title":"Count"}}}'
LENGTHS_MEMORY = (5, 50, 250)  # milliseconds an action takes on the memory desktop
LENGTHS_BROWSER = {
    "click": CLICK,
    "type 40": '{"op":"type","target":{"ax":{"role":"textbox","title":"Note"}},"text":"'
    + "forty characters of an ordinary sentence"
    + '"}',
    "drag": '{"op":"drag","from":{"ax":{"title":"Card"}},"to":{"ax":{"title":"Bin"}}}',
}
PAGE = """<!doctype html><title>Bench</title><style>div{width:90px;height:40px;background:#ccd;margin:8px}</style>
<button onclick="n.value=+n.value+1">Count</button><output id=n>0</output><label>Note <input></label>
<div role="img" aria-label="Card" tabindex="0">Card</div><div role="img" aria-label="Bin" tabindex="0">Bin</div>"""


def _answer(line: str) -> str:
    return "I will do it now.\n```jsonl\n" + "\n".join([line] * ACTIONS) + '\n{"op":"done","status":"success"}\n```\n'


async def _stream(text: str, pace: float, arrivals: list[float], *, after: bool) -> AsyncIterator[str]:
    """Yield the text in tokens at a pace; with ``after`` all of it at once when the last token would have come."""
    begun = time.monotonic()
    pieces = [text[at : at + CHARS_PER_TOKEN] for at in range(0, len(text), CHARS_PER_TOKEN)]
    for number, piece in enumerate(pieces, 1):
        due = begun + number / pace
        if not after or number == len(pieces):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
        for _ in range(piece.count("\n")):
            arrivals.append(time.monotonic())
        if not after:
            yield piece
    if after:
        yield text


async def _once(screen: ax.Computer, line: str, pace: float, *, after: bool) -> tuple[float, float, float]:
    """Return (end, ideal end, first effect) in seconds from the start of the stream."""
    arrivals: list[float] = []
    done: list[tuple[float, float]] = []
    origin = time.monotonic()

    def emit(seconds: float, event: RunEvent) -> None:
        if isinstance(event, Executed) and len(done) < ACTIONS:
            done.append((seconds, event.ms / 1000))

    executor = Executor(screen, policy=ax.Policy(risky="allow"), emit=emit, origin=origin)
    await executor.run_burst(_stream(_answer(line), pace, arrivals, after=after))
    if len(done) != ACTIONS:
        raise SystemExit(f"overlap: {len(done)} of {ACTIONS} actions ran; the figures would mean nothing")
    came = [at - origin for at in arrivals[2 : 2 + ACTIONS]]
    ideal = 0.0
    for at, (_, lasted) in zip(came, done, strict=True):
        ideal = max(ideal, at) + lasted
    return done[-1][0], ideal, done[0][0]


async def _compare(name: str, screen: ax.Computer, line: str, pace: float) -> tuple[object, ...]:
    await _once(screen, line, 10_000, after=False)  # warm
    end, ideal, first = await _once(screen, line, pace, after=False)
    whole, _, whole_first = await _once(screen, line, pace, after=True)
    return (
        name,
        pace,
        f"{end:.3f}",
        f"{ideal:.3f}",
        f"{(end / ideal - 1) * 100:+.1f} %",
        f"{whole:.3f}",
        f"{whole / end:.2f}x",
        f"{first:.3f}",
        f"{whole_first:.3f}",
    )


HEAD = ("20 actions", "tokens/s", "ours s", "ideal s", "over", "after s", "saved", "first s", "first after s")


async def _table(cases: list[tuple[str, Callable[[], AbstractAsyncContextManager[Any]], str]]) -> None:
    rows = []
    for name, opened, line in cases:
        async with opened() as screen:
            for pace in PACES:
                rows.append(await _compare(name, screen, line, pace))
    show(HEAD, rows)


def _memory(length: float) -> Callable[[], AbstractAsyncContextManager[Any]]:
    button = {"role": "button", "name": "Count", "on_click": [{"count": "clicks"}]}
    scene = {"action_ms": length, "screen": [{"role": "window", "name": "Bench", "children": [button]}]}
    return lambda: ax.memory(scene)


def main() -> None:
    asyncio.run(_table([(f"memory {ms} ms", _memory(ms), CLICK) for ms in LENGTHS_MEMORY]))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "bench.html"
        page.write_text(PAGE)
        with served(Path(folder)) as base:
            url = f"{base}/bench.html"
            asyncio.run(
                _table(
                    [(f"Chromium {name}", lambda: ax.browser(url=url), line) for name, line in LENGTHS_BROWSER.items()]
                )
            )
