"""The fields of one line while they are read: what may stand in each, and the sentence for what may not.

Problems are collected, because a missing field comes before a bad one wherever the two stand (W6, Z24).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, assert_never, cast

import msgspec

from axstream.spec.actions import LOOK_ALIKES, MAX_NOTCHES
from axstream.spec.fields import Field
from axstream.spec.keys import KeyProblem, canonical_keys
from axstream.spec.strict_json import JSON, holds_infinity
from axstream.spec.targets import Ax, AxTarget, PointTarget, Target
from axstream.spec.wording import is_blank, list_words, nearest, quote

RefusalReason: TypeAlias = Literal[
    "not_json", "not_object", "duplicate_key", "unknown_op", "unknown_action", "missing_field", "bad_field"
]

AX_STRINGS = ("id", "role", "title")

#: Inside ``ax``: words of other tools for what is called ``title`` and ``within`` here (Z11).
AX_LOOK_ALIKES: dict[str, str] = {
    "name": 'the name goes in "title"',
    "label": 'the label goes in "title"',
    "index": 'tell equal ones apart with "within" or "id"',
    "nth": 'tell equal ones apart with "within" or "id"',
    "selector": 'say what it is with "id", "role" or "title"',
}
_LOOK_ALIKE_HINTS: dict[str, str] = {
    "button": 'a context menu is {"op":"right_click",…}',
    "modifiers": 'a chord is {"op":"key","keys":["ctrl","s"]}',
    "count": 'repeat the line, or use {"op":"double_click",…}',
    "amount": 'notches of the wheel are "clicks"',
    "selector": 'a target is {"ax":{"role":…,"title":…}}',
}
_AX_EXAMPLE = '{"ax":{"role":"button","title":"Save"}}'


class Refusal(msgspec.Struct, frozen=True):
    """An invalid line: the reason's code, and one sentence that tells the model how to mend it (W6)."""

    reason: RefusalReason
    message: str


class Reading:
    """The fields of one line while they are read: what is missing, bad or ignored so far."""

    def __init__(self, *, additive: bool, example: str) -> None:
        self.additive = additive
        self.example = example
        self.missing: list[str] = []
        self.bad: list[str] = []
        self.ignored: list[str] = []

    def refusal(self) -> Refusal | None:
        """The first problem in W6's order, if there is one."""
        if self.missing:
            return Refusal("missing_field", self.missing[0])
        if self.bad:
            return Refusal("bad_field", self.bad[0])
        return None

    def miss(self, name: str, given: Mapping[str, JSON], known: Sequence[str]) -> None:
        """A required field is not there; name the unknown field that may have been meant."""
        near = nearest(name, [key for key in given if key not in known], limit=1)
        hint = f' ("{near[0]}" is no field)' if near else ""
        self.missing.append(f'"{name}" is missing{hint}, as in {self.example}.')

    def expect(self, path: str, expected: str, found: JSON) -> None:
        """A field holds something else than it may."""
        self.bad.append(f'"{path}" is {quote(found)}, and must be {expected}.')

    def additive_field(self, path: str) -> None:
        """A field of a later version, where the caller asked for 0.1."""
        self.bad.append(f'"{path}" is not part of axstream-spec 0.1: leave it out.')

    # What may stand in a field; each returns None after a complaint.

    def field(self, field: Field, value: JSON) -> object:
        """The value of one field of a built-in line."""
        match field.kind:
            case "target":
                return self._target(field.name, value)
            case "text":
                return self._text(field.name, value)
            case "prose":
                return self._string(field.name, value)
            case "said":
                return self._said(field.name, value)
            case "keys":
                return self._keys(value)
            case "millis":
                return self._number(field.name, value, "a number of milliseconds from 0", at_least=0)
            case "positive":
                return self._number(field.name, value, "a number of milliseconds over 0", over=0)
            case "notches":
                return self._notches(field.name, value)
            case "json":
                return self._any_json(field.name, value)
            case "flag":
                return self._flag(field.name, value)
            case "choice":
                return self._choice(field.name, value, field.choices)
        assert_never(field.kind)

    def _string(self, path: str, value: JSON, expected: str = "a string") -> str | None:
        if isinstance(value, str):
            return value
        self.expect(path, expected, value)
        return None

    def _said(self, path: str, value: JSON) -> str | None:
        """A string that is not blank (W14)."""
        expected = "a string that is not blank"
        if isinstance(value, dict):
            expected = 'a plain string, an application\'s name or a URL, as in {"op":"open","target":"Notes"}'
        text = self._string(path, value, expected)
        if text is not None and is_blank(text):
            self.expect(path, expected, text)
            return None
        return text

    def _text(self, path: str, value: JSON) -> str | None:
        """What can be typed: no control characters but LF and TAB; CRLF is LF (A1, Z18)."""
        text = self._string(path, value)
        if text is None:
            return None
        text = text.replace("\r\n", "\n")
        control = next((char for char in text if _is_control(char)), None)
        if control is not None:
            self.bad.append(
                f'"{path}" holds the control character U+{ord(control):04X}: '
                'only "\\n" (Enter) and "\\t" (Tab) can be typed, other keys are {"op":"key",…}.'
            )
            return None
        return text

    def _keys(self, value: JSON) -> tuple[str, ...] | None:
        if isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            keys = canonical_keys(cast("str | list[str]", value))
            if isinstance(keys, KeyProblem):
                self.bad.append(keys.message)
                return None
            return keys
        self.expect("keys", 'a list of key names, as in ["cmd","s"]', value)
        return None

    def _number(
        self, path: str, value: JSON, expected: str, *, at_least: float = -math.inf, over: float = -math.inf
    ) -> float | None:
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and math.isfinite(value)
            and value >= at_least
            and value > over
        ):
            return float(value)
        self.expect(path, expected, value)
        return None

    def _notches(self, path: str, value: JSON) -> int | None:
        if isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= MAX_NOTCHES:
            whole = int(value)
            if whole == value:
                return whole
        self.expect(path, f"a whole number of wheel notches from 1 to {MAX_NOTCHES}", value)
        return None

    def _any_json(self, path: str, value: JSON) -> JSON:
        if holds_infinity(value):
            self.bad.append(f'"{path}" holds a number too large for a double: write a finite one, or a string.')
            return None
        return value

    def _flag(self, path: str, value: JSON) -> bool | None:
        if isinstance(value, bool):
            return value
        self.expect(path, "true or false", value)
        return None

    def _choice(self, path: str, value: JSON, choices: tuple[str, ...]) -> str | None:
        if isinstance(value, str) and value in choices:
            return value
        self.expect(path, list_words(choices), value)
        return None

    # Targets (SPEC §4, T1, N3).

    def _target(self, path: str, value: JSON) -> Target | None:
        if not isinstance(value, dict):
            self.expect(path, f"a target object, as in {_meant_target(value)}", value)
            return None
        self._look_alikes(path + ".", value)
        self._ignore(path, value, ("ax", "x", "y", *LOOK_ALIKES))
        point = self._point(path, value)
        if "ax" in value:
            ax = self._ax(f"{path}.ax", value["ax"])
            return None if ax is None else AxTarget(ax)
        if point is None and not self.missing and not self.bad:
            wrapped = {key: value[key] for key in AX_STRINGS if key in value}
            meant = quote({"ax": wrapped}) if wrapped else _AX_EXAMPLE
            self.expect(path, f"an element as in {meant}, or a point with x and y", value)
        return point

    def _point(self, path: str, value: Mapping[str, JSON]) -> PointTarget | None:
        beside_ax = "ax" in value
        given = [name for name in ("x", "y") if name in value and not (beside_ax and value[name] is None)]
        if not given:
            return None
        if len(given) == 1:
            other = "y" if given == ["x"] else "x"
            self.missing.append(f'"{path}.{other}" is missing: a point has both, as in {{"x":420,"y":312}}.')
        numbers = [self._number(f"{path}.{name}", value[name], "a finite number") for name in given]
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            return PointTarget(numbers[0], numbers[1])
        return None

    def _ax(self, path: str, value: JSON) -> Ax | None:
        if not isinstance(value, dict):
            self.expect(path, 'an object, as in {"id":"e12"} or {"role":"button","title":"Save"}', value)
            return None
        for key, hint in AX_LOOK_ALIKES.items():
            if key in value:
                self.bad.append(f'"{path}.{key}" is no field: {hint}.')
        self._ignore(path, value, (*AX_STRINGS, "within", *AX_LOOK_ALIKES))
        strings = {key: self._said(f"{path}.{key}", value[key]) for key in AX_STRINGS if value.get(key) is not None}
        within = value.get("within")
        inner: Ax | None = None
        if within is not None:
            if self.additive:
                inner = self._ax(f"{path}.within", within)
            else:
                self.additive_field(f"{path}.within")
        if not strings:
            self.bad.append(f'"{path}" says no "id", "role" or "title": give at least one, as in {_AX_EXAMPLE}.')
            return None
        return Ax(**strings, within=inner)

    def _look_alikes(self, prefix: str, value: Mapping[str, JSON]) -> None:
        for key in LOOK_ALIKES:
            if key in value:
                self.bad.append(f'"{prefix}{key}" is no field, and would change the act: {_LOOK_ALIKE_HINTS[key]}.')

    def _ignore(self, path: str, value: Mapping[str, JSON], known: Sequence[str]) -> None:
        self.ignored.extend(f"{path}.{key}" if path else key for key in value if key not in known)

    # Whole lines.

    def look_alikes(self, value: Mapping[str, JSON], *, shorthand: bool, own: Sequence[str] = ()) -> None:
        """Reject the fields that would change the act (Z11); ``own`` are a custom act's arguments."""
        self._look_alikes("", {key: item for key, item in value.items() if key not in own})
        if shorthand and "do" in value:
            self.bad.append(
                f'"do" stands beside the shorthand {quote(value["op"])}: leave it out, or write {{"op":"act","do":…}}.'
            )

    def ignore(self, value: Mapping[str, JSON], known: Sequence[str]) -> None:
        """Note the unknown extra fields of the line itself."""
        self._ignore("", value, known)


def _is_control(char: str) -> bool:
    code = ord(char)
    return (code < 0x20 and char not in "\n\t") or 0x7F <= code <= 0x9F


def _meant_target(value: JSON) -> str:
    """The target that a bare string probably meant."""
    if isinstance(value, str) and not is_blank(value):
        key = "id" if value[:1] == "e" and value[1:].isdecimal() else "title"
        return f'{{"ax":{{"{key}":{quote(value)}}}}}'
    return _AX_EXAMPLE
