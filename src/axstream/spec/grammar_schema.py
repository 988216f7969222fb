"""A JSON Schema as a grammar expression, as far as one can spell it: custom acts, the schema of an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from axstream.spec.grammar_text import Expr, Lit, Opt, Ref, Star, alt, seq

MAX_DEPTH = 6  # of nested objects and references: deeper is a recursive type, which no plan needs

#: Rules beyond the type: a grammar here does not spell them, so what it generates could break them.
_RULES = frozenset(
    {
        "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
        "multipleOf", "minItems", "maxItems", "uniqueItems", "prefixItems", "minProperties", "maxProperties",
        "patternProperties", "not", "allOf", "if", "contentEncoding", "dependentRequired", "propertyNames",
    }
)  # fmt: skip


def schema_expr(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], *, strict: bool, depth: int = 0
) -> Expr | None:
    """The values of a schema, or None where it cannot be spelled.

    ``strict``: everything generated is valid. Otherwise rules beyond types, properties and enumerations are left to
    whoever validates the value.
    """
    if depth > MAX_DEPTH or (strict and _RULES & schema.keys()):
        return None

    def inner(part: Mapping[str, Any]) -> Expr | None:
        return schema_expr(part, definitions, strict=strict, depth=depth + 1)

    if "$ref" in schema:
        return inner(definitions.get(str(schema["$ref"]).rpartition("/")[2], {"not": {}}))
    if "const" in schema:
        return Lit(json_literal(schema["const"]))
    if "enum" in schema:
        return alt(*(Lit(json_literal(value)) for value in schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            choices = [expr for expr in map(inner, schema[key]) if expr is not None]
            return alt(*choices) if choices else None
    kind = schema.get("type")
    if isinstance(kind, list):
        choices = [expr for expr in (inner({**schema, "type": one}) for one in kind) if expr is not None]
        return alt(*choices) if choices else None
    if kind == "array":
        return _array(inner(schema.get("items", {})))
    if kind == "object":
        return _object(schema, inner)
    return _SCALARS.get(str(kind)) if kind is not None else Ref("scalar")


def _array(item: Expr | None) -> Expr | None:
    if item is None:
        return Lit("[]")
    return seq("[", Opt(seq(item, Star(seq(",", item)))), "]")


def _object(schema: Mapping[str, Any], inner: Any) -> Expr | None:
    """All the properties that can be spelled, in their order; none is left out, so that commas stay simple."""
    parts: list[Expr | str] = ["{"]
    for name, part in schema.get("properties", {}).items():
        value = inner(part)
        if value is None:
            if name in schema.get("required", ()):
                return None
            continue
        parts.append(seq("," if len(parts) > 1 else "", f"{json_literal(name)}:", value))
    return seq(*parts, "}")


def json_literal(value: Any) -> str:
    """Compact JSON, all of it printable: what an editor would not show is escaped as JSON escapes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


_SCALARS: dict[str, Expr] = {
    "string": Ref("TEXT"),
    "integer": Ref("INTEGER"),
    "number": Ref("NUMBER"),
    "boolean": alt("true", "false"),
    "null": Lit("null"),
}
