"""The names of keys: every alias to one canonical name, a list or a string to one press (A2, Z15)."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence

import msgspec

from axstream.spec.wording import is_blank, list_words, nearest, quote

#: Canonical modifiers, in the order in which a canonical press holds them. ``cmd`` is the platform's shortcut
#: modifier and is mapped by the computer; ``meta`` is the literal key (A2).
MODIFIERS: tuple[str, ...] = ("ctrl", "cmd", "alt", "shift", "meta")

#: Canonical names of the keys that are no character.
KEY_NAMES: tuple[str, ...] = (
    "enter",
    "escape",
    "tab",
    "space",
    "backspace",
    "delete",
    "insert",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
    "capslock",
    "numlock",
    "scrolllock",
    "printscreen",
    "pause",
    "menu",
    *(f"f{number}" for number in range(1, 25)),
)

_ALIASES: dict[str, tuple[str, ...]] = {
    "cmd": ("command", "⌘", "mod", "primary", "cmdorctrl", "commandorcontrol", "controlormeta"),
    "ctrl": ("control", "⌃", "controlleft", "controlright", "controll", "controlr", "ctl"),
    "alt": ("option", "opt", "⌥", "altleft", "altright", "altl", "altr"),
    "shift": ("⇧", "shiftleft", "shiftright", "shiftl", "shiftr"),
    "meta": ("super", "win", "windows", "metaleft", "metaright", "superl", "superr"),
    "enter": ("return", "ret", "⏎", "↵", "newline"),
    "escape": ("esc", "⎋"),
    "tab": ("⇥",),
    "space": ("spacebar",),
    "backspace": ("⌫", "bksp"),
    "delete": ("del", "⌦"),
    "insert": ("ins",),
    "pageup": ("pgup", "prior"),
    "pagedown": ("pgdn", "pgdown", "next"),
    "up": ("arrowup", "uparrow", "↑"),
    "down": ("arrowdown", "downarrow", "↓"),
    "left": ("arrowleft", "leftarrow", "←"),
    "right": ("arrowright", "rightarrow", "→"),
    "capslock": ("caps",),
    "printscreen": ("prtsc", "prtscn", "print", "printscr"),
    "pause": ("break",),
    "menu": ("contextmenu", "apps"),
    "+": ("plus",),
    "-": ("minus", "hyphen"),
    "=": ("equal", "equals"),
    ",": ("comma",),
    ".": ("period", "dot"),
    "/": ("slash",),
    "\\": ("backslash",),
    ";": ("semicolon",),
    "'": ("apostrophe", "quote"),
    "`": ("backquote", "backtick"),
}

_CANONICAL: dict[str, str] = {
    **{name: name for name in (*MODIFIERS, *KEY_NAMES)},
    **{alias: name for name, aliases in _ALIASES.items() for alias in aliases},
}

#: What people put between the words of one key's name: ``Page Down``, ``page_down``, ``page-down``.
_JOINTS = str.maketrans("", "", " _-")

_JOINER = "\u200d"  # zero-width joiner: ties emoji into one character
_VARIATION = ("\ufe0e", "\ufe0f")


class KeyProblem(msgspec.Struct, frozen=True):
    """Why ``keys`` is no press; ``message`` is one sentence that says how to mend it."""

    message: str


def canonical_keys(keys: Sequence[str] | str) -> tuple[str, ...] | KeyProblem:
    """One press in canonical names: the modifiers in the order of ``MODIFIERS``, then one key.

    A lone modifier is a press of that modifier. Case is ignored, but a lone character arrives as itself (Z15).
    """
    names: list[str] = []
    for part in [keys] if isinstance(keys, str) else keys:
        split = _split(part)
        if isinstance(split, KeyProblem):
            return split
        names.extend(split)
    if not names:
        return KeyProblem('"keys" is empty: name one key or chord, like ["enter"] or ["cmd","s"].')
    return _press(names)


def split_chord(keys: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The modifiers and the key of a canonical press; a lone modifier is the key."""
    return tuple(keys[:-1]), keys[-1]


def _press(names: list[str]) -> tuple[str, ...] | KeyProblem:
    held = [name for name in names if name in MODIFIERS]
    pressed = [name for name in names if name not in MODIFIERS]
    if len(names) == 1:
        return (names[0],)
    if not pressed:
        return KeyProblem(f'"keys" holds only the modifiers {list_words(held, "and")}: add the key that they go with.')
    if len(pressed) > 1:
        return KeyProblem(
            f'"keys" is one press, and this names {len(pressed)} keys ({list_words(pressed[:4], "and")}): '
            "write one line per press."
        )
    key = pressed[0]
    lower = key.lower()
    if len(lower) == len(key):
        key = lower
    return (*(name for name in MODIFIERS if name in held), key)


def _split(text: str) -> list[str] | KeyProblem:
    """The names in one string, which may be a chord; ``+`` joins, and is the plus key where it joins nothing."""
    alone = _name(text)
    if alone is not None:
        return [alone]
    if is_blank(text):
        return KeyProblem('a key is blank: name it, like "enter", "tab" or "space".')
    parts = text.split("+")
    if text.endswith("++") and len(parts) > 2:
        parts = [*parts[:-2], "+"]
    names: list[str] = []
    for part in parts:
        name = _name(part.strip()) or _name(part)
        if name is None:
            return _unknown(text, part.strip())
        names.append(name)
    return names


def _unknown(text: str, part: str) -> KeyProblem:
    if is_blank(part):
        return KeyProblem(f'the key {quote(text)} is cut short at a "+": write the plus key as ["ctrl","+"].')
    near = nearest(part, _CANONICAL)
    hint = f"the nearest is {list_words(near)}" if near else 'a name is like "enter", "pagedown", "f5" or one character'
    words = part.replace("-", " ").split()
    if len(words) > 1 and all(_name(word) for word in words):
        hint = f"a chord is written {quote('+'.join(words))}"
    return KeyProblem(f"the key {quote(part)} is unknown: {hint}.")


def _name(text: str) -> str | None:
    """The canonical name of one key, or None."""
    if text == " ":
        return "space"
    known = _CANONICAL.get(text.casefold())
    if known is not None:
        return known
    character = _character(text)
    if character is not None:
        return character
    return _CANONICAL.get(text.casefold().translate(_JOINTS))


def _character(text: str) -> str | None:
    """The text as one character that a person sees, composed where that is possible; None where it is not one."""
    if len(text) != 1:
        composed = unicodedata.normalize("NFC", text)
        if len(composed) == 1:
            text = composed
        elif not _is_cluster(text):
            return None
    if is_blank(text) or unicodedata.category(text[0]) == "Cc":
        return None
    return text


def _is_cluster(text: str) -> bool:
    """True for a base with marks, an emoji sequence or a flag; enough for keys, not all of Unicode's segmentation."""
    if len(text) < 2:
        return False
    if len(text) == 2 and all("\U0001f1e6" <= char <= "\U0001f1ff" for char in text):
        return True
    return all(
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or char == _JOINER
        or char in _VARIATION
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or before == _JOINER
        for before, char in itertools.pairwise(text)
    )
