"""When a tab may be looked at: after an act (Z4), and before an observation (O7, facts). Nothing is read here but time."""

from __future__ import annotations

import time

import anyio

from axstream.computer.browser.tab import DialogOpen, Tab

SETTLE_CAP_S = 1.0  # facts: the cap that came back right on every case
QUIET_MS = 60.0  # facts: without a change that is not a ticker's
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


async def before_observation(tab: Tab) -> float:
    """Wait until the page has settled: its requests, its documents, 60 ms without a change; capped at 1 s.

    Returns the seconds that it took.
    """
    begun = time.monotonic()
    await before_question(tab)
    while time.monotonic() - begun < SETTLE_CAP_S and tab.dialog is None:
        await tab.commit(max(begun + SETTLE_CAP_S - time.monotonic(), 0.0))
        seen = await tab.ask("quiet")
        if not tab.loading() and not seen["loading"] and not tab.navigating:
            missing = QUIET_MS - seen["ms"]
            if missing <= 0:
                break
            await anyio.sleep(missing / 1000)
        else:
            await anyio.sleep(_STEP_S)
    return time.monotonic() - begun
