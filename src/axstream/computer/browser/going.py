"""Showing a URL in a tab, and saying in one line why it could not be shown. Which URLs may be shown is decided above."""

from __future__ import annotations

import asyncio
import time

from axstream.computer.base import Effect
from axstream.computer.browser.launch import first_line, playwright_error
from axstream.computer.browser.tab import COMMIT_LIMIT_S, DialogOpen, Tab
from axstream.errors import ComputerTimeout, TargetNotFound

LOAD_LIMIT_S = 20.0  # a server that takes longer is as good as none
_STEP_S = 0.02
_ABORT_S = 0.15  # an answer without content, or a download that Chromium has not announced yet


def why_not_loaded(error: Exception) -> str:
    """Return the cause out of a failed navigation, in a few words: ``net::ERR_CONNECTION_REFUSED``."""
    text = first_line(error).removeprefix("Page.goto: ").removeprefix("Page.reload: ")
    if "Timeout" in text and "exceeded" in text:
        return f"no answer within {LOAD_LIMIT_S:g} s"
    return text.partition(" at http")[0]


def why_refused(tab: Tab, url: str, error: Exception) -> str:
    """Return in a line why a document did not come, as it was heard of, or else from what the navigation said."""
    heard = tab.refusals.take()
    return heard[-1] if heard else f"{url} could not be loaded: {why_not_loaded(error)}"


async def show(tab: Tab, url: str) -> Effect:
    """Show a URL; returns when its document is there. Raises TargetNotFound where it could not be loaded."""
    downloads = tab.downloads
    tab.refusals.take()  # those before are not of this address
    try:
        await _go(tab, url)
    except playwright_error() as error:
        cause = why_not_loaded(error)
        if "ERR_ABORTED" in cause or "Download is starting" in cause:
            limit = COMMIT_LIMIT_S if "Download" in cause else _ABORT_S
            deadline = time.monotonic() + limit
            while tab.downloads == downloads and time.monotonic() < deadline:  # it is told a moment later
                await tab.wait_changed(_STEP_S)
            shown = "a download" if tab.downloads > downloads else "nothing to show"
            return Effect(summary=f"{url} gave {shown}", moved=False)
        await _error_page(tab)
        raise TargetNotFound(f"open: {why_refused(tab, url, error)}") from error
    except ComputerTimeout as error:
        raise TargetNotFound(f"open: {url} could not be loaded: {error}") from error
    tab.url = tab.page.url
    tab.frames_due = False
    return Effect(summary=f"opened {url}")


async def _go(tab: Tab, url: str) -> None:
    going = asyncio.ensure_future(tab.page.goto(url, wait_until="domcontentloaded", timeout=LOAD_LIMIT_S * 1000))
    try:
        await tab.race(going, LOAD_LIMIT_S + 1, what=url)
    except DialogOpen:  # whether the old page may be left, or what the new one says
        tab.hold_up(going)
        raise


async def _error_page(tab: Tab) -> None:
    """Wait for Chromium's own page about the failure: coming later, it would interrupt the next wish."""
    deadline = time.monotonic() + COMMIT_LIMIT_S
    while not tab.page.url.startswith("chrome-error:") and not tab.closed and time.monotonic() < deadline:
        await tab.wait_changed(_STEP_S)
