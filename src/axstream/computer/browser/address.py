"""What a text in the browser's address bar means: a web address, or nothing that it shows (Z16). Pure."""

from __future__ import annotations

from axstream.computer.addresses import as_url
from axstream.errors import ActionDenied, TargetNotFound

SCHEMES = ("http", "https", "about")  # what the bar takes, whatever a policy allows to ``open``


def as_address(text: str) -> str | None:
    """Return the URL that a text means: with ``http`` on loopback, else ``https``; None where it is no address."""
    try:
        return as_url(text.strip(), SCHEMES)
    except (ActionDenied, TargetNotFound):
        return None


def scheme_of(text: str) -> str | None:
    """Return the scheme that a text begins with, where the bar does not take it."""
    try:
        as_url(text.strip(), SCHEMES)
    except ActionDenied:
        return text.strip().partition(":")[0].lower()
    except TargetNotFound:
        return None
    return None
