"""What keys do to a scene: shortcuts, editing, Tab order, Enter and Space, arrows, Escape. No time passes here.

A key goes, in this order, to: an exact shortcut on the focused element or anything around it (under a modal dialog no
further than the dialog), on the page, the window, the scene; a focused element that listens to any key (``"*"``); what
the focused element does with it by itself; an open pop-up's Escape and arrows; whatever around listens to any key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.effects import Cause, run, select
from axstream.computer.memory.live import CHECK_ROLES, CHOICE_ROLES, RADIO_ROLES, TEXT_ROLES, Live
from axstream.computer.memory.pointer import activate
from axstream.computer.memory.records import TextTyped
from axstream.computer.memory.scene import Effects
from axstream.spec.keys import KeyProblem, canonical_keys, split_chord

HELD = ("ctrl", "alt", "meta")  # with one of these down, a character is a shortcut and no text


def physical(key: str) -> str:
    """Name the key that a canonical name means here: the shortcut modifier is Control (A2)."""
    return "ctrl" if key == "cmd" else key


@lru_cache(maxsize=1024)
def chord(text: str) -> str:
    """Spell a scene's shortcut as presses are spelled; one that is no press never fires (loading rejects it)."""
    keys = canonical_keys(text)
    return "" if isinstance(keys, KeyProblem) else spell(*split_chord(keys))


def spell(modifiers: tuple[str, ...], key: str) -> str:
    """Spell a press: ``ctrl+shift+n``."""
    held = dict.fromkeys(physical(one) for one in modifiers)
    return "+".join((*(one for one in ("ctrl", "alt", "shift", "meta") if one in held), physical(key)))


def scopes(desktop: Desktop) -> Iterator[tuple[Live | None, dict[str, Effects]]]:
    """Yield what may answer a key, the nearest to the focus first."""
    modal = desktop.modal()
    focus = desktop.focused()
    active = desktop.active()
    start = focus or active
    if focus is None and active is not None:
        for live in active.walk():
            if live.spec.browse:
                yield live, live.page_keys
    for live in () if start is None else start.up():
        yield live, live.spec.on_key
        if live.spec.browse:
            yield live, live.page_keys
        if live is modal:
            return
    if modal is None:
        yield None, desktop.scene.on_key


def listens(desktop: Desktop) -> bool:
    """Tell whether something takes any key without being a text field (``"*"``)."""
    return any("*" in keys for _, keys in scopes(desktop))


def press(desktop: Desktop, modifiers: tuple[str, ...], key: str) -> bool:
    """Let a key take effect; tell whether anything answered."""
    pressed = spell(modifiers, key)
    focus = desktop.focused()
    for live, keys in scopes(desktop):
        for text, effects in keys.items():
            if text != "*" and chord(text) == pressed:
                run(desktop, effects, Cause(live, key=pressed))
                return True
    if focus is not None and "*" in focus.spec.on_key:
        run(desktop, focus.spec.on_key["*"], Cause(focus, key=pressed))
        return True
    if _menu_key(desktop, pressed) or (focus is not None and _own_key(desktop, focus, modifiers, key, pressed)):
        return True
    if pressed in ("tab", "shift+tab"):
        return _next_stop(desktop, back=pressed != "tab")
    for live, keys in scopes(desktop):
        if "*" in keys:
            run(desktop, keys["*"], Cause(live, key=pressed))
            return True
    return False


def insert(desktop: Desktop, live: Live, text: str) -> None:
    """Put text into a field at its caret, in place of what is selected."""
    _edit(desktop, live, "" if live.all_selected else live.value[: live.caret], text)
    desktop.inputs.append(TextTyped(t=desktop.now, text=text, into=live.key))
    run(desktop, live.spec.on_input, Cause(live))


def _edit(desktop: Desktop, live: Live, before: str, text: str, after: str | None = None) -> None:
    if after is None:
        after = "" if live.all_selected else live.value[live.caret :]
    live.value = before + text + after
    live.caret = len(before + text)
    live.all_selected = False
    desktop.changes += 1


def _own_key(desktop: Desktop, live: Live, modifiers: tuple[str, ...], key: str, pressed: str) -> bool:
    if live.role in TEXT_ROLES:
        return _field_key(desktop, live, modifiers, key, pressed)
    if pressed == "enter" and live.role == "combobox" and _submit(desktop, live):
        return True
    if pressed == "space" or (pressed == "enter" and live.role not in CHECK_ROLES | RADIO_ROLES):
        return activate(desktop, live)
    if pressed in ("up", "down", "left", "right"):
        return _step(desktop, live, -1 if pressed in ("up", "left") else 1)
    return False


def _field_key(desktop: Desktop, live: Live, modifiers: tuple[str, ...], key: str, pressed: str) -> bool:
    if pressed == "enter":
        if not live.spec.on_enter and live.spec.multiline and live.takes_text:
            insert(desktop, live, "\n")
            return True
        return _submit(desktop, live)
    text = " " if key == "space" else key
    if len(text) == 1 and not any(physical(one) in HELD for one in modifiers):
        if not live.takes_text:
            return False
        insert(desktop, live, text.upper() if "shift" in modifiers else text)
        return True
    return _edit_key(desktop, live, pressed)


def _edit_key(desktop: Desktop, live: Live, pressed: str) -> bool:
    value, caret, everything = live.value, live.caret, live.all_selected
    chosen = value if everything else ""
    match pressed:
        case "ctrl+a":
            live.all_selected = True
        case "ctrl+c" if chosen:
            desktop.clipboard = chosen
        case "home" | "up" | "end" | "down" | "left" | "right":
            live.all_selected = False
            ends = {"home": 0, "up": 0, "end": len(value), "down": len(value)}
            aside = max(0, caret - 1) if pressed == "left" else min(len(value), caret + 1)
            if everything:
                aside = 0 if pressed == "left" else len(value)
            live.caret = ends.get(pressed, aside)
        case _ if not live.takes_text:
            return False
        case "ctrl+x" if chosen:
            desktop.clipboard = chosen
            _edit(desktop, live, "", "", "")
        case "ctrl+v" if desktop.clipboard:
            insert(desktop, live, desktop.clipboard)
            return True
        case "backspace" | "delete" if everything:
            _edit(desktop, live, "", "", "")
        case "backspace":
            _edit(desktop, live, value[: max(0, caret - 1)], "", value[caret:])
        case "delete":
            _edit(desktop, live, value[:caret], "", value[caret + 1 :])
        case _:
            return False
    if live.value != value:
        run(desktop, live.spec.on_input, Cause(live))
    return True


def _submit(desktop: Desktop, live: Live) -> bool:
    for one in live.up():
        if one.spec.on_enter:
            run(desktop, one.spec.on_enter, Cause(one, key="enter"))
            return True
    return False


def _menu_key(desktop: Desktop, pressed: str) -> bool:
    popups = [live for live in desktop.floating() if live.spec.popup]
    if not popups:
        return False
    if pressed == "escape":
        desktop.hide(popups[-1])
        return True
    focus = desktop.focused()
    if pressed in ("down", "up") and (focus is None or focus.role not in ("combobox", *TEXT_ROLES)):
        items = [live for live in popups[-1].walk() if live.focusable and desktop.visible(live)]
        if items:
            at = items.index(focus) + (1 if pressed == "down" else -1) if focus in items else 0
            desktop.focus_on(items[at % len(items)])
            return True
    return False


def _step(desktop: Desktop, live: Live, step: int) -> bool:
    if live.role == "combobox" and live.popup_child is not None:
        options = [one for one in live.popup_child.walk() if one.role == "option"]
        names = [one.name for one in options]
        at = names.index(live.value) + step if live.value in names else 0
        if 0 <= at < len(options) and live.value != names[at]:
            select(desktop, options[at])
            live.value = names[at]
            run(desktop, live.spec.on_input, Cause(live))
        return True
    if live.role in RADIO_ROLES | CHOICE_ROLES and live.parent is not None:
        peers = [one for one in live.parent.walk() if one.role == live.role and one.enabled and desktop.visible(one)]
        peer = peers[(peers.index(live) + step) % len(peers)]
        desktop.focus_on(peer)
        return activate(desktop, peer)
    return False


def _next_stop(desktop: Desktop, *, back: bool) -> bool:
    focus = desktop.focused()
    scope = desktop.active()
    if scope is None or (focus is not None and scope not in focus.up()):
        scope = desktop.window_of(focus) if focus is not None else scope
    stops = [] if scope is None else desktop.tab_stops(scope)
    if not stops:
        return False
    at = stops.index(focus) + (-1 if back else 1) if focus in stops else (-1 if back else 0)
    stop = stops[at % len(stops)]
    desktop.focus_on(stop)
    stop.all_selected = stop.role in TEXT_ROLES and not stop.spec.multiline and bool(stop.value)
    return True
