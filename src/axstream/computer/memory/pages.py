"""Pages of the browser-like window: addresses, which page answers one, loading it into a view. No effects here."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, quote_plus, urlsplit

from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.live import Live
from axstream.computer.memory.scene import Element, Page, Scene

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?([/?#].*)?")


def view_of(desktop: Desktop, near: Live | None) -> Live | None:
    """Return the element that browses in the window of an element, else the first one of the scene."""
    if near is not None:
        for live in desktop.window_of(near).walk():
            if live.spec.browse:
                return live
    return next((live for live in desktop.all() if live.spec.browse), None)


def address(scene: Scene, text: str) -> str:
    """Turn what was typed into an address bar into a URL: an address as it is, words as a search."""
    text = text.strip()
    if _SCHEME.match(text) and not _HOST.fullmatch(text):
        return text
    if _HOST.fullmatch(text) or any(_fits(page.url, text) for page in scene.pages):
        return "https://" + text
    return scene.search.replace("{}", quote_plus(text)) if scene.search else text


def find(scene: Scene, url: str) -> Page:
    """Return the first page that answers a URL; an address that none answers gets a page that says so."""
    for page in scene.pages:
        if _fits(page.url, url):
            return page
    gone = (
        Element(role="heading", level=1, name="This page cannot be found"),
        Element(role="text", name=f"Nothing answers at {url}"),
    )
    return Page(url=url, title="Page not found", children=gone)


def load(desktop: Desktop, view: Live, page: Page, url: str, *, remember: bool) -> None:
    """Put a page into a view in place of what it showed."""
    for live in list(view.children):
        desktop.remove(live)
    if remember and view.page:
        view.history.append(view.url)
    view.page = str(desktop.new_number())
    view.url = url
    pairs = parse_qsl(urlsplit(url).query)
    view.query = dict(reversed(pairs)).get("q", pairs[0][1]) if pairs else ""
    view.offset = (0.0, 0.0)
    view.page_keys = page.on_key
    focus = desktop.focus
    if focus is not None and desktop.window_of(focus) is desktop.window_of(view):
        desktop.focus_on(None)
    for spec in page.children:
        desktop.make(spec, view)
    wanted = next((live for live in view.walk() if live.spec.autofocus), None)
    if wanted is not None:
        desktop.focus_on(wanted)


def _bare(url: str) -> str:
    return re.sub(r"^https?://", "", url.strip().casefold()).rstrip("/")


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, _bare(pattern).split("*"))), re.DOTALL)


def _fits(pattern: str, url: str) -> bool:
    bare, wanted = _bare(url), _pattern(pattern)
    return wanted.fullmatch(bare) is not None or wanted.fullmatch(bare + "/") is not None
