"""What a text in an address bar means: a URL, or nothing that can be shown (A6, Z16). Pure; nothing is opened here."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

_SCHEME = re.compile(r"^(https?)://", re.I)
_OTHER_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*):(?!\d{1,5}(?:[/?#]|$))", re.I)
_NO_HOST = re.compile(r"^(javascript|data|file|blob|about|mailto|tel|chrome|view-source|filesystem|vbscript):", re.I)
_HOST = re.compile(
    r"^(?:[\w-]+\.)+[\w-]{2,}\.?(?::\d{1,5})?(?:[/?#].*)?$|^[\w-]+:\d{1,5}(?:[/?#].*)?$|^localhost(?:[/?#].*)?$", re.I
)
_NUMBER = re.compile(r"^(\[[0-9a-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?:[/?#].*)?$", re.I)


def is_loopback(host: str) -> bool:
    """Tell whether a host name means this machine."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def as_address(text: str) -> str | None:
    """Return the URL that a text means: with ``http`` on loopback, else ``https``; None where it is no address."""
    text = text.strip()
    if not text or any(character <= " " or character == "\x7f" for character in text):
        return None
    if text.lower() == "about:blank":
        return "about:blank"
    if _SCHEME.match(text):
        return text if urlsplit(text).hostname else None
    if _OTHER_SCHEME.match(text) or scheme_of(text) is not None:
        return None
    if not (_HOST.match(text) or _NUMBER.match(text)):
        return None
    host = urlsplit("//" + text).hostname or ""
    return f"{'http' if is_loopback(host) else 'https'}://{text}"


def scheme_of(text: str) -> str | None:
    """Return the scheme that a text begins with, where it is not the port of a host."""
    found = _SCHEME.match(text.strip()) or _OTHER_SCHEME.match(text.strip()) or _NO_HOST.match(text.strip())
    return found.group(1).lower() if found else None
