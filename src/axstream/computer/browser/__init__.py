"""The ``browser`` computer: Chromium through Playwright. Its parts are the modules here; none is imported before use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axstream.computer.browser.computer import BrowserComputer

__all__ = ["BrowserComputer", "open_browser"]


def open_browser(
    argument: str | None, *, headed: bool = False, executable: str | None = None, downloads: str | None = None
) -> BrowserComputer:
    """Return the computer that ``browser`` and ``browser:URL`` name; nothing is started before it is entered."""
    from axstream.computer.browser.computer import BrowserComputer

    return BrowserComputer(url=argument or None, headed=headed, executable=executable, downloads=downloads)


def __getattr__(name: str) -> Any:
    if name == "BrowserComputer":
        from axstream.computer.browser.computer import BrowserComputer

        return BrowserComputer
    raise AttributeError(f"module 'axstream.computer.browser' has no attribute {name!r}")
