"""Random valid lines for what was seen, each with the name that its press must be on. Nothing runs here."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec

KEYS = ("enter", "escape", "tab", "space", "a", "ctrl+a", "pagedown", "down", "alt+left", "cmd+r", "backspace", "f5")
WORDS = ("milk", "Größe 42", "日本語", "a\nb", "x\ty", "2026-03-04", "👍")


class Line(msgspec.Struct, frozen=True):
    """One line, and what a press while it runs may be on: None where it names no element."""

    text: str
    names: frozenset[str] | None


class Element(msgspec.Struct, frozen=True):
    """An element that was seen: its id, role, name."""

    id: str
    role: str
    name: str


def draw_lines(random: Random, seen: list[Element], base: str) -> list[Line]:
    """Return the lines of one response; the last observes."""
    return [_line(random, seen, base) for _ in range(random.randint(3, 8))]


def _line(random: Random, seen: list[Element], base: str) -> Line:
    kind = random.choices(
        ("click", "double_click", "right_click", "move", "drag", "type", "type here", "key", "scroll", "open", "wait",
         "wait_until", "point"),
        (48, 4, 4, 5, 4, 9, 4, 8, 5, 2, 2, 3, 6),
    )[0]  # fmt: skip
    if kind in ("click", "double_click", "right_click", "move", "drag", "type", "wait_until") and not seen:
        kind = "key"
    match kind:
        case "click" | "double_click" | "right_click" | "move":
            element = random.choice(seen)
            return _say({"op": kind, "target": {"ax": _ax(random, element)}}, element)
        case "drag":
            element, other = random.choice(seen), random.choice(seen)
            return _say({"op": "drag", "from": {"ax": _ax(random, element)}, "to": {"ax": _ax(random, other)}}, element)
        case "type":
            fields = [one for one in seen if one.role in ("textbox", "combobox", "slider", "generic")]
            element = random.choice(fields or seen)
            text = random.choice(WORDS)
            act = {"op": "type", "target": {"ax": _ax(random, element)}, "text": text, "clear": random.random() < 0.5}
            return _say(act, element)
        case "type here":
            return _say({"op": "type", "text": random.choice(WORDS)}, None)
        case "key":
            return _say({"op": "key", "keys": random.choice(KEYS)}, None)
        case "scroll":
            return _say(
                {"op": "scroll", "direction": random.choice(("up", "down")), "clicks": random.randint(1, 5)}, None
            )
        case "open":
            return _say({"op": "open", "target": f"{base}/hostile.html?seed={random.randrange(10**6)}"}, None)
        case "wait":
            return _say({"op": "wait", "ms": random.randint(0, 60)}, None)
        case "wait_until":
            ax = _ax(random, random.choice(seen))
            act = {"op": "wait_until", "target": {"ax": ax}, "timeout_ms": 200, "gone": random.random() < 0.3}
            return _say(act, None)
        case _:
            return _say({"op": "click", "target": {"x": random.randint(0, 1279), "y": random.randint(0, 719)}}, None)


def _ax(random: Random, element: Element) -> dict[str, Any]:
    way = random.choice(("id", "title", "both")) if element.name else "id"
    by_title = {"role": element.role, "title": element.name}
    return {"id": element.id} if way == "id" else by_title if way == "title" else {"id": element.id, **by_title}


def _say(act: dict[str, Any], element: Element | None) -> Line:
    return Line(json.dumps(act, ensure_ascii=False) + "\n", None if element is None else frozenset({element.name}))
