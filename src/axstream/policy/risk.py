"""How risky an act is: the model's mark and our own judgement of what it would do (R1, R3, Z8). Pure; decides nothing.

A line can be raised to risky here, never lowered.
"""

from __future__ import annotations

import re
from typing import assert_never
from urllib.parse import unquote, urlsplit

from axstream.ax.node import Node
from axstream.ax.quote import quote
from axstream.policy.words import risky_words
from axstream.spec.actions import (
    AnyAct,
    Click,
    Custom,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)

#: Roles whose name is a command: a click on one does what the name says (Z8: not links, not fields).
_COMMANDS = frozenset({"button", "menuitem", "menuitemcheckbox", "menuitemradio", "switch"})
#: Chords that close, quit, lose or send, whatever has the focus; modifiers sorted, Command and Control alike.
_RISKY_CHORDS: dict[tuple[str, ...], str] = {
    ("cmd", "q"): "the chord quits the application",
    ("cmd", "w"): "the chord closes the window or tab",
    ("cmd", "shift", "w"): "the chord closes the window",
    ("cmd", "shift", "q"): "the chord logs out or quits",
    ("alt", "f4"): "the chord closes the window",
    ("alt", "cmd", "delete"): "the chord can log out or restart",
    ("cmd", "shift", "delete"): "the chord clears data",
    ("shift", "delete"): "the chord deletes for good",
    ("cmd", "delete"): "the chord deletes",
    ("cmd", "backspace"): "the chord deletes",
    ("cmd", "enter"): "the chord sends",
    ("alt", "cmd", "escape"): "the chord force-quits",
}
_TEXT_SAFE = frozenset({("cmd", "delete"), ("cmd", "backspace"), ("shift", "delete")})  # in a field: text only
_URL_WORDS = re.compile(
    r"(?:^|[/?&=_.-])(logout|log-out|log_out|signout|sign-out|sign_out|delete|remove|destroy|unsubscribe|purchase)(?:$|[/?&=_.-])"
)
_TRASH = re.compile(
    r"\b(trash|bin|recycle bin|papierkorb|papelera|corbeille|cestino|lixeira)\b|回收站|ゴミ箱|废纸篓", re.I
)


def _click(node: Node | None) -> tuple[str, ...]:
    if node is None or node.role not in _COMMANDS:
        return ()
    effect = risky_words(node.name or node.description or node.value)
    return (f"its name says that it {effect}",) if effect else ()


def _enter(node: Node | None) -> tuple[str, ...]:
    if node is None or node.multiline:
        return ()
    if node.editable:
        effect = risky_words(node.submits) if node.submits else None
        return (f"Enter presses {quote(node.submits, 60)}, whose name says that it {effect}",) if effect else ()
    return _click(node)


def _open(target: str) -> tuple[str, ...]:
    try:
        parts = urlsplit(target if "://" in target else "//" + target)
    except ValueError:
        return ()  # no address at all: ``open`` fails
    found = _URL_WORDS.search(unquote(f"{parts.path}?{parts.query}").casefold())
    return (f"the address says {found.group(1)}",) if found else ()


def _key(keys: tuple[str, ...], focus: Node | None) -> tuple[str, ...]:
    *modifiers, key = keys
    chord = (*sorted({"cmd" if m in ("ctrl", "meta") else m for m in modifiers}), key)
    if chord in _RISKY_CHORDS and not (chord in _TEXT_SAFE and focus is not None and focus.editable):
        return (_RISKY_CHORDS[chord],)
    if not modifiers and key == "delete" and focus is not None and not focus.editable:
        return ("Delete on something that is not a text field deletes it",)
    if key in ("enter", "space") and not set(modifiers) - {"shift"}:
        return _enter(focus) if key == "enter" else (() if focus is None or focus.editable else _click(focus))
    return ()


def judge(act: AnyAct, node: Node | None, to: Node | None, focus: Node | None) -> tuple[str, ...]:
    """Return the reasons why an act is risky, none if it is safe.

    ``node`` is the element that the act found (the one under a bare point, Z22), ``to`` the end of a drag, ``focus``
    what has the keyboard focus, for ``key`` and ``type`` (Z8).
    """
    marked: tuple[str, ...] = ("the line is marked risky",) if act.risk != "safe" else ()
    match act:
        case Click() | DoubleClick():
            return marked + _click(node)
        case Type(text=text):
            presses_enter = "\n" in text
            typed_into = node if node is not None else focus
            extra = _enter(typed_into) if presses_enter else ()
            if not extra and (" " in text) and typed_into is not None and not typed_into.editable:
                extra = _click(typed_into)  # Space on a control is a click on it
            return marked + _click(node if act.target is not None else None) + extra
        case Key(keys=keys):
            return marked + _key(keys, focus)
        case Open(target=target):
            return marked + _open(target)
        case Drag():
            into_trash = to is not None and bool(_TRASH.search(to.name))
            return marked + (("it is dropped into the trash",) if into_trash else ())
        case RightClick() | Move() | Scroll() | Wait() | WaitUntil() | Custom():
            return marked
        case _:
            assert_never(act)
