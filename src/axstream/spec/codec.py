"""The lines of the catalogue's Structs: fields in, canonical form out. Whole lines are the catalogue's.

What may stand in one field is in ``reading``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from axstream.spec.actions import Action, Assert, BuiltinAct, Done, Observe
from axstream.spec.custom import RESERVED, ArgumentProblem, CustomAct
from axstream.spec.fields import fields_of
from axstream.spec.reading import AX_STRINGS, Reading
from axstream.spec.strict_json import JSON
from axstream.spec.targets import Ax, AxTarget, PointTarget

_EXACT_INTEGERS = 2**53  # up to here a double and an integer are the same number


class Decoded(msgspec.Struct, frozen=True):
    """A valid line. ``ignored`` names the unknown extra fields by path (``target.ax.foo``), in their order (W12)."""

    action: Action
    ignored: tuple[str, ...] = ()


def read_fields(
    struct: type[BuiltinAct | Assert | Observe | Done], line: Mapping[str, JSON], reading: Reading
) -> dict[str, Any]:
    """The fields of a built-in line by their Python names, as far as they can be read; problems go to ``reading``."""
    fields = fields_of(struct)
    known = [field.name for field in fields]
    values: dict[str, Any] = {}
    for field in fields:
        if field.name not in line:
            if field.required:
                reading.miss(field.name, line, (*known, *RESERVED))
            continue
        if field.additive and not reading.additive:
            reading.additive_field(field.name)
            continue
        value = line[field.name]
        if value is None and not field.required:
            continue  # Z10
        values[field.attribute] = reading.field(field, value)
    return values


def read_custom(act: CustomAct, line: Mapping[str, JSON], reading: Reading) -> dict[str, Any]:
    """The arguments of a custom act; ``reading`` holds the problems."""
    names = [parameter.name for parameter in act.parameters]
    args = act.decode({key: value for key, value in line.items() if key in names})
    if isinstance(args, ArgumentProblem):
        (reading.missing if args.missing else reading.bad).append(args.message)
        return {}
    return args


def is_risky(line: Mapping[str, JSON]) -> bool:
    """R1, Z10: anything but ``safe``, null or nothing counts as risky."""
    risk = line.get("risk")
    return not (risk is None or risk == "safe")


def encode_fields(action: BuiltinAct | Assert | Observe | Done) -> dict[str, JSON]:
    """The fields of a built-in action in canonical form, without those that are the defaults."""
    encoded: dict[str, JSON] = {}
    for field in fields_of(type(action)):
        value = getattr(action, field.attribute)
        if field.required or value != field.default:
            encoded[field.name] = _encode_value(value)
    return encoded


def _encode_value(value: Any) -> JSON:
    match value:
        case AxTarget(ax=ax):
            return {"ax": _encode_ax(ax)}
        case PointTarget(x=x, y=y):
            return {"x": _encode_number(x), "y": _encode_number(y)}
        case bool():
            return value
        case float():
            return _encode_number(value)
        case tuple():
            return list(value)
    return cast("JSON", value)


def _encode_ax(ax: Ax) -> dict[str, JSON]:
    encoded: dict[str, JSON] = {}
    for key in AX_STRINGS:
        value = getattr(ax, key)
        if value is not None:
            encoded[key] = value
    if ax.within is not None:
        encoded["within"] = _encode_ax(ax.within)
    return encoded


def _encode_number(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) <= _EXACT_INTEGERS else value
