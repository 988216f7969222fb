"""A JSON value as one line of bytes, whatever its texts hold. No event is known here, so that ``check`` starts light."""

from __future__ import annotations

import json
import math
import re

import msgspec

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
#: JSON lets these stand in a string as they are; but many a reader splits its lines at U+0085, U+2028 and U+2029, and a
#: terminal obeys DEL, C1 controls and marks that turn text around.
_TROUBLE = re.compile(rb"\x7f|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")

_encoder = msgspec.json.Encoder()


def encode_line(value: object) -> bytes:
    """Encode a JSON value as one line of UTF-8: never an error for a strange text or number, never a second line.

    A lone surrogate becomes U+FFFD, a number that is not finite becomes null, an integer of any size stands.
    """
    try:
        line = _encoder.encode(value)
    except (UnicodeEncodeError, OverflowError, ValueError):
        line = json.dumps(_mended(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return _TROUBLE.sub(_escape, line) + b"\n"


def _escape(found: re.Match[bytes]) -> bytes:
    return rb"\u%04x" % ord(found.group().decode())


def _mended(value: object) -> object:
    match value:
        case str():
            return _LONE_SURROGATE.sub("\ufffd", value)
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {_LONE_SURROGATE.sub("\ufffd", str(name)): _mended(item) for name, item in value.items()}
        case list() | tuple():
            return [_mended(item) for item in value]
        case _:
            return value
