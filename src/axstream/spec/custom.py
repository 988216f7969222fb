"""Acts that an embedder adds: a typed function with a docstring becomes a line of the format (N5)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import msgspec

from axstream.errors import UsageError
from axstream.spec.actions import ACTS, OPERATIONS, Risk
from axstream.spec.strict_json import JSON, holds_infinity

RESERVED = frozenset({"op", "do", "risk"})  # what every act carries
_TAKEN = frozenset({"act", *(act.do for act in ACTS), *(operation.op for operation in OPERATIONS)})
_LARGEST_EXACT = 2**53  # integers up to here are the same number as a double


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a custom act, with the JSON Schema of what may stand in it.

    ``exact`` is False where the schema takes more than the function's type does (points in time).
    """

    name: str
    required: bool
    schema: dict[str, Any]
    exact: bool


class ArgumentProblem(msgspec.Struct, frozen=True):
    """Why the arguments of a line do not fit the function."""

    missing: bool
    message: str


class CustomAct:
    """One act of the embedder's: its name, what the model is taught, its arguments, the function behind it."""

    def __init__(
        self,
        *,
        name: str,
        doc: str,
        risk: Risk,
        function: Callable[..., Any],
        struct: type[msgspec.Struct],
        parameters: tuple[Parameter, ...],
        definitions: dict[str, Any],
    ) -> None:
        self.name = name
        self.doc = doc
        self.risk = risk
        self.function = function
        self.parameters = parameters
        self.definitions = definitions
        self._struct = struct

    @classmethod
    def from_function(cls, function: Callable[..., Any], *, name: str | None = None, risk: Risk = "safe") -> CustomAct:
        """Make an act of a function, sync or async, with annotated parameters and a docstring that says what it does.

        A ``risk`` of risky stands whatever the line says (R3). Raises ``UsageError`` where the name is taken or
        no identifier, or where a parameter cannot stand in a JSON line.
        """
        called = name if name is not None else getattr(function, "__name__", "")
        _check_name(called)
        doc = inspect.getdoc(function) or ""
        if not doc.strip():
            raise UsageError(f'the act "{called}" has no docstring: its first line is what the model is taught.')
        struct = _struct_of(called, function)
        try:
            (schema,), definitions = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
        except TypeError as error:
            raise UsageError(f'the act "{called}" has a parameter that JSON cannot carry: {error}') from error
        own = definitions.pop(schema["$ref"].rpartition("/")[2])
        info = msgspec.inspect.type_info(struct)
        assert isinstance(info, msgspec.inspect.StructType)
        parameters = tuple(
            Parameter(
                name=field.name,
                required=field.required,
                schema=own["properties"][field.name],
                exact=not _holds_time(field.type, ()),
            )
            for field in info.fields
        )
        return cls(
            name=called,
            doc=doc.strip().splitlines()[0],
            risk=risk,
            function=function,
            struct=struct,
            parameters=parameters,
            definitions=definitions,
        )

    @property
    def example(self) -> str:
        """A line as the model may write it, with made-up values for the required arguments."""
        parts = [f'"op":"{self.name}"']
        parts.extend(
            f'"{parameter.name}":{_sample(parameter.schema)}' for parameter in self.parameters if parameter.required
        )
        return "{" + ",".join(parts) + "}"

    @property
    def is_async(self) -> bool:
        """True where ``call`` returns something to await."""
        return inspect.iscoroutinefunction(self.function)

    def call(self, args: Mapping[str, Any]) -> Any:
        """Call the function with decoded arguments; where it is async, what comes back is to be awaited."""
        return self.function(**args)

    def decode(self, given: Mapping[str, JSON]) -> dict[str, Any] | ArgumentProblem:
        """The arguments as the function's types, defaults filled in. A null for an optional one is absent (Z10)."""
        required = [parameter.name for parameter in self.parameters if parameter.required]
        missing = [name for name in required if name not in given]
        if missing:
            return ArgumentProblem(True, f'"{self.name}" needs "{missing[0]}".')
        kept = {key: _integral(value) for key, value in given.items() if value is not None or key in required}
        infinite = [key for key, value in kept.items() if holds_infinity(value)]
        if infinite:
            return ArgumentProblem(False, f'"{infinite[0]}" holds a number too large for a double: write a finite one.')
        try:
            decoded = msgspec.convert(kept, self._struct)
        except msgspec.ValidationError as error:
            return ArgumentProblem(False, f'"{self.name}" takes other arguments: {error}.')
        return {parameter.name: getattr(decoded, parameter.name) for parameter in self.parameters}

    def encode(self, args: Mapping[str, Any]) -> dict[str, JSON]:
        """The arguments as JSON, without those that are the defaults."""
        encoded = msgspec.to_builtins(self._struct(**args), str_keys=True)
        return dict(encoded)


def _check_name(name: str) -> None:
    if not name.isidentifier() or not name.isascii():
        raise UsageError(f'"{name}" cannot name an act: use a plain identifier, or pass name="…".')
    if name in _TAKEN:
        raise UsageError(f'"{name}" is an act or operation of the format: give yours another name.')


def _struct_of(name: str, function: Callable[..., Any]) -> type[msgspec.Struct]:
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise UsageError(f'the annotations of the act "{name}" cannot be read: {error}') from error
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for key, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise UsageError(
                f'the act "{name}" takes the {parameter.kind.description} argument "{key}": give each one a name of its own.'
            )
        if key in RESERVED:
            raise UsageError(f'the act "{name}" has a parameter "{key}", which every line carries: name it otherwise.')
        if key not in hints:
            raise UsageError(f'the parameter "{key}" of the act "{name}" has no annotation: say its type.')
        if parameter.default is parameter.empty:
            fields.append((key, hints[key]))
        else:
            fields.append((key, hints[key], parameter.default))
    try:
        return msgspec.defstruct(name, fields, kw_only=True, frozen=True, omit_defaults=True)
    except TypeError as error:
        raise UsageError(f'the act "{name}" cannot be read: {error}') from error


def _holds_time(info: object, outer: tuple[object, ...]) -> bool:
    """True where a date with a time, or a time, stands anywhere in a type: their schema says no more than "string"."""
    if isinstance(info, msgspec.inspect.DateTimeType | msgspec.inspect.TimeType):
        return True
    if isinstance(info, tuple):
        return any(_holds_time(item, outer) for item in info)
    if not isinstance(info, msgspec.inspect.Type | msgspec.inspect.Field) or any(info is seen for seen in outer):
        return False
    return any(_holds_time(getattr(info, name), (*outer, info)) for name in info.__struct_fields__)


def _sample(schema: Mapping[str, Any]) -> str:
    """A value that shows what kind of thing goes there."""
    if "enum" in schema:
        return json.dumps(schema["enum"][0])
    samples = {"string": '"…"', "integer": "1", "number": "1.5", "boolean": "true", "array": "[…]", "null": "null"}
    return samples.get(str(schema.get("type")), "{…}")


def _integral(value: JSON) -> JSON:
    """``2.0`` is the integer 2 (Z24), at any depth."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    if isinstance(value, list):
        return [_integral(item) for item in value]
    if isinstance(value, dict):
        return {key: _integral(item) for key, item in value.items()}
    return value
