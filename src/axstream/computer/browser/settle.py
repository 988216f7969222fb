"""When a tab may be looked at: after an act (Z4), and before an observation (O7, facts). Nothing is read here but time."""

from __future__ import annotations

import time

import anyio

from axstream.computer.base import ClickAt, Command, DragTo, MoveTo, PressKeys
from axstream.computer.browser.tab import DialogOpen, Tab

SETTLE_CAP_S = 1.0  # facts: the cap that came back right on every case
QUIET_MS = 60.0  # facts: without a change that is not a ticker's
LATE_S = 0.2  # timers behind a click that nothing else shows yet; facts: a bare one of 150 ms was observed too early
TIP_S = 0.5  # tips and menus under the pointer come by a timer of up to half a second
UNSETTLED = f"the page was still loading {SETTLE_CAP_S:g} s after the last act; more may come"
_STEP_S = 0.015
_FRAMES_S = 0.04  # two frames and a little: after that nothing needs to be asked


async def after_act(tab: Tab) -> None:
    """Wait until what an act began is known, and a navigation that it began is there (Z4, at most 1 s).

    The tasks that the input queued have run; the rest of two frames is awaited when the page is asked next, so that
    an act with nothing behind it costs no frames.
    """
    try:
        await tab.ask("tasks")
    except DialogOpen:
        return
    tab.frames_due = True
    await tab.commit()


async def before_question(tab: Tab) -> None:
    """Wait out the two frames after the last act, and a navigation that shows in them (Z4)."""
    if not tab.frames_due:
        return
    tab.frames_due = False
    left = tab.acted_at + _FRAMES_S - time.monotonic()
    if left > 0:
        await tab.ask("frames", 2)
    await tab.commit()


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
