"""The ``browser`` computer: Chromium through Playwright. Its parts are the modules here; none is imported before use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from axstream.computer.browser.computer import BrowserComputer
    from axstream.computer.browser.opening import Named
    from axstream.computer.browser.options import Spell

__all__ = ["BrowserComputer", "open_browser"]

#: What ``browser:`` has behind it where a browser is meant that runs already; else it is an address to be shown.
ATTACH = "cdp="


def open_browser(argument: str | None, *, spell: Spell | None = None, **named: Unpack[Named]) -> BrowserComputer:
    """Return the computer that ``browser``, ``browser:URL`` and ``browser:cdp=ADDRESS`` name; nothing is started yet.

    ``named`` is what ``BrowserComputer`` takes; ``spell`` is how the caller's messages write such a name.
    """
    from axstream.computer.browser.computer import BrowserComputer
    from axstream.computer.browser.options import as_keyword

    url = argument or None
    if argument is not None and argument.strip().startswith(ATTACH):
        url, named["cdp"] = None, argument.strip().removeprefix(ATTACH)
    return BrowserComputer(url=url, spell=spell or as_keyword, **named)


def __getattr__(name: str) -> Any:
    if name == "BrowserComputer":
        from axstream.computer.browser.computer import BrowserComputer

        return BrowserComputer
    raise AttributeError(f"module 'axstream.computer.browser' has no attribute {name!r}")
