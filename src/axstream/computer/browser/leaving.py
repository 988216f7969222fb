"""Leaving a page of somebody else's as it was: what stands in its documents goes, what listened is quiet. Nothing is closed."""

from __future__ import annotations

import contextlib

import anyio

from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.realm import DocumentLeft, RealmGone
from axstream.computer.browser.tab import DialogOpen, PageFailed, Tab
from axstream.errors import ComputerError

DOCUMENTS_LIMIT_S = 1.0  # a question of a millisecond; in a page that hangs what stands there stays


async def dismiss(tab: Tab) -> None:
    """Answer a dialog that waits with Cancel, as Playwright does from now on with what opens without a listener of ours."""
    if tab.dialog is not None:
        with contextlib.suppress(playwright_error()):
            await tab.dialog.dialog.dismiss()
        tab.dialog = None


async def leave_page(tab: Tab) -> None:
    """Answer what waits, take our scripts out of the documents, end our sessions; never raises.

    A page that stays blocked by a question that nobody hears any more could not even be attached to again.
    """
    await dismiss(tab)
    with anyio.move_on_after(DOCUMENTS_LIMIT_S):
        for realm in tab.realms:
            with contextlib.suppress(DialogOpen, DocumentLeft, RealmGone, ComputerError, PageFailed):
                await tab.race(realm.call_once("leave"), DOCUMENTS_LIMIT_S)
    for realm in tab.realms:
        with contextlib.suppress(playwright_error()):
            await realm.session.detach()
