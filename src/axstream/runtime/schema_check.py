"""A result against a JSON Schema: nothing is fetched, nothing unbounded runs in this process (N1).

A schema's patterns are regular expressions of the caller's against a text of the model's, and some of those never end; Python's
engine cannot be stopped from outside. A schema with patterns is therefore checked in a process of its own, which can.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import anyio
import msgspec

from axstream.errors import UsageError

CHECK_LIMIT_S = 5.0  # a fair check takes milliseconds, and a process some tenths of a second to start
_PATTERNS = ("pattern", "patternProperties")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class SchemaCheck:
    """A JSON Schema that was found whole: well-formed, and every reference in it leads to a place inside it.

    Raises UsageError where it is not, or where the ``schema`` extra is missing.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        _validator(schema)
        self._patterns = any(name in part for part in _parts(schema) for name in _PATTERNS)

    async def problem(self, result: object) -> str | None:
        """Return one line saying how a result does not fit, None where it fits. Takes at most ``CHECK_LIMIT_S``."""
        if not self._patterns:
            return find_problem(self._schema, result)
        told: bytes | None = None
        with anyio.move_on_after(CHECK_LIMIT_S):
            command = [sys.executable, "-m", "axstream.runtime.schema_check"]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
            asked = msgspec.json.encode([self._schema, result])
            done = await anyio.run_process(command, input=asked, env=environment, check=False, stderr=None)
            told = done.stdout if done.returncode == 0 else b""
        if told is None:
            return (
                f"checking the result against the schema's patterns took over {CHECK_LIMIT_S:g} s; give a shorter one"
            )
        if not told:
            return "the result could not be checked against the schema"
        answer: str | None = msgspec.json.decode(told)
        return answer


def find_problem(schema: dict[str, Any], result: object) -> str | None:
    """Check at once, in this process. Returns one line, or None where the result fits."""
    try:
        errors = sorted(_validator(schema).iter_errors(result), key=lambda error: list(map(str, error.path)))
    except RecursionError:
        return "the result could not be checked: the schema refers to itself without end"
    if not errors:
        return None
    where = "".join(f"[{part!r}]" if isinstance(part, int) else f".{part}" for part in errors[0].path)
    return f"the result does not fit the schema: result{where}: {' '.join(errors[0].message.split())[:200]}"


def _validator(schema: dict[str, Any]) -> Any:
    try:
        from jsonschema import validators
        from jsonschema.exceptions import SchemaError
        from referencing import Registry, Resource
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import DRAFT202012, specification_with
    except ImportError:
        raise UsageError(
            "checking a result against a JSON Schema needs an extra: pip install 'axstream-runtime[schema]'"
        )
    kind = validators.validator_for(schema)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"the result schema is no JSON Schema: {' '.join(error.message.split())[:200]}")
    # A registry of our own fetches nothing: only the schema itself can be referred to.
    specification = specification_with(str(schema.get("$schema", "")), default=DRAFT202012)
    root = Resource.from_contents(schema, default_specification=DRAFT202012)
    registry: Any = Registry().with_resource(root.id() or "", root)
    for part, base in _parts_with_base(schema, registry.resolver_with_root(root), specification):
        for name in _REFERENCES:
            reference = part.get(name)
            if isinstance(reference, str):
                try:
                    base.lookup(reference)
                except Unresolvable:
                    raise UsageError(
                        f"the result schema refers to {reference[:120]!r}, which is not in it; nothing is fetched: "
                        "put the definition under $defs"
                    )
    return kind(schema, registry=registry)


def _parts(schema: object) -> Iterator[dict[str, Any]]:
    """Yield every object inside a schema, the schema first; also such as only look like schemas (enum values)."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            yield part
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)


def _parts_with_base(schema: Any, resolver: Any, specification: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield every subschema with the resolver that its references are relative to."""
    stack = [(schema, resolver)]
    while stack:
        part, base = stack.pop()
        if not isinstance(part, dict):
            continue  # true and false are schemas
        yield part, base
        resource = specification.create_resource(part)
        for inner in resource.subresources():
            stack.append((inner.contents, base.in_subresource(inner)))


def main() -> int:
    """Check what stands on standard input, a list of schema and result; write the problem, or null, as JSON."""
    schema, result = msgspec.json.decode(sys.stdin.buffer.read())
    sys.stdout.buffer.write(msgspec.json.encode(find_problem(schema, result)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
