"""Canonical key names as Chromium takes them, and which chords belong to the browser's own chrome (A2, Z16). Pure."""

from __future__ import annotations

import sys

import msgspec

IS_MAC = sys.platform == "darwin"

#: Canonical name -> Playwright's (DOM ``key`` or ``code``).
_NAMES = {
    "enter": "Enter",
    "escape": "Escape",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "insert": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "capslock": "CapsLock",
    "numlock": "NumLock",
    "scrolllock": "ScrollLock",
    "printscreen": "PrintScreen",
    "pause": "Pause",
    "menu": "ContextMenu",
    "ctrl": "Control",
    "alt": "Alt",
    "shift": "Shift",
    "meta": "Meta",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}
#: Keys that Playwright's keyboard has not: DOM key and Windows' virtual key code.
_RAW = {f"f{number}": (f"F{number}", 111 + number) for number in range(13, 25)}
_SHIFTED = '~!@#$%^&*()_+{}|:"<>?'
#: What a US keyboard types without Shift and with it.
US_KEYBOARD = frozenset(map(chr, range(0x20, 0x7F)))


class Press(msgspec.Struct, frozen=True, kw_only=True):
    """One press as Chromium takes it: the modifiers to hold, the key, and how it is sent.

    ``raw`` is DOM key and virtual key code for a key that Playwright's keyboard has not; ``text`` is a character that
    no US key types.
    """

    modifiers: tuple[str, ...]
    key: str
    raw: tuple[str, int] | None = None
    text: str = ""


def as_press(modifiers: tuple[str, ...], key: str) -> Press:
    """Return a canonical press as Chromium takes it. ``cmd`` is Command on macOS, Control elsewhere (A2)."""
    held = []
    for modifier in modifiers:
        name = _NAMES[_platform(modifier)]
        if name not in held:
            held.append(name)
    key = _platform(key)
    if key in _NAMES:
        return Press(modifiers=tuple(held), key=_NAMES[key])
    if key in _RAW:
        return Press(modifiers=tuple(held), key=key, raw=_RAW[key])
    if key in US_KEYBOARD:
        needs_shift = (key.isalpha() and key.isupper()) or key in _SHIFTED
        if needs_shift and "Shift" not in held:
            held.append("Shift")
        if "Shift" in held and key.isalpha():
            key = key.upper()
        return Press(modifiers=tuple(held), key="Space" if key == " " else key)
    return Press(modifiers=tuple(held), key=key, text=key)


def _platform(name: str) -> str:
    if name == "cmd":
        return "meta" if IS_MAC else "ctrl"
    return name


class Chrome(msgspec.Struct, frozen=True, kw_only=True):
    """What a chord does to the browser itself. ``reserved``: a page never receives it.

    ``does`` is one of ``address``, ``reload``, ``back``, ``forward``, ``new_tab``, ``close_tab``, ``next_tab``,
    ``previous_tab``, ``tab:N``, ``last_tab``, or "" for what is not emulated; then ``instead`` says what to do.
    """

    what: str
    does: str = ""
    instead: str = ""
    reserved: bool = False


_OPEN = "use `open` with a URL"
_NOT = "leave it out"
_CHORDS: dict[tuple[str, ...], Chrome] = {
    ("mod", "l"): Chrome(what="focuses the address bar", does="address"),
    ("alt", "d"): Chrome(what="focuses the address bar", does="address"),
    ("f6",): Chrome(what="focuses the address bar", does="address"),
    ("mod", "r"): Chrome(what="reloads the page", does="reload"),
    ("mod", "shift", "r"): Chrome(what="reloads the page", does="reload"),
    ("f5",): Chrome(what="reloads the page", does="reload"),
    ("ctrl", "f5"): Chrome(what="reloads the page", does="reload"),
    ("shift", "f5"): Chrome(what="reloads the page", does="reload"),
    ("mod", "t"): Chrome(what="opens a tab", does="new_tab", reserved=True),
    ("mod", "w"): Chrome(what="closes the tab", does="close_tab", reserved=True),
    ("ctrl", "f4"): Chrome(what="closes the tab", does="close_tab", reserved=True),
    ("ctrl", "tab"): Chrome(what="shows the next tab", does="next_tab", reserved=True),
    ("ctrl", "pagedown"): Chrome(what="shows the next tab", does="next_tab", reserved=True),
    ("ctrl", "shift", "tab"): Chrome(what="shows the previous tab", does="previous_tab", reserved=True),
    ("ctrl", "pageup"): Chrome(what="shows the previous tab", does="previous_tab", reserved=True),
    **{("mod", str(n)): Chrome(what=f"shows tab {n}", does=f"tab:{n}") for n in range(1, 9)},
    ("mod", "9"): Chrome(what="shows the last tab", does="last_tab"),
    ("mod", "n"): Chrome(what="opens a window", instead=_OPEN, reserved=True),
    ("mod", "shift", "n"): Chrome(what="opens a private window", instead=_OPEN, reserved=True),
    ("mod", "shift", "t"): Chrome(what="reopens a closed tab", instead=_OPEN, reserved=True),
    ("mod", "shift", "w"): Chrome(what="closes the window", instead="end with `done`", reserved=True),
    ("mod", "q"): Chrome(what="quits the browser", instead="end with `done`", reserved=True),
    ("alt", "f4"): Chrome(what="quits the browser", instead="end with `done`", reserved=True),
    ("mod", "f"): Chrome(
        what="opens the browser's search in the page",
        instead="`observe` lists the page's text, `scroll` shows more of it",
    ),
    ("mod", "g"): Chrome(what="opens the browser's search in the page", instead="`observe` lists the page's text"),
    ("f3",): Chrome(what="opens the browser's search in the page", instead="`observe` lists the page's text"),
    ("mod", "k"): Chrome(what="searches from the address bar", instead="use `open` with the search engine's URL"),
    ("mod", "e"): Chrome(what="searches from the address bar", instead="use `open` with the search engine's URL"),
    ("mod", "p"): Chrome(what="prints", instead=_NOT),
    ("mod", "s"): Chrome(what="saves the page as a file", instead=_NOT),
    ("mod", "o"): Chrome(what="opens a file", instead=_OPEN),
    ("mod", "d"): Chrome(what="bookmarks the page", instead=_NOT),
    ("mod", "h"): Chrome(what="shows the history", instead=_OPEN),
    ("mod", "j"): Chrome(what="shows the downloads", instead=_OPEN),
    ("mod", "u"): Chrome(what="shows the source", instead=_OPEN),
    ("mod", "shift", "i"): Chrome(what="opens the developer tools", instead=_NOT),
    ("mod", "shift", "j"): Chrome(what="opens the developer tools", instead=_NOT),
    ("f12",): Chrome(what="opens the developer tools", instead=_NOT),
    ("mod", "shift", "delete"): Chrome(what="clears browsing data", instead=_NOT),
    ("mod", "+"): Chrome(what="zooms", instead=_NOT),
    ("mod", "="): Chrome(what="zooms", instead=_NOT),
    ("mod", "-"): Chrome(what="zooms", instead=_NOT),
    ("mod", "0"): Chrome(what="zooms", instead=_NOT),
    ("f11",): Chrome(what="shows the browser on the full screen", instead=_NOT),
    ("alt", "home"): Chrome(what="opens the start page", instead=_OPEN),
    ("alt", "left"): Chrome(what="goes back", does="back"),
    ("alt", "right"): Chrome(what="goes forward", does="forward"),
    ("mod", "["): Chrome(what="goes back", does="back"),
    ("mod", "]"): Chrome(what="goes forward", does="forward"),
}


def chrome_chord(modifiers: tuple[str, ...], key: str) -> Chrome | None:
    """Return what a canonical chord does to the browser itself, None where it is the page's alone."""
    mod = "meta" if IS_MAC else "ctrl"
    held = {_platform(modifier) for modifier in modifiers}
    for order in (("mod", "shift"), ("ctrl", "shift"), ("alt",)):
        names = tuple(name for name in order if (mod if name == "mod" else name) in held)
        if len(names) == len(held) and (found := _CHORDS.get((*names, key.lower()))) is not None:
            return found
    return None
