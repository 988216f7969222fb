"""What one observation says, read from its text and the boxes of its ids as any model could; no page is touched here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from axstream.trace.events import Observation

#: The frame around every task: its own clock and score, which belong to no task.
_HUD = re.compile(r"\s*Last reward: .*?Episodes done: \d+\s*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ID = re.compile(r"(e\d+) ")
_ROLE = re.compile(r"([\w-]+)(?: |$)")
_LOST = re.compile(r"\(\+\d+ characters\)")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an outline: an element, with its id where it can be acted on, or a text (role ``""``)."""

    depth: int
    id: str = ""
    role: str = ""
    name: str = ""
    value: str = ""
    lost: bool = False  # name or value was cut
    states: frozenset[str] = frozenset()
    box: tuple[float, float, float, float] = (0, 0, 0, 0)  # x, y, width, height; of elements with an id

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box in pixels."""
        x, y, w, h = self.box
        return x + w / 2, y + h / 2


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """An observation: its lines in order, all that is said on it in one text, what became of the burst before it."""

    lines: tuple[Line, ...]
    said: str
    tail: str  # what is told of that which is not shown
    failed: str = ""
    effects: tuple[str, ...] = ()

    def all(self, *roles: str, name: str | None = None, on: bool = True) -> list[Line]:
        """Return the elements with an id of those roles (any, where none is given), of that name; enabled ones."""
        return [
            line
            for line in self.lines
            if line.id
            and (not roles or line.role in roles)
            and (name is None or line.name == name)
            and (not on or "disabled" not in line.states)
        ]

    def one(self, *roles: str, name: str | None = None) -> Line | None:
        """Return the first of ``all``."""
        return next(iter(self.all(*roles, name=name)), None)

    def called(self, name: str, *roles: str) -> Line | None:
        """Return the element of that name, white space and case aside where nothing is called exactly so."""
        for tell in (lambda text: text, _plain):
            for line in self.all(*roles):
                if line.name and tell(line.name) == tell(name):
                    return line
        return None

    def under(self, line: Line) -> Iterator[Line]:
        """Yield the lines inside an element."""
        for other in self.lines[self.lines.index(line) + 1 :]:
            if other.depth <= line.depth:
                return
            yield other

    def before(self, line: Line) -> Line | None:
        """Return the text or named element that stands right before one: what a person reads as its label."""
        for other in reversed(self.lines[: self.lines.index(line)]):
            if not other.id and other.name:
                return other
        return None

    def texts(self) -> list[str]:
        """Return the texts that can be read, the frame's clock aside."""
        return [text for line in self.lines if not line.role and (text := _HUD.sub(" ", line.name).strip())]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def read(seen: Observation, *, failed: str = "", effects: tuple[str, ...] = ()) -> Screen:
    """Read an observation."""
    boxes = {element.id: element.box for element in seen.elements if element.id and element.box}
    lines: list[Line] = []
    tail: list[str] = []
    for raw in seen.outline.split("\n"):
        if raw.startswith("…"):
            tail.append(raw)
        elif not raw.startswith(("screen ", "note: ")) and raw.strip():
            lines.append(_line(raw, boxes))
    said = _HUD.sub(" ", " ".join(line.name for line in lines if not line.role and line.name)).strip()
    return Screen(lines=tuple(lines), said=said, tail="\n".join(tail), failed=failed, effects=effects)


def _line(raw: str, boxes: dict[str, tuple[float, float, float, float]]) -> Line:
    text = raw.lstrip(" ")
    depth = (len(raw) - len(text)) // 2
    number = role = name = value = ""
    lost = False
    if text.startswith('"'):
        name, text = _string(text)
        return Line(depth=depth, name=name, lost=bool(_LOST.search(text)))
    if found := _ID.match(text):
        number, text = found[1], text[found.end() :]
    if found := _ROLE.match(text):
        role, text = found[1], text[found.end() :]
    if text.startswith('"'):
        name, text = _string(text)
    elif found := re.match(r"(placeholder|described) ", text):
        name, text = _string(text[found.end() :])
    if found := re.search(r"(?:^| )= (?=\")", text):
        value, text = _string(text[found.end() :])
    lost = bool(_LOST.search(text))
    states = frozenset(_LOST.sub("", text).split())
    return Line(
        depth=depth,
        id=number,
        role=role,
        name=name,
        value=value,
        lost=lost,
        states=states,
        box=boxes.get(number, (0, 0, 0, 0)),
    )


def _string(text: str) -> tuple[str, str]:
    found = _STRING.match(text)
    if found is None:
        return "", text
    return json.loads(found[0]), text[found.end() :]
