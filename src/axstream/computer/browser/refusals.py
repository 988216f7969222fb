"""Why a document did not come: a server that asks who one is, a certificate that nobody vouches for, no server at all.

Nothing is answered here: credentials and exceptions are given by whoever starts the browser, never by a page or a model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from axstream.ax.quote import plain, quote

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page, Request, Response

ERROR_PAGE = "chrome-error:"  # what Chromium shows in the place of a document that did not come
_CERTIFICATES = {
    "ERR_CERT_AUTHORITY_INVALID": "nobody known vouches for it",
    "ERR_CERT_DATE_INVALID": "it has expired, or is not valid yet",
    "ERR_CERT_COMMON_NAME_INVALID": "it is that of another host",
    "ERR_CERT_REVOKED": "it was revoked",
}
_REALM = re.compile(r'realm="?([^",]*)', re.I)
_SAID = 200  # characters of an address in a note
_KEPT = 8  # refusals that nobody asked for yet; of a page full of dead frames the last ones


class Refusals:
    """What one page was refused, as lines that were not told yet."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lines: list[str] = []
        self._warned = False

    def listen(self) -> None:
        """Hear the page's documents from now on."""
        self._page.on("response", self._on_response)
        self._page.on("requestfailed", self._on_failed)
        self._page.on("framenavigated", self._on_navigated)

    def ignore(self) -> None:
        """Stop listening."""
        self._page.remove_listener("response", self._on_response)
        self._page.remove_listener("requestfailed", self._on_failed)
        self._page.remove_listener("framenavigated", self._on_navigated)

    @property
    def warned(self) -> bool:
        """Whether the browser's own warning about a certificate stands in the place of the page."""
        return self._warned and self._page.url.startswith(ERROR_PAGE)

    def take(self) -> tuple[str, ...]:
        """Return what was refused since this was asked last."""
        lines, self._lines = tuple(self._lines), []
        return lines

    def _tell(self, request: Request, said: str) -> None:
        inner = "" if request.frame == self._page.main_frame else "a frame of the page: "
        self._lines = [*self._lines, inner + said][-_KEPT:]

    def _on_response(self, response: Response) -> None:
        if response.status not in (401, 407) or not response.request.is_navigation_request():
            return
        header = "www-authenticate" if response.status == 401 else "proxy-authenticate"
        self._tell(
            response.request,
            asks_for_credentials(response.url, response.headers.get(header, ""), proxy=response.status == 407),
        )

    def _on_failed(self, request: Request) -> None:
        if not request.is_navigation_request():
            return
        failure = request.failure or ""
        if "ERR_ABORTED" in failure or "ERR_INVALID_AUTH_CREDENTIALS" in failure:  # a download; said already
            return
        if request.frame == self._page.main_frame:
            self._warned = "ERR_CERT" in failure
        self._tell(request, did_not_come(request.url, failure))

    def _on_navigated(self, frame: Frame) -> None:
        if frame == self._page.main_frame and not frame.url.startswith(ERROR_PAGE):
            self._warned = False


def asks_for_credentials(url: str, challenge: str, *, proxy: bool = False) -> str:
    """Return in a line that a server, or the proxy before it, asks for a name and password."""
    scheme = challenge.partition(" ")[0].lower()
    realm = _REALM.search(challenge)
    how = ", ".join(
        [
            f"HTTP {407 if proxy else 401}",
            *([plain(scheme, 20)] if scheme else []),
            *([f"realm {quote(realm[1], 60)}"] if realm and realm[1] else []),
        ]
    )
    who = f"the proxy before {plain(url, _SAID)}" if proxy else plain(url, _SAID)
    return (
        f"{who} asks for a user name and password ({how}); only who starts the browser can give them (http_credentials)"
    )


def did_not_come(url: str, failure: str) -> str:
    """Return in a line why a document did not come, from Chromium's ``net::ERR_...``."""
    where = plain(url, _SAID)
    code = failure.partition("net::")[2] or failure or "no reason was given"
    if not code.startswith("ERR_CERT"):
        return f"{where} could not be loaded: {failure or code}"
    why = _CERTIFICATES.get(code, "the browser does not trust it")
    return (
        f"{where} could not be loaded: its certificate is not accepted, {why} (net::{code}); "
        "only who starts the browser can accept it (ignore_https_errors)"
    )
