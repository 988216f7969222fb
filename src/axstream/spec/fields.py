"""What the catalogue's Structs say about their fields, read once; codec, schema, grammar and manual go by it."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

import msgspec

from axstream.spec.actions import Act, Assert, BuiltinAct, Done, Observe, Risk
from axstream.spec.targets import AxTarget

Kind: TypeAlias = Literal[
    "target", "text", "prose", "said", "keys", "millis", "positive", "notches", "json", "flag", "choice"
]
Operation: TypeAlias = Assert | Observe | Done


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a line: its name in Python and on the wire, and what may stand in it."""

    attribute: str
    name: str
    kind: Kind
    required: bool
    additive: bool
    default: Any = None
    choices: tuple[str, ...] = ()


@functools.cache
def fields_of(struct: type[BuiltinAct | Operation]) -> tuple[Field, ...]:
    """The fields of one act or operation, required ones first, without ``risk``, which every act carries."""
    additive: frozenset[str] = getattr(struct, "additive", frozenset())
    fields = [
        _field(info, additive=info.encode_name in additive)
        for info in msgspec.structs.fields(struct)
        if not (issubclass(struct, Act) and info.name == "risk")
    ]
    return tuple(sorted(fields, key=lambda field: not field.required))


def doc_of(struct: type[BuiltinAct | Operation], *, additive: bool = True) -> str:
    """What the model is taught about it: the docstring's first line, or what axstream-spec 0.1 says instead."""
    first = (struct.__doc__ or "").splitlines()[0]
    return first if additive else getattr(struct, "plain_doc", first)


def example_of(struct: type[BuiltinAct | Operation], *, additive: bool = True) -> str:
    """One line of it, in shorthand."""
    return struct.example if additive else getattr(struct, "plain_example", struct.example)


RISKS: tuple[str, ...] = get_args(Risk)


def _field(info: msgspec.structs.FieldInfo, *, additive: bool) -> Field:
    kind, choices = _kind(info.type)
    return Field(
        attribute=info.name,
        name=info.encode_name,
        kind=kind,
        required=info.required,
        additive=additive,
        default=info.default,
        choices=choices,
    )


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    if annotation is bool:
        return "flag", ()
    origin = get_origin(annotation)
    if origin is Annotated:
        return annotation.__metadata__[0], ()
    if origin is Literal:
        return "choice", get_args(annotation)
    members = get_args(annotation)
    if AxTarget in members:
        return "target", ()
    return _kind(members[0])  # an optional field: what stands there when it is there
