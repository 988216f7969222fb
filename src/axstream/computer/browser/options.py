"""What a browser context may be made like: its size, language, place in time, proxy, credentials. Checked, never printed.

Nothing is opened here. Whatever can be told to be wrong before a browser runs is refused in one line that says what was
expected; no message, and no ``repr``, holds a credential.
"""

from __future__ import annotations

import math
import os
import re
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from axstream.errors import UsageError
from axstream.spec.wording import list_words, nearest

Spell = Callable[[str], str]

DEFAULT_VIEWPORT = (1280, 720)  # CSS pixels
MAX_SIDE = 10_000  # of a viewport; Chromium draws no larger one
MAX_RATIO = 8.0  # of device pixels to a CSS pixel; no screen has more, and pictures grow by its square
#: Holds ``user:password`` for a proxy whose address names none.
PROXY_VARIABLE = "AXSTREAM_PROXY_AUTH"
PROXY_SCHEMES = ("http", "https", "socks5", "socks4")
COLOR_SCHEMES = ("light", "dark", "no-preference")
#: What a person is asked for by Chromium, and Playwright can grant.
PERMISSIONS = (
    "accelerometer",
    "ambient-light-sensor",
    "background-sync",
    "camera",
    "clipboard-read",
    "clipboard-write",
    "geolocation",
    "gyroscope",
    "local-fonts",
    "local-network-access",
    "magnetometer",
    "microphone",
    "midi",
    "midi-sysex",
    "notifications",
    "payment-handler",
    "storage-access",
)
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LINE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_SIZE = re.compile(r"(\d{1,5})\s*[xX×,]\s*(\d{1,5})")  # a person may well write the sign; Playwright writes a comma


def as_keyword(name: str) -> str:
    """Spell an option as the library's callers do."""
    return name


class ContextOptions(msgspec.Struct, kw_only=True, frozen=True):
    """How a context of ours is made; None leaves it to the browser. ``kwargs`` checks it all."""

    viewport: tuple[int, int] | str | None = None
    device_scale_factor: float | None = None
    locale: str | None = None
    timezone: str | None = None
    user_agent: str | None = None
    color_scheme: str | None = None
    proxy: str | None = None
    extra_http_headers: Mapping[str, str] | None = None
    http_credentials: Sequence[str] | None = None
    ignore_https_errors: bool = False
    permissions: Sequence[str] | None = None

    def __repr__(self) -> str:
        """Name what was given, without its values: some are secrets."""
        return f"{type(self).__name__}({', '.join(self.given())})"

    def given(self) -> tuple[str, ...]:
        """Return the names of what is not left to the browser."""
        fields = ContextOptions.__struct_fields__
        return tuple(name for name in fields if getattr(self, name) is not None and getattr(self, name) is not False)

    def kwargs(self, origin: str | None, spell: Spell = as_keyword) -> dict[str, Any]:
        """Return Playwright's keywords for a new context. ``origin`` is that of the page which is shown first.

        Raises UsageError, one line, for what no context can be made like.
        """
        width, height = viewport_of(self.viewport, spell("viewport"))
        made: dict[str, Any] = {"viewport": {"width": width, "height": height}}
        checks: dict[str, tuple[str, Callable[[], Any]]] = {
            "device_scale_factor": ("device_scale_factor", lambda: _ratio(self.device_scale_factor, spell)),
            "locale": ("locale", lambda: _locale(self.locale, spell)),
            "timezone": ("timezone_id", lambda: _timezone(self.timezone, spell)),
            "user_agent": ("user_agent", lambda: _user_agent(self.user_agent, spell)),
            "color_scheme": ("color_scheme", lambda: _one_of(self.color_scheme, COLOR_SCHEMES, spell("color_scheme"))),
            "proxy": ("proxy", lambda: proxy_of(self.proxy, spell)),
            "extra_http_headers": ("extra_http_headers", lambda: _headers(self.extra_http_headers, spell)),
            "http_credentials": ("http_credentials", lambda: _credentials(self.http_credentials, origin, spell)),
            "ignore_https_errors": ("ignore_https_errors", lambda: True),
            "permissions": ("permissions", lambda: _permissions(self.permissions, spell)),
        }
        return made | {checks[name][0]: checks[name][1]() for name in self.given() if name != "viewport"}


def viewport_of(value: object, named: str) -> tuple[int, int]:
    """Return width and height in CSS pixels, from a pair or ``WIDTHxHEIGHT``; the default one for None."""
    match value:
        case None:
            return DEFAULT_VIEWPORT
        case str() if (size := _SIZE.fullmatch(value.strip())) is not None:
            pair = (int(size[1]), int(size[2]))
        case (int() as width, int() as height):
            pair = (width, height)
        case _:
            pair = (0, 0)
    if not all(1 <= side <= MAX_SIDE for side in pair):
        raise UsageError(
            f"{named}: {value!r} is no size; write width and height in CSS pixels, like "
            + ('"1280x720"' if isinstance(value, str) else "(1280, 720)")
            + f", each at most {MAX_SIDE}"
        )
    return pair


def _ratio(value: object, spell: Spell) -> float:
    ratio = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not 0 < ratio <= MAX_RATIO:
        raise UsageError(
            f"{spell('device_scale_factor')}: {value!r} is no number over 0 and at most {MAX_RATIO:g}; "
            "2 is a screen with two device pixels to a CSS pixel each way"
        )
    return ratio


def _locale(value: object, spell: Spell) -> str:
    if not isinstance(value, str) or not _LOCALE.fullmatch(value):
        better = value.partition(".")[0].replace("_", "-") if isinstance(value, str) else ""
        like = better if _LOCALE.fullmatch(better) else "de-DE"
        raise UsageError(f"{spell('locale')}: {value!r} is no language tag; write it like {like}")
    return value


def _timezone(value: object, spell: Spell) -> str:
    known = zoneinfo.available_timezones()  # none where the system keeps no list: then Chromium decides
    if isinstance(value, str) and value and (not known or value in known):
        return value
    near = nearest(value, known, 2) if isinstance(value, str) else []
    hint = f"did you mean {list_words(near)}?" if near else "write it like Europe/Berlin"
    raise UsageError(f"{spell('timezone')}: {value!r} is no time zone; {hint}")


def _user_agent(value: object, spell: Spell) -> str:
    if not isinstance(value, str) or not value.strip() or not _LINE.fullmatch(value):
        raise UsageError(f"{spell('user_agent')}: {value!r} cannot be a header's value; write one line of text")
    return value


def _one_of(value: object, known: Sequence[str], named: str) -> str:
    if isinstance(value, str) and value in known:
        return value
    near = nearest(value, known, 1) if isinstance(value, str) else []
    hint = f"did you mean {list_words(near)}?" if near else f"known are {list_words(known, 'and')}"
    raise UsageError(f"{named}: {value!r} is unknown; {hint}")


def _permissions(values: object, spell: Spell) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise UsageError(f"{spell('permissions')}: write a list of names, like ['clipboard-read']")
    return [_one_of(value, PERMISSIONS, spell("permissions")) for value in values]


def _headers(values: object, spell: Spell) -> dict[str, str]:
    named = spell("extra_http_headers")
    if not isinstance(values, Mapping):
        raise UsageError(f"{named}: write a dict of names and values, like {{'X-Team': 'blue'}}")
    for name, value in values.items():
        if not isinstance(name, str) or not _HEADER.fullmatch(name):
            raise UsageError(f"{named}: {name!r} is no header's name; it holds letters, digits and hyphens")
        if not isinstance(value, str) or not _LINE.fullmatch(value):
            raise UsageError(f"{named}: the value of {name} cannot be sent; write one line of text")
    return dict(values)


def _credentials(values: object, origin: str | None, spell: Spell) -> dict[str, str]:
    """Return the credentials bound to one origin: whoever else asks for some gets none."""
    named = spell("http_credentials")
    parts = () if isinstance(values, str) or not isinstance(values, Sequence) else tuple(values)
    if len(parts) not in (2, 3) or not all(isinstance(part, str) for part in parts) or not parts[0]:
        raise UsageError(f"{named}: write (user, password), or (user, password, origin)")
    if len(parts) == 3:
        origin = origin_of(parts[2])
        if origin is None:
            raise UsageError(f"{named}: {parts[2]!r} is no origin; write one like https://example.com")
    if origin is None:
        raise UsageError(
            f"{named}: nobody is named that may get them; begin with an address of that server, or name its origin"
        )
    return {"username": parts[0], "password": parts[1], "origin": origin}


def origin_of(address: str) -> str | None:
    """Return ``scheme://host[:port]`` of a web address, None where it is none."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port is not None and port != usual else "")


def proxy_of(value: object, spell: Spell = as_keyword) -> dict[str, str]:
    """Return Playwright's form of a proxy's address. Its ``user:password`` may stand in it, or in ``PROXY_VARIABLE``.

    Raises UsageError, which quotes nothing of the address that could be a credential.
    """
    named = spell("proxy")
    form = f"write it like http://127.0.0.1:8080, with one of {', '.join(PROXY_SCHEMES)}"
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not re.fullmatch(r"[\w.:%-]+", host):
        raise UsageError(f"{named}: what was given is no address of a proxy; {form}")
    if parts.scheme not in PROXY_SCHEMES:
        raise UsageError(f"{named}: {parts.scheme!r} is no scheme of a proxy; {form}")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise UsageError(f"{named}: a proxy has a host and a port, and nothing behind them; {form}")
    host = f"[{host}]" if ":" in host else host
    server = f"{parts.scheme}://{host}" + (f":{port}" if port is not None else "")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not user and (pair := os.environ.get(PROXY_VARIABLE)):
        user, colon, password = pair.partition(":")
        if not (user and colon):
            raise UsageError(f"{PROXY_VARIABLE} is not of the form user:password")
    if user and parts.scheme.startswith("socks"):
        raise UsageError(f"{named}: Chromium gives no user name and password to a SOCKS proxy; use an http one")
    return {"server": server} | ({"username": user, "password": password} if user else {})
