"""From an act to commands: what ``open`` means (A6, Z19), how keys and text become input. Pure; nothing is performed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import assert_never
from urllib.parse import urlsplit

from rapidfuzz import process

from axstream.computer.base import (
    Button,
    ClickAt,
    Command,
    DragTo,
    MoveTo,
    OpenApp,
    OpenUrl,
    PressKeys,
    TypeText,
    Wheel,
)
from axstream.errors import ActionDenied, ActionUnsupported, TargetNotFound
from axstream.spec.actions import (
    BuiltinAct,
    Click,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.keys import split_chord

Point = tuple[float, float]

_SCHEME = re.compile(r"^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$", re.DOTALL)
_PORT = re.compile(r"^\d{1,5}(?:[/?#].*)?$", re.DOTALL)
#: The last label of a name is never all digits: 3.14 is a number, and a browser would read it as an address.
_HOST = re.compile(
    r"^(?:(?:[\w-]+\.)+(?!\d+\.?(?:[:/?#]|$))[\w-]{2,}|localhost)\.?(?::\d{1,5})?(?:[/?#].*)?$", re.IGNORECASE
)
_ADDRESS = re.compile(r"^(\[[0-9a-fA-F:.]+\]|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?:[/?#].*)?$")
_NEAREST_APPS = 5  # as many names as fit one line of the next prompt


def _is_loopback(host: str) -> bool:
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
        return _checked(("http://" if _is_loopback(host) else "https://") + target, target)
    found = _SCHEME.match(target)
    if not found:
        return None
    scheme, rest = found.group(1).lower(), found.group(2)
    allowed = scheme in schemes
    if " " in target and not allowed and not rest.startswith("//"):
        return None  # "Note: groceries"
    if _PORT.match(rest) and "." not in scheme and not allowed:
        return _checked(("http://" if _is_loopback(scheme) else "https://") + target, target)
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


def lower_open(
    act: Open, apps: Sequence[str], *, schemes: Sequence[str], has_applications: bool, opens_urls: bool
) -> Command:
    """Return the command for ``open``: an installed application first, then an address (Z19).

    Raises TargetNotFound with the nearest names, ActionUnsupported on a computer without applications (A6).
    """
    wanted = act.target.strip()
    for name in apps:
        if name == wanted:
            return OpenApp(name=name)
    folded = [name for name in apps if name.casefold() == wanted.casefold()]
    if len(folded) == 1:
        return OpenApp(name=folded[0])
    url = as_url(wanted, schemes)
    if url is not None:
        if not opens_urls:
            raise ActionUnsupported("open: this computer shows no web pages; open an application by its name")
        return OpenUrl(url=url)
    if not has_applications:
        raise ActionUnsupported(
            f'open: "{wanted[:80]}" is no address, and this computer has no applications; give a URL'
        )
    near = [name for name, _, _ in process.extract(wanted, apps, limit=_NEAREST_APPS)]
    listed = ", ".join(near) if near else "none"
    raise TargetNotFound(f'open: no application is called "{wanted[:80]}"; the nearest are: {listed}')


def lower(act: BuiltinAct, point: Point | None, to: Point | None, handle: str | None) -> tuple[Command, ...]:
    """Return the input that performs an act at the points found for its targets, in order.

    ``wait`` and ``wait_until`` need no input; ``open`` has its own function.
    """
    match act:
        case Click() | DoubleClick() | RightClick():
            x, y = _known(point)
            button: Button = "right" if isinstance(act, RightClick) else "left"
            count = 2 if isinstance(act, DoubleClick) else 1
            return (ClickAt(x=x, y=y, button=button, count=count, handle=handle),)
        case Move():
            x, y = _known(point)
            return (MoveTo(x=x, y=y, handle=handle),)
        case Drag():
            (x, y), (to_x, to_y) = _known(point), _known(to)
            return (DragTo(x=x, y=y, to_x=to_x, to_y=to_y),)
        case Type():
            typing = TypeText(text=act.text, clear=act.clear, handle=handle)
            return (typing,) if point is None else (ClickAt(x=point[0], y=point[1], handle=handle), typing)
        case Key():
            modifiers, key = split_chord(act.keys)
            return (PressKeys(modifiers=modifiers, key=key),)
        case Scroll():
            return (Wheel(direction=act.direction, clicks=act.clicks),)
        case Open() | Wait() | WaitUntil():
            return ()
        case _:
            assert_never(act)


def _known(point: Point | None) -> Point:
    if point is None:  # the executor resolves before it lowers
        raise AssertionError("an act with a target was lowered without a point")
    return point
