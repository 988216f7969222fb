"""From a scene file to a ``Scene``: every mistake is one line that says where. Rules are in ``check``.

A mistake in the JSON is named by line and column. One in what the JSON says is named by its path (``$.screen[0].role``)
and line: msgspec's own messages leave the indices out, so the value is walked again beside the types.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from axstream.computer.memory.check import Fault, Place, spell_path, wrong_in
from axstream.computer.memory.scene import Scene
from axstream.errors import UsageError
from axstream.spec.wording import list_words, nearest

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[-+.\w]+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


MAX_SCENE_BYTES = 16 << 20  # a hundred thousand elements, more than is of use; endless devices end here


class _Duplicate(Exception):
    """A key stands twice in one object."""

    def __init__(self, key: str, offset: int) -> None:
        super().__init__(key)
        self.offset = offset


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is larger than any number that is of use")
    return number


def load_scene(path: Path) -> Scene:
    """Read a scene file. Raises ``UsageError`` that names file, line and what is wrong."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SCENE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"the scene {path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_SCENE_BYTES:
        raise UsageError(f"the scene {path} is over {MAX_SCENE_BYTES >> 20} MiB: a scene is a small desktop")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}:{line}: a scene is UTF-8 text, and this line is not") from error
    return parse_scene(text, str(path))


def parse_scene(text: str, name: str = "scene") -> Scene:
    """Read a scene from JSON text; ``name`` stands for it in errors."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
        places = dict(_places(text, _skip(text, 0), ()))
    except json.JSONDecodeError as error:
        raise UsageError(f"{name}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}") from error
    except _Duplicate as error:
        raise UsageError(f"{name}:{_line(text, error.offset)}: the key {error.args[0]!r} stands here twice") from error
    except ValueError as error:
        raise UsageError(f"{name}: this is not JSON: {error}") from error
    except RecursionError as error:
        raise UsageError(f"{name}: this is nested too deep for a scene") from error
    fault = _misfit(value, Scene, ())
    if fault is None:
        scene = msgspec.convert(value, Scene)
        fault = next(wrong_in(scene), None)
        if fault is None:
            return scene
    place = fault.place
    while place not in places:
        place = place[:-1]
    raise UsageError(f"{name}:{_line(text, places[place])}: {spell_path(fault.place)}: {fault.message}")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a JSON number")


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _skip(text: str, at: int) -> int:
    return _end(_SPACE, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _places(text: str, at: int, path: Place) -> Iterator[tuple[Place, int]]:
    """Yield where each value begins (a key's, at the key), for text that is known to be JSON."""
    yield from _walk(text, at, path, [])


def _walk(text: str, at: int, path: Place, end: list[int]) -> Iterator[tuple[Place, int]]:
    # ``end`` receives where the value ends: a generator's own return value is awkward to collect beside its items.
    if not path:
        yield path, at
    first = text[at]
    if first == '"':
        end.append(_end(_STRING, text, at))
    elif first not in "{[":
        end.append(_end(_SCALAR, text, at))
    else:
        seen: set[str] = set()
        at = _skip(text, at + 1)
        index = 0
        while text[at] not in "}]":
            start = at
            step: str | int = index
            if first == "{":
                at = _end(_STRING, text, at)
                key = str(json.loads(text[start:at]))
                if key in seen:
                    raise _Duplicate(key, start)
                seen.add(key)
                step = key
                at = _skip(text, _skip(text, at) + 1)
            yield (*path, step), start
            inner: list[int] = []
            yield from _walk(text, at, (*path, step), inner)
            at = _skip(text, inner[0])
            if text[at] == ",":
                at = _skip(text, at + 1)
            index += 1
        end.append(at + 1)


def _misfit(value: Any, kind: Any, place: Place) -> Fault | None:
    """Find the first place where a value is not what a type wants."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message = str(error).split(" - at `")[0]
    else:
        return None
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        wanted = [one for one in args if one is not NoneType and _holds(value, one)]
        return (_misfit(value, wanted[0], place) if len(wanted) == 1 else None) or Fault(place, message)
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _misfit_in_struct(value, kind, place) or Fault(place, message)
    inside: Iterator[tuple[str | int, Any]] = iter(())
    if isinstance(value, list) and origin is tuple and args[-1:] == (...,):
        inside = iter(enumerate(value))
    elif isinstance(value, dict) and origin is dict:
        inside = iter(value.items())
    item = args[0] if origin is tuple else args[-1] if args else None
    for step, one in inside:
        fault = _misfit(one, item, (*place, step))
        if fault is not None:
            return fault
    return Fault(place, message)


def _misfit_in_struct(value: dict[str, Any], kind: type[msgspec.Struct], place: Place) -> Fault | None:
    hints = get_type_hints(kind)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            near = nearest(key, fields, 1)
            hint = f"did you mean {list_words(near)}?" if near else f"known are {list_words(fields, 'and')}"
            return Fault((*place, key), f'the key "{key}" is unknown here; {hint}')
    for name, field in fields.items():
        if name not in value and field.required:
            return Fault(place, f'the key "{name}" is missing')
    for key, one in value.items():
        fault = _misfit(one, hints[fields[key].name], (*place, key))
        if fault is not None:
            return fault
    return None


def _holds(value: Any, kind: Any) -> bool:
    """Tell whether a member of a union is of the shape that a value has."""
    if isinstance(value, dict):
        return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return isinstance(value, list) and get_origin(kind) is tuple
