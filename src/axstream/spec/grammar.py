"""The catalogue as a grammar for constrained generation: a whole response, compact, narrowed to one observation.

Everything that it generates, the parser accepts; not the other way round. It leaves out what no context-free grammar
can promise (objects with free keys in ``result``, since keys may not repeat) and arguments of custom acts whose rules
it cannot spell.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from axstream.errors import UsageError
from axstream.spec.actions import Assert, BuiltinAct, Done
from axstream.spec.catalogue import Catalogue
from axstream.spec.custom import CustomAct
from axstream.spec.fields import Field, example_of, fields_of
from axstream.spec.grammar_schema import json_literal, schema_expr
from axstream.spec.grammar_text import Alt, Chars, Expr, Lit, Opt, Ref, Seq, Star, alt, seq, to_gbnf, to_lark, up_to
from axstream.spec.keys import KEY_NAMES, MODIFIERS
from axstream.spec.wording import WHITE_SPACE, is_blank, list_words, nearest

_FENCE = "```"
_TAG = "jsonl"
_MILLIS_DIGITS = 5  # up to 99,999 ms: over every cap, and small enough to spell
_HELD = 3  # modifiers in one chord


class Narrow(msgspec.Struct, frozen=True, kw_only=True):
    """What a grammar may be narrowed to.

    With ``ids`` or ``pairs`` (role, title) given, targets are those and nothing else; where both are empty, no line has
    a target. ``acts`` names the lines that may stand (``click``, ``assert``, …); ``observe`` and ``done`` end the
    fence, and naming one of them leaves out the other. ``max_lines`` counts the last line too. ``prefilled_fence``
    starts inside the fence; ``narration=False`` starts at it. ``points`` keeps coordinates beside narrowed elements. ``result`` is the JSON Schema of the
    answer that ``done`` carries.
    """

    ids: tuple[str, ...] | None = None
    pairs: tuple[tuple[str, str], ...] | None = None
    acts: tuple[str, ...] | None = None
    max_lines: int | None = None
    prefilled_fence: bool = False
    narration: bool = True
    points: bool = False
    result: dict[str, Any] | None = None


class Grammars(msgspec.Struct, frozen=True, kw_only=True):
    """The same language in two spellings."""

    gbnf: str
    lark: str


def make_grammar(catalogue: Catalogue, narrow: Narrow | None = None) -> Grammars:
    """The grammar of a whole response. Raises ``UsageError`` where ``narrow`` names an unknown act."""
    rules = _rules(catalogue, narrow if narrow is not None else Narrow())
    return Grammars(gbnf=to_gbnf(rules), lark=to_lark(rules))


def _rules(catalogue: Catalogue, narrow: Narrow) -> dict[str, Expr]:
    allowed = _allowed(catalogue, narrow)
    simple, element = _element(catalogue, narrow)
    target = _target(element, narrow)
    lines: dict[str, Expr] = {}
    for name, act in catalogue.builtin.items():
        if name in allowed and (target is not None or not _needs_target(act)):
            lines[f"line_{name}"] = _line(act, catalogue, target)
    if "assert" in allowed and target is not None:
        lines["line_assert"] = _line(Assert, catalogue, target)
    for number, (name, custom) in enumerate(catalogue.custom.items(), 1):
        expr = _custom_line(custom) if name in allowed else None
        if expr is not None:
            lines[f"custom_{number}"] = expr
    last: list[Expr] = []
    if "observe" in allowed:
        last.append(Lit('{"op":"observe"}'))
    if "done" in allowed:
        last.extend(_done_lines(catalogue, narrow))
    rules: dict[str, Expr] = {"start": Lit("")}
    if lines:
        rules["line"] = alt(*map(Ref, lines))
    rules["last"] = alt(*last)
    body = _body(narrow, has_lines=bool(lines), rules=rules)
    ending = seq("\n" + _FENCE, Opt(Lit("\n")))
    if narrow.prefilled_fence:
        rules["start"] = seq(body, ending)
    elif not narrow.narration:
        rules["start"] = seq(f"{_FENCE}{_TAG}\n", body, ending)
    else:
        rules["start"] = seq(Star(Ref("NARRATION")), f"{_FENCE}{_TAG}\n", body, ending)
        rules["NARRATION"] = _NARRATION
    rules.update(lines)
    if target is not None:
        rules["target"] = target
        rules["element"] = element
        rules["simple"] = simple
    rules.update(_TOKENS)
    return _reachable(rules)


def _allowed(catalogue: Catalogue, narrow: Narrow) -> frozenset[str]:
    known = (*catalogue.names, *catalogue.operations)
    if narrow.acts is None:
        return frozenset(known)
    for name in narrow.acts:
        if name not in known:
            near = nearest(name, known)
            raise UsageError(f'there is no act "{name}": {list_words(near or known)}.')
    allowed = frozenset(narrow.acts)
    return allowed if allowed & {"observe", "done"} else allowed | {"observe", "done"}


def _body(narrow: Narrow, *, has_lines: bool, rules: dict[str, Expr]) -> Expr:
    """The lines between the fences: any number, then the last; with a limit, one rule for each line that is left."""
    if not has_lines or narrow.max_lines == 1:
        return Ref("last")
    if narrow.max_lines is None:
        return seq(Star(seq(Ref("line"), "\n")), Ref("last"))
    if narrow.max_lines < 1:
        raise UsageError(f"max_lines is {narrow.max_lines}: a fence needs its last line, so give 1 or more.")
    for left in range(narrow.max_lines, 1, -1):
        rest = Ref("last" if left == 2 else f"lines_{left - 1}")
        rules[f"lines_{left}"] = alt(Ref("last"), seq(Ref("line"), "\n", rest))
    return Ref(f"lines_{narrow.max_lines}")


# Lines.


def _needs_target(struct: type[BuiltinAct]) -> bool:
    return any(field.kind == "target" and field.required for field in fields_of(struct))


def _line(struct: type[BuiltinAct | Assert], catalogue: Catalogue, target: Expr | None) -> Expr:
    """``{"op":…`` and the fields in the order of the struct's example, then the optional ones that it does not show."""
    if issubclass(struct, Assert):
        op, risk = struct.op, None
    else:
        op, risk = struct.do, Opt(Lit(',"risk":"risky"'))
    parts: list[Expr | str] = [f'{{"op":"{op}"']
    fields = [field for field in fields_of(struct) if catalogue.additive or not field.additive]
    for field in sorted(fields, key=lambda field: _place(example_of(struct), field)):
        if field.kind == "target" and target is None:
            continue
        part = seq(f',"{field.name}":', _value(field))
        parts.append(part if field.required else Opt(part))
    if risk is not None:
        parts.append(risk)
    return seq(*parts, "}")


def _place(example: str, field: Field) -> int:
    found = example.find(f'"{field.name}":')
    return found if found >= 0 else len(example)


def _value(field: Field) -> Expr:
    match field.kind:
        case "target":
            return Ref("target")
        case "text" | "prose" | "json":
            return Ref("TEXT")
        case "said":
            return Ref("SAID")
        case "keys":
            return Ref("keys")
        case "millis":
            return Ref("MILLIS")
        case "positive":
            return Ref("POSITIVE")
        case "notches":
            return Ref("NOTCHES")
        case "flag":
            return Lit("true")
        case "choice":
            return alt(*(f'"{choice}"' for choice in field.choices))
    assert_never(field.kind)


def _done_lines(catalogue: Catalogue, narrow: Narrow) -> list[Expr]:
    failure = seq(f'{{"op":"{Done.op}","status":"failure","reason":', Ref("TEXT"), "}")
    success = f'{{"op":"{Done.op}","status":"success"'
    if not catalogue.additive:
        return [Lit(success + "}"), failure]
    if narrow.result is None:
        return [seq(success, Opt(seq(',"result":', Ref("result"))), "}"), failure]
    expr = schema_expr(narrow.result, narrow.result.get("$defs", {}), strict=False)
    return [seq(success, ',"result":', expr if expr is not None else Ref("result"), "}"), failure]


def _custom_line(act: CustomAct) -> Expr | None:
    """The line of a custom act, or None where a required argument has rules that no grammar here spells."""
    parts: list[Expr | str] = [f'{{"op":"{act.name}"']
    for parameter in act.parameters:
        value = schema_expr(parameter.schema, act.definitions, strict=True) if parameter.exact else None
        if value is not None:
            part = seq(f",{json_literal(parameter.name)}:", value)
            parts.append(part if parameter.required else Opt(part))
        elif parameter.required:
            return None
    return seq(*parts, Opt(Lit(',"risk":"risky"')), "}")


# Targets.


def _element(catalogue: Catalogue, narrow: Narrow) -> tuple[Expr, Expr]:
    """What stands between the braces of ``within``, and of ``ax``."""
    if narrow.ids is None and narrow.pairs is None:
        simple = alt(
            seq('"id":', Ref("ID")),
            seq('"role":', Ref("SAID"), Opt(seq(',"title":', Ref("SAID")))),
            seq('"title":', Ref("SAID")),
        )
        if not catalogue.additive:
            return simple, simple
        return simple, seq(Ref("simple"), Opt(seq(',"within":{', Ref("simple"), "}")))
    literals = [f'"id":{json_literal(id_)}' for id_ in narrow.ids or () if _can_be_said(id_)]
    literals += [
        f'"role":{json_literal(role)},"title":{json_literal(title)}'
        for role, title in narrow.pairs or ()
        if _can_be_said(role) and _can_be_said(title)
    ]
    elements = alt(*dict.fromkeys(literals))
    return elements, elements


def _target(element: Expr, narrow: Narrow) -> Expr | None:
    choices: list[Expr] = []
    narrowed = narrow.ids is not None or narrow.pairs is not None
    if element != Alt(()):
        choices.append(seq('{"ax":{', Ref("element"), "}}"))
    if narrow.points or not narrowed:
        choices.append(seq('{"x":', Ref("NUMBER"), ',"y":', Ref("NUMBER"), "}"))
    return alt(*choices) if choices else None


def _can_be_said(text: str) -> bool:
    """Blank strings are no targets, and a lone surrogate cannot be written in UTF-8."""
    return not is_blank(text) and not any("\ud800" <= char <= "\udfff" for char in text)


def _reachable(rules: dict[str, Expr]) -> dict[str, Expr]:
    """The rules that the first one leads to, in their order: an unused rule is an error to some readers."""
    wanted: set[str] = set()
    waiting = [next(iter(rules))]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(_references(rules[name]))
    return {name: expr for name, expr in rules.items() if name in wanted}


def _references(expr: Expr) -> list[str]:
    match expr:
        case Ref(name):
            return [name]
        case Opt(part) | Star(part):
            return _references(part)
        case Alt(parts) | Seq(parts):
            return [name for part in parts for name in _references(part)]
        case Lit() | Chars():
            return []
    assert_never(expr)


# Tokens. Characters are those that can be typed, unescaped; LF and TAB are escapes, as JSON wants them.

_CONTROLS = (("\x00", "\x1f"), ("\x7f", "\x9f"))
_CHARACTER = Chars((('"', '"'), ("\\", "\\"), *_CONTROLS), negated=True)
_FIRST = Chars(
    (('"', '"'), ("\\", "\\"), *_CONTROLS, *((char, char) for char in WHITE_SPACE if char > "\x1f" and char != "\x85")),
    negated=True,
)
_DIGIT = Chars((("0", "9"),))
_FIRST_DIGIT = Chars((("1", "9"),))
_ESCAPED = Chars((('"', '"'), ("\\", "\\"), ("n", "n"), ("t", "t")))
_ESCAPED_VISIBLE = Chars((('"', '"'), ("\\", "\\")))
_NARRATION = seq(Star(Chars((("`", "`"), ("<", "<"), *_CONTROLS), negated=True)), "\n")
_POSITIVE = seq(_FIRST_DIGIT, up_to(_DIGIT, _MILLIS_DIGITS - 1))
_VISIBLE_ASCII = Chars((("!", "!"), ("#", "["), ("]", "~")))

_TOKENS: dict[str, Expr] = {
    "keys": seq("[", up_to(seq(Ref("MODIFIER"), ","), _HELD), Ref("KEY"), "]"),
    "result": alt(Ref("scalar"), seq("[", Opt(seq(Ref("scalar"), Star(seq(",", Ref("scalar"))))), "]")),
    "scalar": alt(Ref("TEXT"), Ref("NUMBER"), "true", "false"),
    "TEXT": seq('"', Star(alt(_CHARACTER, seq("\\", _ESCAPED))), '"'),
    "SAID": seq('"', alt(_FIRST, seq("\\", _ESCAPED_VISIBLE)), Star(alt(_CHARACTER, seq("\\", _ESCAPED_VISIBLE))), '"'),
    "ID": seq('"e', _FIRST_DIGIT, up_to(_DIGIT, _MILLIS_DIGITS - 1), '"'),
    "MODIFIER": alt(*(f'"{name}"' for name in MODIFIERS)),
    "KEY": alt(
        *(f'"{name}"' for name in KEY_NAMES),
        seq('"', alt(_VISIBLE_ASCII, '\\"', "\\\\"), '"'),
    ),
    "MILLIS": alt("0", _POSITIVE),
    "POSITIVE": _POSITIVE,
    "NOTCHES": alt(seq(_FIRST_DIGIT, Opt(_DIGIT)), "100"),
    "NUMBER": seq(
        Opt(Lit("-")),
        alt("0", seq(_FIRST_DIGIT, up_to(_DIGIT, 11))),
        Opt(seq(".", _DIGIT, up_to(_DIGIT, 5))),
    ),
    "INTEGER": seq(Opt(Lit("-")), alt("0", seq(_FIRST_DIGIT, up_to(_DIGIT, 11)))),
}
