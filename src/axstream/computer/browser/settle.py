"""When a tab may be looked at: after an act (Z4), and before an observation (O7, facts). Nothing is read here but time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import TypedDict

import anyio

from axstream.ax.node import Tree
from axstream.computer.base import ClickAt, Command, DragTo, MoveTo, PressKeys
from axstream.computer.browser.guarding import Averted
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.computer.browser.walking import Look, walk_tab

SETTLE_CAP_S = 1.0  # facts: the cap that came back right on every case
QUIET_MS = 60.0  # facts: without a change that is not a ticker's
LATE_S = 0.2  # timers behind a click that nothing else shows yet; facts: a bare one of 150 ms was observed too early
TIP_S = 0.5  # tips and menus under the pointer come by a timer of up to half a second
UNSETTLED = f"the page was still loading {SETTLE_CAP_S:g} s after the last act; more may come"
_STEP_S = 0.015
_HEARD_S = 0.004  # the answer is on its way when the click was delivered; where no click came of it, none is


class _Afterwards(TypedDict):
    averted: Averted | None
    asks: list[str]


async def after_act(tab: Tab, *, instead: bool = False) -> Averted | None:
    """Wait until what an act began is known, and a navigation that it began is there (Z4, at most 1 s).

    The tasks that the input queued have run; the rest of two frames is awaited when the page is asked next, so that
    an act with nothing behind it costs no frames. Returns what the guard in the page averted. ``instead`` of what
    ``after_click`` waited for.
    """
    try:
        return await _take(tab, await tab.ask("tasks", instead))
    except DialogOpen:
        return None


async def tasks_run(tab: Tab) -> None:
    """Wait for the tasks that the input of an unfinished act queued. Raises DialogOpen where it opened a dialog."""
    seen: _Afterwards = await tab.ask("tasks", False)
    tab.tell_asks(seen["asks"])


async def after_click(tab: Tab, click: Awaitable[None], clicks: int) -> Averted | None:
    """Deliver a click, and wait as ``after_act`` does; asked beforehand, the page answers as soon as it had the click."""
    heard: asyncio.Future[_Afterwards | None] = asyncio.ensure_future(tab.main.call_once("clicked", clicks))
    heard.add_done_callback(lambda done: done.cancelled() or done.exception())
    await click
    await asyncio.wait({heard}, timeout=_HEARD_S)
    if heard.done() and not heard.cancelled() and heard.exception() is None and (seen := heard.result()) is not None:
        return await _take(tab, seen)
    return await after_act(tab, instead=True)


async def _take(tab: Tab, seen: _Afterwards) -> Averted | None:
    tab.tell_asks(seen["asks"])
    tab.frames_due = True
    await tab.commit()
    return seen["averted"]


async def before_question(tab: Tab) -> None:
    """Wait out the two frames after the last act, and a navigation that shows in them (Z4)."""
    if not tab.frames_due:
        return
    tab.frames_due = False
    await tab.ask("framesPassed")
    await tab.commit()


async def walked_at_rest(tab: Tab, look: Look) -> Tree:
    """Walk a tab as ``before_question`` would have it: the page itself waits for the frames, which saves a question."""
    due, tab.frames_due = tab.frames_due, False
    tree = await walk_tab(tab, look)
    if due and tab.navigating:
        await tab.commit()
        tree = await walk_tab(tab, look)
    return tree


def expects(command: Command) -> float:
    """Return for how many seconds something may still come of an act that has shown no effect at all."""
    match command:
        case MoveTo():
            return TIP_S
        case ClickAt() | PressKeys() | DragTo():
            return LATE_S
        case _:
            return 0.0


async def before_observation(tab: Tab) -> float:
    """Wait until the page has settled: its requests, its documents, what moves, 60 ms without a change; capped at 1 s.

    Where nothing at all has come of the last act yet, a little longer, but no longer than until something does.
    Returns the seconds that it took; ``SETTLE_CAP_S`` or more where the page had not settled by then.
    """
    begun = time.monotonic()
    await before_question(tab)
    while time.monotonic() - begun < SETTLE_CAP_S and tab.dialog is None:
        await tab.commit(max(begun + SETTLE_CAP_S - time.monotonic(), 0.0))
        acted_s = time.monotonic() - tab.acted_at
        seen = await tab.ask("quiet", acted_s * 1000)
        if tab.loading() or seen["loading"] or tab.navigating:
            await anyio.sleep(_STEP_S)
            continue
        missing = max(QUIET_MS - seen["ms"], seen["moving"]) / 1000
        if missing > 0:
            await anyio.sleep(min(missing, max(begun + SETTLE_CAP_S - time.monotonic(), 0.0)))
        elif not seen["effect"] and acted_s < tab.expects_s:
            await anyio.sleep(_STEP_S)
        else:
            break
    tab.expects_s = 0.0
    return time.monotonic() - begun
