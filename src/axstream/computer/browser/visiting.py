"""Being in a person's own browser: what its tabs need meanwhile, and what is left to the person. Nothing of it is closed."""

from __future__ import annotations

import contextlib
from typing import Any

from axstream.ax.quote import plain
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.tab import Tab

MAX_NAME = 120  # letters of a download's name in a note; a page may choose any


async def visit(tab: Tab) -> None:
    """Have a tab take input though its window may lie behind others, and tell of its downloads. Ends with its session."""

    def tell(event: dict[str, Any]) -> None:
        name = plain(event.get("suggestedFilename", ""), MAX_NAME)
        tab.hear_download()
        tab.news.append(f"a download began: {name}; it goes where that browser keeps its downloads")

    tab.session.on("Page.downloadWillBegin", tell)
    with contextlib.suppress(playwright_error()):
        await tab.session.send("Emulation.setFocusEmulationEnabled", {"enabled": True})


def leave_to_others(_dialog: object) -> None:
    """Hear a dialog and do nothing: where nobody listens, Playwright would dismiss what opens in the person's own tabs."""
