"""Attaching to a browser that runs already, by its debugging address. It was not started by us, and is never ended here."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import anyio

from axstream.ax.quote import plain
from axstream.computer.browser.launch import Chromium, first_line, start_driver, stop_driver
from axstream.computer.browser.options import Spell, as_keyword
from axstream.errors import ComputerError, UsageError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

ASK_LIMIT_S = 5.0  # for the few words in which a browser says who it is
ATTACH_LIMIT_S = 15.0  # for a browser with many tabs on a busy machine; a tab that hangs holds all up
LOOK_LIMIT_S = 1.0  # for a tab to say whether it is in front; one that is busy is not taken
MAX_ANSWER = 1 << 16  # bytes of what a browser says of itself
START = "start the browser with --remote-debugging-port=9222 and --user-data-dir=DIR"
_CHROMIUM = re.compile(r"(?:Headless)?Chrom(?:e|ium)/|Edg|Brave|Opera|Vivaldi", re.I)
_PORT = re.compile(r"\d{1,5}")
#: Of Chromium itself; a person does not mean it.
_INNER = ("devtools:", "chrome-extension:", "chrome-untrusted:")


class Endpoint:
    """A debugging address. ``str`` of it holds no path and no query, where secrets may stand."""

    def __init__(self, text: object, spell: Spell = as_keyword) -> None:
        said = text.strip() if isinstance(text, str) else ""
        said = f"127.0.0.1:{said}" if _PORT.fullmatch(said) else said
        said = said if "://" in said else f"http://{said}"
        form = "write it like http://127.0.0.1:9222, or ws://… as the browser prints it"
        try:
            parts = urlsplit(said)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or not re.fullmatch(r"[\w.:%-]+", host) or parts.scheme not in ("http", "https", "ws", "wss"):
            raise UsageError(f"{spell('cdp')}: what was given is no debugging address of a browser; {form}")
        if parts.scheme.startswith("http") and (parts.username is not None or parts.query):
            raise UsageError(
                f"{spell('cdp')}: an http address has no user name and no query; give the ws:// or wss:// address"
            )
        self.is_socket = parts.scheme.startswith("ws")
        self.url = urlunsplit(parts)
        self.host, self.port = host, port
        self.path = parts.path.rstrip("/")
        self.secure = parts.scheme in ("https", "wss")
        shown = f"[{host}]" if ":" in host else host
        self._shown = f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "")

    def __str__(self) -> str:
        """Return the address as a message may hold it."""
        return self._shown


async def attach(endpoint: Endpoint) -> Chromium:
    """Connect to a browser that runs. Raises ComputerError, one line, that says what is there instead.

    Nothing of it is changed: no window's size, no folder of downloads, no colours.
    """
    address = endpoint.url if endpoint.is_socket else await asyncio.to_thread(_socket_of, endpoint)
    driver = await start_driver()
    try:
        return Chromium.attached(driver, await _connect(driver, address, endpoint))
    except BaseException:
        with anyio.CancelScope(shield=True):
            await stop_driver(driver)
        raise


async def _connect(driver: Any, address: str, endpoint: Endpoint) -> Any:
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as TooLate

    try:
        return await driver.chromium.connect_over_cdp(address, no_defaults=True, timeout=ATTACH_LIMIT_S * 1000)
    except TooLate as error:
        if "<ws connected>" in str(error):
            raise ComputerError(
                f"{endpoint} took the connection and did not answer within {ATTACH_LIMIT_S:g} s: where it is a Chromium, "
                "one of its tabs hangs or shows a dialog; close that, and try again"
            ) from None
        raise ComputerError(f"{endpoint} did not answer within {ATTACH_LIMIT_S:g} s; {START}") from None
    except Error as error:
        text = str(error)
        if "ECONNREFUSED" in text:
            raise ComputerError(_nobody(endpoint)) from None
        status = re.search(r"Unexpected server response: (\d+)", text)
        why = f"it answered HTTP {status[1]}" if status else plain(first_line(error).replace(address, "it"), 120)
        raise ComputerError(
            f"{endpoint} could not be attached to: {why}; a browser prints its ws:// address when it starts, "
            "a new one each time, and its http:// address always serves"
        ) from None


def _nobody(endpoint: Endpoint) -> str:
    return f"nothing listens at {endpoint}; {START}"


def _socket_of(endpoint: Endpoint) -> str:
    """Ask a browser for the address that it is driven by."""
    kind = http.client.HTTPSConnection if endpoint.secure else http.client.HTTPConnection
    asked = kind(endpoint.host, endpoint.port, timeout=ASK_LIMIT_S)
    try:
        asked.request("GET", f"{endpoint.path}/json/version", headers={"Accept": "application/json"})
        answer = asked.getresponse()
        status, body = answer.status, answer.read(MAX_ANSWER)
    except ConnectionRefusedError:
        raise ComputerError(_nobody(endpoint)) from None
    except TimeoutError:
        raise ComputerError(
            f"{endpoint} took the connection and said nothing within {ASK_LIMIT_S:g} s: it is no browser's debugging "
            f"address, or the browser hangs; {START}"
        ) from None
    except (OSError, http.client.HTTPException) as error:
        why = plain(getattr(error, "strerror", None) or str(error) or type(error).__name__, 120)
        raise ComputerError(f"{endpoint} cannot be asked who it is: {why}; {START}") from None
    finally:
        asked.close()
    return _read_version(endpoint, status, body)


def _read_version(endpoint: Endpoint, status: int, body: bytes) -> str:
    try:
        said = json.loads(body) if status == http.client.OK else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise ComputerError(
            f"what listens at {endpoint} is no Chromium (HTTP {status} where it would name itself); {START}"
        )
    name, address = said.get("Browser"), said.get("webSocketDebuggerUrl")
    if not isinstance(name, str) or not isinstance(address, str) or not _CHROMIUM.search(name):
        who = plain(name, 60) if isinstance(name, str) else "something else"
        raise ComputerError(
            f"what listens at {endpoint} is {who}, and only Chromium and its kin can be driven; {START}"
        )
    return address


async def pick_page(context: BrowserContext) -> Page | None:
    """Return the tab that a person has before them: the one with the focus, else one that shows, else the last."""
    pages = [page for page in context.pages if not page.url.startswith(_INNER)]
    ranks = await asyncio.gather(*(_front(page) for page in pages))
    best = max(range(len(pages)), key=lambda at: (ranks[at], at), default=None)
    return pages[best] if best is not None and ranks[best] >= 0 else None


async def _front(page: Page) -> int:
    from playwright.async_api import Error

    try:
        with anyio.move_on_after(LOOK_LIMIT_S):
            rank: int = await page.evaluate("document.hasFocus() ? 2 : document.visibilityState === 'visible' ? 1 : 0")
            return rank
    except Error:
        pass  # it crashed, or closed meanwhile
    return -1
