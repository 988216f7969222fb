"""The keys that write a date or a time into the inner fields of its input, in whatever order those stand. Pure.

Their order, and whether there is a morning and an afternoon, follow the language of the browser's own windows, which no
page can ask for (not `Intl`, not `navigator.language`); so the inner fields are read and not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

_MOMENT = re.compile(
    r"(?:(?P<year>\d{4,})-(?:W(?P<week>\d\d)|(?P<month>\d\d)(?:-(?P<day>\d\d))?))?T?"
    r"(?:(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<millisecond>\d{1,3}))?)?)?$"
)


class Inner(msgspec.Struct, frozen=True):
    """One inner field as it stands on the screen: its name, its least and greatest number."""

    name: str
    least: int
    greatest: int


class Stroke(msgspec.Struct, frozen=True):
    """One key, pressed so many times."""

    key: str
    times: int = 1


class _Part(msgspec.Struct, frozen=True):
    """One inner field of a date or time: its name, its least and greatest number, and what goes into it."""

    name: str
    least: int
    greatest: int
    number: int
    symbolic: bool  # it shows words, and takes arrow keys

    @property
    def steps(self) -> int:
        """Arrow keys from the empty field: positive up, negative down."""
        up, down = self.number - self.least + 1, self.greatest - self.number + 1
        return up if up <= down else -down

    @property
    def digits(self) -> str:
        width = {"year": 4, "millisecond": 3}.get(self.name, 2)
        return str(self.number).zfill(width)

    @property
    def goes_on(self) -> bool:
        """Whether the focus goes to the next field by itself when this is written."""
        return not self.symbolic and (len(self.digits) >= len(str(self.greatest)) or self.number * 10 > self.greatest)


def strokes(inner: tuple[Inner, ...], value: str, kind: str, *, filled: bool) -> Iterator[Stroke | str]:
    """Yield the keys, and the digits as strings; none where the inner fields show less than the value has.

    ``value`` is in HTML's form, "" empties. ``filled`` says that the input holds a value, which then goes first.
    """
    numbers = _numbers(value)
    if not inner or any(number and name not in {one.name for one in inner} for name, number in numbers.items()):
        return  # seconds, mostly
    yield Stroke("ArrowLeft", len(inner))
    if not value:
        for _ in inner:
            yield Stroke("Backspace")
            yield Stroke("ArrowRight")
        return
    fields = [_part(one, numbers, kind) for one in inner]
    last = _last(fields)
    years = [part for part in fields if part is not last and part.name == "year"]
    others = [part for part in fields if part is not last and part.name != "year"]
    at = 0
    if filled:
        at = fields.index(last)
        yield Stroke("ArrowRight", at)
        yield Stroke("Backspace")
    for part in (*years, *others, last):
        to = fields.index(part)
        yield Stroke("ArrowRight" if to > at else "ArrowLeft", abs(to - at))
        at = to
        if part.symbolic:
            yield Stroke("Backspace")
            yield Stroke("ArrowUp" if part.steps > 0 else "ArrowDown", abs(part.steps))
        else:
            yield part.digits
        if part.goes_on and at < len(fields) - 1:
            at += 1


def inner_fields(node: dict[str, Any]) -> Iterator[Inner]:
    """Yield the inner fields out of what the DOM domain of CDP says of an input, its own shadow root included."""
    attributes = node.get("attributes", [])
    found = dict(zip(attributes[::2], attributes[1::2], strict=False))
    named = re.fullmatch(r"-webkit-datetime-edit-(\w+)-field", found.get("pseudo", ""))
    if named is not None:
        yield Inner(named[1], int(found.get("aria-valuemin", 0)), int(found.get("aria-valuemax", 0)))
    for child in (*node.get("shadowRoots", []), *node.get("children", [])):
        yield from inner_fields(child)


def _numbers(value: str) -> dict[str, int]:
    """Return the numbers of a value in HTML's form. Seconds that it leaves out are 0."""
    found = _MOMENT.match(value)
    if found is None:
        return {}
    numbers = {name: int(text) for name, text in found.groupdict().items() if text is not None}
    if found["millisecond"]:
        numbers["millisecond"] = int(found["millisecond"].ljust(3, "0"))
    return numbers


def _part(inner: Inner, numbers: dict[str, int], kind: str) -> _Part:
    """Return what goes into one inner field; 0 where the value leaves it out (seconds)."""
    name, least, greatest = inner.name, inner.least, inner.greatest
    number = numbers.get(name, 0)
    if name == "ampm":
        number = least + numbers.get("hour", 0) // 12
    elif name == "hour":  # of 24, or as the platform's language counts them
        ways = {(1, 12): (number + 11) % 12 + 1, (0, 11): number % 12, (1, 24): number or 24}
        number = ways.get((least, greatest), number)
    return _Part(name, least, greatest, number, name == "ampm" or (kind == "month" and name == "month"))


def _last(fields: list[_Part]) -> _Part:
    """Return the field to write last: one whose first key alone makes no value, so that none but the whole is heard."""
    quiet = [
        part
        for part in fields
        if (abs(part.steps) == 1 if part.symbolic else part.digits[0] == "0" and part.least >= 1)
    ]
    others = [part for part in fields if part.name != "year"]
    return next(iter(quiet), others[-1] if others else fields[-1])
