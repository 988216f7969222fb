"""What the pointer does to a scene: pressing, releasing, clicking, dropping, hovering, the wheel. No waiting here."""

from __future__ import annotations

import msgspec

from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.effects import Cause, check_alone, choose, go, run, select
from axstream.computer.memory.live import CHECK_ROLES, CHOICE_ROLES, RADIO_ROLES, Live
from axstream.computer.memory.pages import view_of
from axstream.computer.memory.records import ButtonDown, ButtonUp, PointerMoved, WheelTurned
from axstream.spec.actions import Direction

NOTCH = 100.0  # pixels that one wheel notch scrolls, as in Chromium
MENU_ROLES = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio"})


class Press(msgspec.Struct, frozen=True):
    """A button that is down: which, and on what it went down."""

    button: str
    on: Live | None


def point_at(desktop: Desktop, x: float, y: float) -> None:
    """Move the pointer; what it comes to lie over is hovered."""
    if desktop.pointer != (x, y):
        desktop.pointer = (x, y)
        desktop.inputs.append(PointerMoved(t=desktop.now, x=x, y=y))
    hit = desktop.layout().hit(x, y)
    under = () if hit is None else tuple(live.handle for live in hit.up())
    entered = [desktop.by_handle[handle] for handle in under if handle not in desktop.under]
    desktop.under = under
    for live in entered:
        run(desktop, live.spec.on_hover, Cause(live))


def press(desktop: Desktop, button: str) -> Press:
    """Put a button down where the pointer is: windows come up, pop-ups close, the focus goes to what takes it."""
    x, y = desktop.pointer
    hit = desktop.layout().hit(x, y)
    key = "" if hit is None else hit.key
    desktop.inputs.append(ButtonDown(t=desktop.now, button=button, x=x, y=y, on=key))
    desktop.pressed.append(button)
    desktop.close_popups(keep=hit)
    if hit is None:
        desktop.focus_on(None)
    elif hit.handle in desktop.by_handle:
        desktop.bring_up(hit)
        _focus_by(desktop, hit)
    return Press(button, hit)


def release(desktop: Desktop, down: Press, count: int = 1) -> str:
    """Let a button go where the pointer is; what it means follows from where it went down: a click, or a drop.

    ``count`` is which click of a quick series it is. Returns what came of it: ``clicked``, ``dropped``, or "" where
    nothing answered.
    """
    x, y = desktop.pointer
    hit = desktop.layout().hit(x, y)
    if down.button in desktop.pressed:
        desktop.pressed.remove(down.button)
    key = "" if hit is None else hit.key
    desktop.inputs.append(ButtonUp(t=desktop.now, button=down.button, x=x, y=y, on=key))
    if hit is None or down.on is None:
        return ""
    if hit is not down.on:
        return "dropped" if down.button == "left" and _drop(desktop, down.on, hit) else ""
    if down.button == "right":
        return "clicked" if _call_menu(desktop, hit) else ""
    answered = click(desktop, hit)
    if count == 2:
        answered = _double(desktop, hit) or answered
    return "clicked" if answered else ""


def click(desktop: Desktop, hit: Live) -> bool:
    """Click an element: it or the nearest one around it that answers to clicks; tell whether one did."""
    for live in hit.up():
        control = desktop.find(live.spec.label_for) if live.spec.label_for else None
        target = control or live
        if not target.enabled:
            return False
        if control is not None and control.focusable:
            desktop.focus_on(control)
        if activate(desktop, target) or control is not None:
            return True
    return False


def activate(desktop: Desktop, live: Live) -> bool:
    """Do what a click on exactly this element does; tell whether it answers to clicks at all."""
    before = desktop.changes
    answers = bool(live.spec.on_click)
    menu = live.popup_child
    if live.role in CHECK_ROLES:
        live.checked = not live.checked if live.checked != "mixed" else True
        desktop.changes += 1
    elif live.role in RADIO_ROLES:
        if live.checked is not True:
            live.checked = True
            check_alone(live)
            desktop.changes += 1
    elif live.role in CHOICE_ROLES:
        _pick_choice(desktop, live)
    elif live.role == "link" and live.url and not answers:
        view = view_of(desktop, live)
        if view is not None:
            go(desktop, view, live.url)
    elif menu is not None and not answers:
        desktop.hide(menu) if desktop.visible(menu) else desktop.show(menu)
    elif live.role in MENU_ROLES:
        desktop.close_popups()
    elif live.pressed is not None:
        live.pressed = not live.pressed
        desktop.changes += 1
    run(desktop, live.spec.on_click, Cause(live))
    return answers or desktop.changes != before or live.focusable


def wheel(desktop: Desktop, direction: Direction, clicks: int) -> tuple[Live | None, bool]:
    """Turn the wheel where the pointer is; returns what scrolls there, and whether it moved."""
    layout = desktop.layout()
    hit = layout.hit(*desktop.pointer)
    key = "" if hit is None else hit.key
    desktop.inputs.append(WheelTurned(t=desktop.now, direction=direction, clicks=clicks, on=key))
    across, down = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
    first: Live | None = None
    for live in () if hit is None else hit.up():
        if live.spec.scrolls:
            first = first or live
            if scroll_by(desktop, live, across * NOTCH * clicks, down * NOTCH * clicks):
                return live, True
        if live.modal:
            break
    return first, False


def scroll_by(desktop: Desktop, live: Live, dx: float, dy: float) -> bool:
    """Scroll an element's content as far as it goes; tell whether it moved."""
    right, bottom = desktop.layout().room(live)
    offset = (min(max(live.offset[0] + dx, 0.0), right), min(max(live.offset[1] + dy, 0.0), bottom))
    if offset == live.offset:
        return False
    live.offset = offset
    desktop.changes += 1
    return True


def _focus_by(desktop: Desktop, hit: Live) -> None:
    for live in hit.up():
        if not live.enabled:
            return
        if live.focusable:
            desktop.focus_on(live)
            return
        if live.spec.label_for:
            return
    desktop.focus_on(None)


def _pick_choice(desktop: Desktop, live: Live) -> None:
    select(desktop, live)
    if live.spec.controls and (panel := desktop.find(live.spec.controls)) is not None:
        choose(desktop, panel)
    box = next((one for one in live.up() if one.role == "combobox"), None)
    if box is not None and live.role == "option":
        box.value = live.name
        box.caret = len(box.value)
        if box.popup_child is not None:
            desktop.hide(box.popup_child)
        desktop.focus_on(box)
        run(desktop, box.spec.on_input, Cause(box))


def _double(desktop: Desktop, hit: Live) -> bool:
    for live in hit.up():
        if live.spec.on_double_click and live.enabled:
            run(desktop, live.spec.on_double_click, Cause(live))
            return True
    return False


def _call_menu(desktop: Desktop, hit: Live) -> bool:
    for live in hit.up():
        if live.spec.on_right_click and live.enabled:
            run(desktop, live.spec.on_right_click, Cause(live))
            return True
    return False


def _drop(desktop: Desktop, start: Live, end: Live) -> bool:
    source = next((live for live in start.up() if live.spec.draggable and live.enabled), None)
    if source is None:
        return False
    for target in end.up():
        effects = target.spec.on_drop.get(source.id) or target.spec.on_drop.get("*")
        if effects and target is not source and target.enabled:
            run(desktop, effects, Cause(target, source=source))
            return True
    return False
