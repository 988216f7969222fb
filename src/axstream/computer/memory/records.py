"""What a memory computer received, as frozen values in order: the proof of delivery in tests. Nothing is received here.

``t`` is seconds since the computer was started, on its own clock. ``on`` and ``into`` are ids of the scene
(handles where the element has no id), "" for bare background.
"""

from __future__ import annotations

import msgspec


class _Received(msgspec.Struct, frozen=True, kw_only=True, tag_field="input"):
    t: float


class KeyDown(_Received, frozen=True, kw_only=True, tag="key_down"):
    """A key went down: a canonical name in lower case, or the character itself."""

    key: str


class KeyUp(_Received, frozen=True, kw_only=True, tag="key_up"):
    """A key came up."""

    key: str


class ButtonDown(_Received, frozen=True, kw_only=True, tag="button_down"):
    """A pointer button went down at a point."""

    button: str
    x: float
    y: float
    on: str


class ButtonUp(_Received, frozen=True, kw_only=True, tag="button_up"):
    """A pointer button came up at a point."""

    button: str
    x: float
    y: float
    on: str


class PointerMoved(_Received, frozen=True, kw_only=True, tag="pointer_moved"):
    """The pointer is at another point now."""

    x: float
    y: float


class TextTyped(_Received, frozen=True, kw_only=True, tag="text_typed"):
    """A character landed in a field."""

    text: str
    into: str


class WheelTurned(_Received, frozen=True, kw_only=True, tag="wheel_turned"):
    """The wheel turned by notches."""

    direction: str
    clicks: int
    on: str


class UrlOpened(_Received, frozen=True, kw_only=True, tag="url_opened"):
    """The computer was told to show a URL."""

    url: str


class AppOpened(_Received, frozen=True, kw_only=True, tag="app_opened"):
    """The computer was told to start an application."""

    name: str


Input = KeyDown | KeyUp | ButtonDown | ButtonUp | PointerMoved | TextTyped | WheelTurned | UrlOpened | AppOpened
