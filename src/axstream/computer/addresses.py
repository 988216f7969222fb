"""What a text means as an address (A6, Z16, Z19), for ``open`` and for address bars. Pure; nothing is opened here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from axstream.errors import ActionDenied, TargetNotFound

_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$", re.DOTALL)
_PORT = re.compile(r"^\d{1,5}(?:[/?#].*)?$", re.DOTALL)
#: The last label of a name is never all digits: 3.14 is a number, and a browser would read it as an address.
_HOST = re.compile(
    r"^(?:(?:[\w-]+\.)+(?!\d+\.?(?:[:/?#]|$))[\w-]{2,}|localhost)\.?(?::\d{1,5})?(?:[/?#].*)?$", re.IGNORECASE
)
_ADDRESS = re.compile(r"^(\[[0-9a-fA-F:.]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?:[/?#].*)?$")

#: With digits behind them these are still schemes, and no hosts with a port.
_NEVER_HOSTS = frozenset(
    ("about", "blob", "chrome", "data", "file", "filesystem", "javascript", "mailto", "tel", "vbscript", "view-source")
)


def is_loopback(host: str) -> bool:
    """Tell whether a host name means this machine."""
    if host.lower().rstrip(".") == "localhost" or host.lower().rstrip(".").endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _looks_like_address(target: str) -> bool:
    found = _ADDRESS.match(target)
    if not found:
        return False
    try:
        ip_address(found.group(1).strip("[]"))
    except ValueError:
        return False
    return True


def as_url(target: str, schemes: Sequence[str]) -> str | None:
    """Return the URL that ``open``'s target means, None where it is not one (A6, Z19: host[:port], then schemes).

    Spaces in a path or query are escaped. Raises ActionDenied for a scheme that is not on the allow-list,
    TargetNotFound for an address that no browser could follow.
    """
    if any(ord(char) < 0x20 or char == "\x7f" for char in target):
        return None  # a control character is in no address that a person would mean
    if _HOST.match(target) or _looks_like_address(target):
        host = re.split(r"[:/?#]", target)[0] if target[0] != "[" else target[: target.index("]") + 1]
        return _checked(("http://" if is_loopback(host) else "https://") + target, target)
    found = _SCHEME.match(target)
    if not found:
        return None
    scheme, rest = found.group(1).lower(), found.group(2)
    allowed = scheme in schemes
    if " " in target and not allowed and not rest.startswith("//"):
        return None  # "Note: groceries"
    if _PORT.match(rest) and "." not in scheme and not allowed and scheme not in _NEVER_HOSTS:
        return _checked(("http://" if is_loopback(scheme) else "https://") + target, target)
    if not allowed or (scheme == "about" and rest.lower() != "blank"):
        listed = ", ".join("about:blank" if name == "about" else name for name in schemes)
        raise ActionDenied(f"open: the scheme {scheme}: is not allowed here; allowed are {listed}")
    return _checked(target, target) if scheme in ("http", "https") else target.replace(" ", "%20")


def _checked(url: str, said: str) -> str:
    """Return a web address with its spaces escaped, once a host and a port can be read from it (else TargetNotFound)."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise TargetNotFound(f'open: "{said[:80]}" is no address: {" ".join(str(error).split())}')
    if not host:
        raise TargetNotFound(f'open: "{said[:80]}" names no host; write it like https://example.com/page')
    if " " in parts.netloc or "\\" in parts.netloc:  # readers of addresses disagree about what these mean
        raise TargetNotFound(f'open: "{said[:80]}" is no address: its host holds a space or a backslash')
    return url.replace(" ", "%20")
