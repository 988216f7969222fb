"""How an act is written as a line of the stream; nothing is decided or performed here."""

from __future__ import annotations

import json
from typing import Any

from campaigns.miniwob.screen import Line

Target = Line | tuple[float, float] | str  # an element with an id, a point, a title


def target(to: Target, *, role: str = "", within: str = "") -> dict[str, Any]:
    """Return the target: by id where there is one, else by point or title."""
    if isinstance(to, tuple):
        return {"x": round(to[0], 1), "y": round(to[1], 1)}
    if isinstance(to, Line) and to.id:
        return {"ax": {"id": to.id}}
    named: dict[str, Any] = {"title": to.name if isinstance(to, Line) else to}
    if role:
        named["role"] = role
    if within:
        named["within"] = {"title": within}
    return {"ax": named}


def _line(op: str, **fields: Any) -> str:
    return json.dumps({"op": op, **fields}, ensure_ascii=False)


def click(to: Target, *, role: str = "", within: str = "") -> str:
    return _line("click", target=target(to, role=role, within=within))


def double_click(to: Target) -> str:
    return _line("double_click", target=target(to))


def move(to: Target, *, role: str = "") -> str:
    return _line("move", target=target(to, role=role))


def drag(begin: Target, end: Target) -> str:
    return _line("drag", **{"from": target(begin), "to": target(end)})


def fill(to: Target, text: str) -> str:
    """Return the line that puts a text in place of what a field holds."""
    return _line("type", target=target(to), text=text, clear=True)


def write(text: str) -> str:
    """Return the line that types where the focus is."""
    return _line("type", text=text)


def key(*keys: str) -> str:
    return _line("key", keys=list(keys))


def scroll(direction: str, clicks: int) -> str:
    return _line("scroll", direction=direction, clicks=clicks)


def wait(ms: int) -> str:
    return _line("wait", ms=ms)
