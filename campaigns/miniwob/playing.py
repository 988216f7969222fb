"""Plays episodes on a real browser: begins one, shows each observation to a strategy, performs its stream, reads the reward.

Beginning an episode and reading its reward are the only two touches on a page's scripts; a strategy never has the page.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import AsyncIterator, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import axstream
from axstream.errors import AxstreamError, UsageError
from axstream.trace.events import Executed, Failed, Observation, RunEvent
from campaigns.miniwob.screen import Screen, read
from campaigns.miniwob.strategies import choose

if TYPE_CHECKING:
    from axstream.computer.browser.computer import BrowserComputer

#: What a strategy is: it yields bursts (lines of a stream) and gets the observation after each.
Strategy = Generator[list[str], Screen, None]

MOST_BURSTS = 40  # in one episode: a tree of menus or a calendar of two years is through by then
EPISODE_S = 60.0  # as much as one episode may take; a person has 10 to 30 s, and no strategy comes near this one
#: The pages' own clock, in ms, far over ours: time never decides an episode.
_BEGIN = "seed => { Math.seedrandom(String(seed)); core.EPISODE_MAX_TIME = 3600000; core.startEpisodeReal(); }"
_REWARD = "() => [WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]"


def pages() -> Path:
    """Return the folder of the pages of the installed ``miniwob``, which is not imported: its code needs other packages."""
    found = importlib.util.find_spec("miniwob")
    if found is None or not found.submodule_search_locations:
        raise UsageError("the pages are missing; get them with: pip install --no-deps -c constraints.txt miniwob")
    return Path(found.submodule_search_locations[0]) / "html"


def task_names(folder: Path) -> list[str]:
    """Return the names of all tasks."""
    return sorted(page.stem for page in (folder / "miniwob").glob("*.html"))


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """How one episode went. ``offered`` counts the elements with an id at its beginning."""

    task: str
    seed: int
    solved: bool = False
    reward: float = 0.0
    kind: str = ""
    offered: int = 0
    bursts: int = 0
    seconds: float = 0.0
    why: str = ""  # why it was not solved, as far as the run can tell
    record: tuple[str, ...] = ()  # observations and bursts, in turn


async def play(screen: BrowserComputer, base: str, task: str, seed: int, *, act: bool = True) -> Played:
    """Play one episode; only load and observe it where ``act`` is false."""
    began = time.monotonic()
    record: list[str] = []
    kind, offered, bursts = "", 0, 0

    def ended(why: str, *, reward: float = 0.0) -> Played:
        return Played(
            task=task,
            seed=seed,
            solved=reward == 1.0,
            reward=reward,
            kind=kind,
            offered=offered,
            bursts=bursts,
            seconds=time.monotonic() - began,
            why=why,
            record=tuple(record),
        )

    try:
        await screen.page.goto(f"{base}/miniwob/{task}.html")
        await screen.page.evaluate(_BEGIN, seed)
        shown = await _perform(screen, [], record)
        offered = len(shown.all())
        if not act:
            return ended("")
        chosen = choose(shown)
        if chosen is None:
            return ended("no strategy for an instruction like this")
        kind = chosen.kind
        strategy = chosen.begin(shown)
        burst = next(strategy, None)
        while burst is not None:
            bursts += 1
            shown = await _perform(screen, burst, record)
            done, reward = await screen.page.evaluate(_REWARD)
            if done:
                return ended("" if reward == 1 else f"the page gave {reward:g}", reward=reward)
            if bursts == MOST_BURSTS or time.monotonic() - began > EPISODE_S:
                return ended("not through with it in time")
            try:
                burst = strategy.send(shown)
            except StopIteration:
                burst = None
        return ended(f"the strategy knew no further{': ' + shown.failed if shown.failed else ''}")
    except AxstreamError as error:
        return ended(f"{type(error).__name__}: {error}")


async def _perform(screen: BrowserComputer, burst: list[str], record: list[str]) -> Screen:
    """Perform one burst, its last line an ``observe``; return what is seen then."""
    if burst:
        record.append("\n".join(burst))
    failed, effects = "", []
    seen: Observation | None = None
    async for event in axstream.execute(_stream(burst), screen, policy=axstream.Policy(risky="allow")):
        match event:
            case Observation():
                seen = event
            case Failed():
                failed = event.message
            case Executed():
                effects.append(event.effect)
            case _:
                _rejected(event, record)
    if seen is None:  # an act failed, and the burst ended there (E2)
        record.append(f"failed: {failed}")
        again = await _perform(screen, [], record)
        return msgspec.structs.replace(again, failed=failed, effects=tuple(effects))
    record.append(seen.outline)
    return read(seen, failed=failed, effects=tuple(effects))


def _rejected(event: RunEvent, record: list[str]) -> None:
    if isinstance(event, axstream.trace.events.Rejected):
        record.append(f"rejected: {event}")


async def _stream(burst: list[str]) -> AsyncIterator[str]:
    yield "```jsonl\n"
    for line in [*burst, '{"op":"observe"}']:
        yield line + "\n"
    yield "```\n"
