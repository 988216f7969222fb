"""The answer of a run against the shape that the caller asked for (N1). No loop here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from axstream.errors import UsageError
from axstream.runtime.schema_check import SchemaCheck


class ResultShape:
    """What ``done``'s ``result`` must fit: a Python type (anything msgspec converts to) or a JSON Schema as a dict."""

    def __init__(self, wanted: type[Any] | Mapping[str, Any]) -> None:
        self._type: Any = None
        self._check: SchemaCheck | None = None
        if isinstance(wanted, Mapping):
            self.schema: dict[str, Any] = dict(wanted)
            self._check = SchemaCheck(self.schema)
        else:
            self._type = wanted
            try:
                self.schema = msgspec.json.schema(wanted)
            except TypeError as error:
                raise UsageError(f"result={wanted!r} is no type that a result can be read into: {error}")

    async def problem(self, result: object) -> str | None:
        """Return one line saying how a result does not fit, None where it fits. ``UNSET`` never fits. Bounded."""
        if result is msgspec.UNSET:
            return "done carries no result; the task wants one that fits the schema"
        if self._check is not None:
            return await self._check.problem(result)
        try:
            msgspec.convert(result, self._type)
        except msgspec.ValidationError as error:
            return f"the result does not fit: {error}"
        return None

    def read(self, result: object) -> object:
        """Return the result as the caller's type; as it is where a JSON Schema was given."""
        return result if self._type is None else msgspec.convert(result, self._type)
