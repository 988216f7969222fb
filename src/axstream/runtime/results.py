"""The answer of a run against the shape that the caller asked for (N1). No loop here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from axstream.errors import UsageError


class ResultShape:
    """What ``done``'s ``result`` must fit: a Python type (anything msgspec converts to) or a JSON Schema as a dict."""

    def __init__(self, wanted: type[Any] | Mapping[str, Any]) -> None:
        self._type: Any = None
        self._validator: Any = None
        if isinstance(wanted, Mapping):
            self.schema: dict[str, Any] = dict(wanted)
            self._validator = _validator(self.schema)
        else:
            self._type = wanted
            try:
                self.schema = msgspec.json.schema(wanted)
            except TypeError as error:
                raise UsageError(f"result={wanted!r} is no type that a result can be read into: {error}")

    def problem(self, result: object) -> str | None:
        """Return one line saying how a result does not fit, None where it fits. ``UNSET`` never fits."""
        if result is msgspec.UNSET:
            return "done carries no result; the task wants one that fits the schema"
        if self._validator is not None:
            errors = sorted(self._validator.iter_errors(result), key=lambda error: list(map(str, error.path)))
            if not errors:
                return None
            where = "".join(f"[{part!r}]" if isinstance(part, int) else f".{part}" for part in errors[0].path)
            return f"the result does not fit the schema: result{where}: {' '.join(errors[0].message.split())[:200]}"
        try:
            msgspec.convert(result, self._type)
        except msgspec.ValidationError as error:
            return f"the result does not fit: {error}"
        return None

    def read(self, result: object) -> object:
        """Return the result as the caller's type; as it is where a JSON Schema was given."""
        return result if self._type is None else msgspec.convert(result, self._type)


def _validator(schema: dict[str, Any]) -> Any:
    try:
        from jsonschema import validators
        from jsonschema.exceptions import SchemaError
    except ImportError:
        raise UsageError(
            "checking a result against a JSON Schema needs an extra: pip install 'axstream-runtime[schema]'"
        )
    kind = validators.validator_for(schema)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise UsageError(f"the result schema is no JSON Schema: {' '.join(error.message.split())[:200]}")
    return kind(schema)
