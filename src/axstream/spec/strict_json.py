"""RFC 8259 to the letter for one line: duplicate keys, surrogates, nesting, huge numbers (W11). It knows no action."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from axstream.spec.wording import quote

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

MAX_NESTING = 64  # Z24
_LONGEST_EXACT = 20  # digits and sign: every integer of 64 bits; what is longer becomes the nearest double
_INT64 = range(-(2**63), 2**63)  # what every JSON writer below us can write

# Strings are taken whole, an unterminated one up to the end, so that every character is looked at once.
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
# A pair, or a lone surrogate (the group), or any other escape: an escaped backslash never starts the next escape.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)
_RAW_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonProblem(msgspec.Struct, frozen=True):
    """Why a text is no JSON object that two readers read alike."""

    reason: Literal["not_json", "not_object", "duplicate_key"]
    message: str


def read_object(text: str) -> dict[str, JSON] | JsonProblem:
    """The object that the text holds, or why it holds none. Never raises, whatever the text.

    Integers over 64 bits and floats over a double's range come back as the nearest double, infinity included.
    """
    if _RAW_SURROGATE.search(text):
        return JsonProblem("not_json", "the line holds half of a character (a lone surrogate): write whole characters.")
    if _is_too_deep(text):
        return JsonProblem("not_json", f"the line nests deeper than {MAX_NESTING} levels: write it flat.")
    twice: list[str] = []

    def collect(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
        collected = dict(pairs)
        if len(collected) != len(pairs) and not twice:
            counts = Counter(key for key, _ in pairs)
            twice.append(next(key for key, count in counts.items() if count > 1))
        return collected

    try:
        value: JSON = json.loads(text, object_pairs_hook=collect, parse_int=_parse_int, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        return JsonProblem("not_json", _explain(text, error))
    except _NotANumber as error:
        return JsonProblem("not_json", f"{error} is no JSON number: write a finite number.")
    lone = next((found[1] for found in _ESCAPE.finditer(text) if found[1]), None) if "\\u" in text else None
    if lone:
        return JsonProblem("not_json", f'the escape "{lone}" is half of a character: write the character itself.')
    if not isinstance(value, dict):
        return JsonProblem(
            "not_object", f'a line is one JSON object, and this is {quote(value)}: write {{"op":…}} with its fields.'
        )
    if twice:
        return JsonProblem("duplicate_key", f"the key {quote(twice[0])} is there twice: write each key once.")
    return value


class _NotANumber(ValueError):
    """NaN, Infinity or -Infinity, which Python's reader would take."""


def _refuse_constant(name: str) -> float:
    raise _NotANumber(name)


def _parse_int(digits: str) -> int | float:
    if len(digits) <= _LONGEST_EXACT:
        value = int(digits)
        if value in _INT64:
            return value
    return float(digits)


def _is_too_deep(text: str) -> bool:
    if text.count("{") + text.count("[") <= MAX_NESTING:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        token = found[0]
        if token in "{[":
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif token in "}]":
            depth -= 1
    return False


def _explain(text: str, error: json.JSONDecodeError) -> str:
    """One sentence on what is wrong where, for the slips that models make; the general one for the rest."""
    rest = text[error.pos : error.pos + 20].strip()
    if text.startswith("`"):
        return "backticks inside the fence only close it: a line of exactly three backticks, and nothing else on it."
    if text.lstrip().startswith(("//", "#", "/*")):
        return "comments do not belong inside the fence: write only JSON objects, one a line."
    if not text.lstrip().startswith(("{", "[", '"')):
        return 'inside the fence each line is one JSON object like {"op":"observe"}: put other text before the fence.'
    if error.msg == "Extra data":
        if rest.startswith("{"):
            return "two objects stand on one line: write one action a line."
        return f"after the object stands {quote(rest)}: end the line with its closing brace."
    if error.msg.startswith("Invalid control character"):
        return 'a raw control character stands in a string: escape it, a new line as "\\n" and a tab as "\\t".'
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return "the object is not complete on its line: write the whole action on one line, to its closing brace."
    if rest.startswith("'") or (rest[:1].isalpha() and "property name" in error.msg):
        return "keys and strings stand in double quotes."
    return (
        f"not JSON at {quote(rest)}, character {error.pos + 1}: write strict JSON with no comments or trailing commas."
    )


def holds_infinity(value: JSON) -> bool:
    """True where a number that no double holds stands anywhere in the value (W14)."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, list):
        return any(holds_infinity(item) for item in value)
    if isinstance(value, dict):
        return any(holds_infinity(item) for item in value.values())
    return False
