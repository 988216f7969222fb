"""Which browser, context and page a computer acts in: started, attached to, or the caller's. Nothing is driven here."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import anyio
import msgspec

from axstream.computer.browser.attach import Endpoint, attach, pick_page
from axstream.computer.browser.launch import STOP_LIMIT_S, Chromium, first_line, playwright_error
from axstream.computer.browser.options import ContextOptions, Spell, origin_of
from axstream.computer.browser.profile import prepare_profile
from axstream.computer.browser.storage import check_place, read_state
from axstream.computer.browser.tabs import Hold
from axstream.errors import ComputerError, Disconnected, UsageError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

#: What a computer may take instead of a browser of its own, and why it takes no other wishes.
_TAKEN = {
    "page": "is the caller's own, as it is",
    "context": "is the caller's own, as it is",
    "cdp": "is a browser that runs already, as it is",
    "browser": "is the caller's own, and runs already",
}
_OPENED_S = 10.0  # for a context or a tab to be made; measured: 30 ms


class Named(TypedDict, total=False):
    """What a caller may name beside the address that is shown first; what it means is told by ``BrowserComputer``."""

    page: Page | None
    context: BrowserContext | None
    browser: Browser | None
    cdp: str | None
    headed: bool
    executable: str | os.PathLike[str] | None
    profile: str | os.PathLike[str] | None
    viewport: tuple[int, int] | str | None
    device_scale_factor: float | None
    locale: str | None
    timezone: str | None
    user_agent: str | None
    color_scheme: str | None
    proxy: str | None
    extra_http_headers: Mapping[str, str] | None
    http_credentials: Sequence[str] | None
    ignore_https_errors: bool
    permissions: Sequence[str] | None
    storage_state: str | os.PathLike[str] | Mapping[str, Any] | None
    save_storage: str | os.PathLike[str] | None
    downloads: str | os.PathLike[str] | None


class Source(ContextOptions, kw_only=True, frozen=True):
    """What the caller named. ``check`` refuses what makes no sense together, before anything runs."""

    page: Any = None
    context: Any = None
    browser: Any = None
    cdp: str | None = None
    headed: bool = False
    executable: Any = None
    profile: Any = None
    downloads: Any = None
    storage_state: Any = None
    save_storage: Any = None
    spell: Spell

    def __repr__(self) -> str:
        """Name what was given, without its values: some are secrets."""
        return super().__repr__()

    def check(self, url: str | None) -> dict[str, Any]:
        """Return the keywords of a context to be made. Raises UsageError, one line, for what cannot be."""
        taken = [name for name in _TAKEN if getattr(self, name) is not None]
        if len(taken) > 1:
            raise UsageError(f"{' and '.join(map(self._said, taken))} exclude each other: name one")
        start = [name for name in ("headed", "executable", "profile") if getattr(self, name) not in (None, False)]
        made = [*(["storage_state"] if self.storage_state is not None else []), *self.given()]
        for name in taken:
            out = [*start, *(made if name != "browser" else [])]
            if name == "cdp" and self.downloads is not None:
                out.append("downloads")  # it has a folder of its own
            if out:
                raise UsageError(f"{self._said(name)} {_TAKEN[name]}: leave out {' and '.join(map(self._said, out))}")
        if self.profile is not None and self.storage_state is not None:
            raise UsageError(
                f"{self._said('profile')} keeps its own cookies and storage: leave out {self._said('storage_state')}, "
                "or the profile"
            )
        if self.save_storage is not None:
            check_place(self.save_storage, self.spell("save_storage"))
        if self.cdp is not None:
            Endpoint(self.cdp, self.spell)
        made_like = self.kwargs(origin_of(url) if url is not None else None, self.spell)
        if self.storage_state is not None:
            made_like["storage_state"] = read_state(self.storage_state, self.spell)
        return made_like

    def _said(self, name: str) -> str:
        spelled = self.spell(name)
        return f"{name}=" if spelled == name else spelled


class Home(msgspec.Struct, kw_only=True):
    """Where a computer is: a context and the page that it begins with."""

    context: Any
    page: Any
    hold: Hold
    chromium: Any = None  # what ends with us: our browser, or the connection to one that runs
    closes_context: bool = False
    denies: bool = False  # whether what a page would ask a person for is denied: only in a context of our own

    async def close(self) -> None:
        """Close what was opened for this computer; bounded, and silent where it is gone already."""
        if self.closes_context:
            with anyio.move_on_after(STOP_LIMIT_S), contextlib.suppress(playwright_error()):
                await self.context.close()
        if self.chromium is not None:
            await self.chromium.stop()


async def open_home(source: Source, url: str | None) -> Home:
    """Open what the source names. Raises UsageError or ComputerError, one line; then nothing is left running."""
    options = source.check(url)
    match source:
        case Source(page=None, context=None, browser=None, cdp=None):
            return await _own(source, options)
        case Source(cdp=str()):
            return await _attached(source, fresh=url is not None)
        case Source(page=None, context=None):
            context = await _made(source.browser.new_context(**options))
            return Home(
                context=context, page=await _page(context), hold=Hold(own=True), closes_context=True, denies=True
            )
        case Source(page=None):
            page = source.context.pages[-1] if source.context.pages else None
            hold = Hold(whole=True, mine=page is None)
            return Home(context=source.context, page=page or await _page(source.context), hold=hold)
        case _:
            return Home(context=source.page.context, page=source.page, hold=Hold())


async def _own(source: Source, options: dict[str, Any]) -> Home:
    profile = prepare_profile(source.profile, source.spell("profile")) if source.profile is not None else None
    chromium = await Chromium.start(
        headed=source.headed, executable=source.executable, profile=profile, context_options=options
    )
    try:
        context = chromium.context or await _made(chromium.running.new_context(**options))
        page = context.pages[0] if context.pages else await _page(context)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await chromium.stop()
        raise
    return Home(context=context, page=page, hold=Hold(own=True), chromium=chromium, denies=profile is None)


async def _attached(source: Source, *, fresh: bool) -> Home:
    """Take the tab that a person has before them; a new one for an address, or where there is none."""
    chromium = await attach(Endpoint(source.cdp, source.spell))
    try:
        contexts = chromium.running.contexts
        context = contexts[0] if contexts else await _made(chromium.running.new_context())
        page = None if fresh else await pick_page(context)
        page = page or await _page(context)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await chromium.stop()
        raise
    return Home(context=context, page=page, hold=Hold(keeps_all=True), chromium=chromium)


async def _made(opening: Any) -> BrowserContext:
    try:
        with anyio.fail_after(_OPENED_S):
            context: BrowserContext = await opening
            return context
    except playwright_error() as error:
        raise _not_made(error) from error
    except TimeoutError as error:
        raise ComputerError(f"the browser made no context within {_OPENED_S:g} s") from error


async def _page(context: BrowserContext) -> Page:
    try:
        with anyio.fail_after(_OPENED_S):
            return await context.new_page()
    except playwright_error() as error:
        raise _not_made(error) from error
    except TimeoutError as error:
        raise ComputerError(f"the browser opened no tab within {_OPENED_S:g} s") from error


def _not_made(error: Exception) -> Exception:
    said = first_line(error)
    if "has been closed" in said or "Connection closed" in said:
        return Disconnected("the browser is gone: its process ended, or it was closed; start anew")
    return UsageError(f"the browser takes none of these options: {said}")
