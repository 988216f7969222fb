"""The catalogue as JSON Schema (draft 2020-12) of one line: canonical and shorthand forms.

What a schema cannot say, and the codec alone judges: duplicate keys, key names and chords, a lone surrogate, nesting.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from axstream.spec.actions import LOOK_ALIKES, MAX_NOTCHES, Assert, BuiltinAct, Done, Observe
from axstream.spec.catalogue import Catalogue
from axstream.spec.custom import CustomAct
from axstream.spec.fields import Field, doc_of, fields_of
from axstream.spec.reading import AX_LOOK_ALIKES, AX_STRINGS
from axstream.spec.wording import WHITE_SPACE

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: The largest double: what is over it is no number of the format (W14).
LARGEST = 1.7976931348623157e308

_NOTHING: Schema = {"not": {}}
_SAID: Schema = {"type": "string", "pattern": "[^" + "".join(f"\\u{ord(char):04x}" for char in WHITE_SPACE) + "]"}
# No control characters but TAB and LF; a CR only as part of CRLF (A1, Z18). "(?![\s\S])" is the end in every dialect.
_TEXT: Schema = {
    "type": "string",
    "pattern": r"^(?:\r\n|[^\u0000-\u0008\u000b-\u001f\u007f-\u009f])*(?![\s\S])",
}
_FINITE: Schema = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
_VALUES: dict[str, Schema] = {
    "target": {"$ref": "#/$defs/target"},
    "text": _TEXT,
    "prose": {"type": "string"},
    "said": _SAID,
    "keys": {
        "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
    },
    "millis": {"type": "number", "minimum": 0, "maximum": LARGEST},
    "positive": {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST},
    "notches": {"type": "integer", "minimum": 1, "maximum": MAX_NOTCHES},
    "json": {},
    "flag": {"type": "boolean"},
}


def json_schema(catalogue: Catalogue) -> Schema:
    """The schema of one line inside the fence."""
    definitions: dict[str, Schema] = {"target": _target(), "ax": _ax(additive=catalogue.additive)}
    lines: list[Schema] = []
    for name, act in catalogue.builtin.items():
        definitions[name] = _act(
            name, doc_of(act, additive=catalogue.additive), _fields(act, catalogue), _required(act)
        )
        lines.append({"$ref": f"#/$defs/{name}"})
    for name, custom in catalogue.custom.items():
        definitions.update(custom.definitions)
        definitions[name] = _custom(custom)
        lines.append({"$ref": f"#/$defs/{name}"})
    for name, operation in catalogue.operations.items():
        definitions[name] = {
            "description": doc_of(operation, additive=catalogue.additive),
            "type": "object",
            "properties": {"op": {"const": name}, **_fields(operation, catalogue)},
            "required": ["op", *_required(operation)],
        }
        lines.append({"$ref": f"#/$defs/{name}"})
    return {
        "$schema": DIALECT,
        "title": f"A line of axstream-spec {catalogue.spec}",
        "anyOf": lines,
        "$defs": definitions,
    }


def _act(name: str, doc: str, fields: dict[str, Schema], required: list[str]) -> Schema:
    """Both forms of an act. ``risk`` may be anything: what is not ``safe`` counts as risky (R1)."""
    look_alikes = {key: _NOTHING for key in LOOK_ALIKES if key not in fields}
    return {
        "description": doc,
        "type": "object",
        "properties": {"risk": {"description": '"safe", or "risky"'}, **fields, **look_alikes},
        "required": required,
        "anyOf": [
            {"properties": {"op": {"const": "act"}, "do": {"const": name}}, "required": ["op", "do"]},
            {"properties": {"op": {"const": name}, "do": _NOTHING}, "required": ["op"]},
        ],
    }


def _custom(act: CustomAct) -> Schema:
    fields = {
        parameter.name: parameter.schema if parameter.required else _or_null(parameter.schema)
        for parameter in act.parameters
    }
    return _act(act.name, act.doc, fields, [parameter.name for parameter in act.parameters if parameter.required])


def _fields(struct: type[BuiltinAct | Assert | Observe | Done], catalogue: Catalogue) -> dict[str, Schema]:
    return {
        field.name: _value(field) if catalogue.additive or not field.additive else _NOTHING
        for field in fields_of(struct)
    }


def _required(struct: type[BuiltinAct | Assert | Observe | Done]) -> list[str]:
    return [field.name for field in fields_of(struct) if field.required]


def _value(field: Field) -> Schema:
    schema = {"enum": list(field.choices)} if field.kind == "choice" else _VALUES[field.kind]
    return schema if field.required else _or_null(schema)


def _or_null(schema: Schema) -> Schema:
    """An optional field: null is absent (Z10)."""
    return {"anyOf": [schema, {"type": "null"}]}


def _target() -> Schema:
    """An element, beside which a point is ignored if it is one, or a point (T1)."""
    optional = _or_null(_FINITE)
    return {
        "type": "object",
        "properties": dict.fromkeys(LOOK_ALIKES, _NOTHING),
        "anyOf": [
            {
                "properties": {"ax": {"$ref": "#/$defs/ax"}, "x": optional, "y": optional},
                "required": ["ax"],
                "oneOf": [
                    {"properties": {"x": _FINITE, "y": _FINITE}, "required": ["x", "y"]},
                    {"properties": {"x": {"type": "null"}, "y": {"type": "null"}}},
                ],
            },
            {"properties": {"x": _FINITE, "y": _FINITE, "ax": _NOTHING}, "required": ["x", "y"]},
        ],
    }


def _ax(*, additive: bool) -> Schema:
    return {
        "type": "object",
        "properties": {
            **{key: _or_null(_SAID) for key in AX_STRINGS},
            "within": _or_null({"$ref": "#/$defs/ax"} if additive else _NOTHING),
            **dict.fromkeys(AX_LOOK_ALIKES, _NOTHING),
        },
        "anyOf": [{"properties": {key: {"type": "string"}}, "required": [key]} for key in AX_STRINGS],
    }
