"""A small grammar as data, and its two spellings: GBNF (llama.cpp) and Lark (llguidance, OpenAI)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, assert_never

import msgspec


class Lit(msgspec.Struct, frozen=True):
    """These characters, all printable but LF."""

    text: str


class Chars(msgspec.Struct, frozen=True):
    """One character in, or with ``negated`` not in, these inclusive ranges."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False


class Ref(msgspec.Struct, frozen=True):
    """Another rule. A name in capitals is a token: it holds only literals, characters and tokens."""

    name: str


class Seq(msgspec.Struct, frozen=True):
    """One after the other."""

    parts: tuple[Expr, ...]


class Alt(msgspec.Struct, frozen=True):
    """One of these."""

    choices: tuple[Expr, ...]


class Opt(msgspec.Struct, frozen=True):
    """This or nothing."""

    part: Expr


class Star(msgspec.Struct, frozen=True):
    """This any number of times, also none."""

    part: Expr


Expr: TypeAlias = Lit | Chars | Ref | Seq | Alt | Opt | Star


def seq(*parts: Expr | str) -> Expr:
    """The parts in a row; strings are literals, and literals side by side become one."""
    joined: list[Expr] = []
    for part in parts:
        item = Lit(part) if isinstance(part, str) else part
        for piece in item.parts if isinstance(item, Seq) else (item,):
            if isinstance(piece, Lit) and joined and isinstance(joined[-1], Lit):
                joined[-1] = Lit(joined[-1].text + piece.text)
            else:
                joined.append(piece)
    return joined[0] if len(joined) == 1 else Seq(tuple(joined))


def alt(*choices: Expr | str) -> Expr:
    """One of the choices; strings are literals."""
    exprs = tuple(Lit(choice) if isinstance(choice, str) else choice for choice in choices)
    return exprs[0] if len(exprs) == 1 else Alt(exprs)


def up_to(part: Expr, times: int) -> Expr:
    """The part at most so many times; written out, since the dialects spell repetition differently."""
    nested: Expr = Opt(part)
    for _ in range(times - 1):
        nested = Opt(seq(part, nested))
    return nested


def to_gbnf(rules: Mapping[str, Expr]) -> str:
    """The rules as GBNF; the first is the root."""
    return _spell(rules, _GBNF)


def to_lark(rules: Mapping[str, Expr]) -> str:
    """The rules as Lark; the first is the start."""
    return _spell(rules, _LARK)


def _spell(rules: Mapping[str, Expr], dialect: _Dialect) -> str:
    lines = []
    for index, (name, expr) in enumerate(rules.items()):
        head = dialect.root if index == 0 else dialect.name(name)
        lines.append(dialect.rule.format(head, _print(expr, dialect)))
    return "\n".join(lines) + "\n"


def _print(expr: Expr, dialect: _Dialect, *, inside: bool = False) -> str:
    match expr:
        case Lit(text):
            return f'"{_escape(text)}"'
        case Chars():
            return dialect.chars.format(_char_class(expr))
        case Ref(name):
            return dialect.name(name)
        case Opt(part):
            return _print(part, dialect, inside=True) + "?"
        case Star(part):
            return _print(part, dialect, inside=True) + "*"
        case Seq(parts):
            printed = " ".join(_print(part, dialect, inside=isinstance(part, Alt)) for part in parts)
        case Alt(choices):
            printed = " | ".join(_print(choice, dialect) for choice in choices)
        case _:
            assert_never(expr)
    return f"({printed})" if inside else printed


class _Dialect(msgspec.Struct, frozen=True):
    """How the two spellings differ."""

    rule: str
    root: str
    chars: str
    name: Callable[[str], str]


_GBNF = _Dialect(rule="{} ::= {}", root="root", chars="{}", name=lambda name: name.lower().replace("_", "-"))
_LARK = _Dialect(rule="{}: {}", root="start", chars="/{}/", name=str)


def _escape(text: str) -> str:
    """A literal may hold somebody's title: what could end it is escaped, in the way that all readers share."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _char_class(chars: Chars) -> str:
    body = "".join(
        _class_char(low) if low == high else f"{_class_char(low)}-{_class_char(high)}" for low, high in chars.ranges
    )
    return f"[{'^' if chars.negated else ''}{body}]"


def _class_char(char: str) -> str:
    """One end of a range. ``^``, ``-`` and ``/`` have no escape that all readers share: let no range end on them."""
    code = ord(char)
    if char in "\\[]":
        return "\\" + char
    if 0x20 < code < 0x7F:
        return char
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}"
