"""From the arguments to a computer: the options that were given, spelled as they are typed. Nothing is started here."""

from __future__ import annotations

import argparse
import os
from typing import Any

from axstream.computer.base import Computer
from axstream.computer.registry import open_computer
from axstream.errors import UsageError

#: Options whose name on the command line is not that of the library with hyphens.
_SPELLED = {"extra_http_headers": "--extra-http-header", "cdp": "browser:cdp"}
#: What is handed on as it was typed.
_AS_TYPED = (
    "profile",
    "viewport",
    "device_scale_factor",
    "locale",
    "timezone",
    "user_agent",
    "color_scheme",
    "proxy",
    "permissions",
    "storage_state",
    "save_storage",
    "downloads",
)


def spell(option: str) -> str:
    """Return how an option of the library is typed."""
    return _SPELLED.get(option) or "--" + option.replace("_", "-")


def open_named(args: argparse.Namespace) -> Computer:
    """Return the computer that ``--computer`` names, with the options that were given; not entered yet.

    Raises UsageError, one line, for what the computer does not take, and for what makes no sense together.
    """
    options: dict[str, Any] = {name: getattr(args, name) for name in _AS_TYPED}
    return open_computer(
        args.computer,
        headed=args.headed,
        executable=args.executable,
        spell=spell,
        extra_http_headers=_headers(args.extra_http_header),
        http_credentials=_credentials(args.http_credentials) if args.http_credentials is not None else None,
        ignore_https_errors=args.ignore_https_errors or None,
        **options,
    )


def _headers(given: list[tuple[str, str]]) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for name, value in given:
        if name.lower() in map(str.lower, found):
            raise UsageError(f"--extra-http-header: {name} is given twice; write its values in one")
        found[name] = value
    return found or None


def _credentials(named: tuple[str, str]) -> tuple[str, ...]:
    variable, origin = named
    said = os.environ.get(variable)
    if said is None:
        raise UsageError(f"--http-credentials: the environment variable {variable} is not set; it holds user:password")
    user, colon, password = said.partition(":")
    if not (user and colon):
        raise UsageError(f"--http-credentials: {variable} is not of the form user:password")
    return (user, password, origin) if origin else (user, password)
