"""What a scene does: its declarative effects carried out on the desktop, with selectors and ``${...}`` texts."""

from __future__ import annotations

import re
from typing import NamedTuple

from axstream.computer.memory import pages
from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.live import Live, Motion, tri
from axstream.computer.memory.scene import Effect, Effects, SetState, Shift

LINE_LIMIT = 40  # characters of a value that ``${id.line}`` gives: enough for a title in a list
MAX_DEPTH = 20  # effects that click, which have effects that click...: a scene that goes round stops here
TEMPLATE = re.compile(r"\$\{([^{}]*)\}")
WORDS = ("self", "parent", "window", "item", "focused", "source")
CHILDREN = ("selected", "shown")
FIELDS = ("value", "name", "line", "description", "url", "title", "query")
NAMES = ("n", "key", "query", "url")


class Cause(NamedTuple):
    """Why effects run: on whose behalf, by which key, with what dropped. ``number`` is what ``${n}`` means."""

    me: Live | None
    number: int = 0
    key: str = ""
    source: Live | None = None
    depth: int = 0


def run(desktop: Desktop, effects: Effects, cause: Cause) -> None:
    """Carry out effects in order, each at once or when it is due."""
    if not effects or cause.depth > MAX_DEPTH:
        return
    number = cause.number or (cause.me.number if cause.me is not None else 0) or desktop.new_number()
    cause = cause._replace(number=number)
    for effect in effects:
        if effect.after_ms > 0:
            desktop.later(effect.after_ms / 1000, lambda effect=effect: _apply(desktop, effect, cause))  # type: ignore[misc]  # a lambda's default has no place for a type
        else:
            _apply(desktop, effect, cause)


def pick(desktop: Desktop, selector: str, cause: Cause) -> Live | None:
    """Find what a selector names now; None where there is no such thing."""
    selector = fill(desktop, selector, cause)
    base, dot, child = selector.partition(".")
    me = cause.me
    found: Live | None
    match base:
        case "self":
            found = me
        case "parent":
            found = me.parent if me is not None else None
        case "window":
            found = desktop.window_of(me) if me is not None else desktop.active()
        case "item":
            found = me.item if me is not None else None
        case "focused":
            found = desktop.focused()
        case "source":
            found = cause.source
        case _:
            found = desktop.find(base)
    if found is None or not dot:
        return found
    return next((one for one in found.children if (one.selected if child == "selected" else one.shown)), None)


def fill(desktop: Desktop, text: str, cause: Cause) -> str:
    """Put the live values in place of ``${...}``; what is not there is empty."""
    return TEMPLATE.sub(lambda match: _look_up(desktop, match[1], cause), text) if "${" in text else text


def _look_up(desktop: Desktop, name: str, cause: Cause) -> str:
    if name == "n":
        return str(cause.number)
    if name == "key":
        return cause.key
    if name in ("query", "url"):
        view = pages.view_of(desktop, cause.me)
        return "" if view is None else view.query if name == "query" else view.url
    selector, _, field = name.rpartition(".")
    live = pick(desktop, selector, cause)
    if live is None:
        return ""
    if field == "line":
        return next(iter(live.value.strip().splitlines()), "")[:LINE_LIMIT]
    return str(getattr(live, field))


def _apply(desktop: Desktop, effect: Effect, cause: Cause) -> None:
    def named(selector: str) -> Live | None:
        return pick(desktop, selector, cause)

    if (name := effect.show) is not None and (live := named(name)) is not None:
        desktop.show(live, desktop.pointer if effect.at == "pointer" else None)
    elif (name := effect.hide) is not None and (live := named(name)) is not None:
        desktop.hide(live)
    elif (name := effect.toggle) is not None and (live := named(name)) is not None:
        desktop.hide(live) if desktop.visible(live) else desktop.show(live)
    elif (name := effect.modal) is not None and (live := named(name)) is not None:
        live.modal = True
        desktop.show(live)
    elif (name := effect.choose) is not None and (live := named(name)) is not None:
        choose(desktop, live)
    elif (name := effect.select) is not None and (live := named(name)) is not None:
        select(desktop, live)
    elif (name := effect.focus) is not None and (live := named(name)) is not None:
        desktop.bring_up(live)
        desktop.focus_on(live)
    elif (name := effect.select_text) is not None and (live := named(name)) is not None:
        desktop.bring_up(live)
        desktop.focus_on(live)
        live.all_selected = True
    elif (name := effect.click) is not None and (live := named(name)) is not None:
        run(desktop, live.spec.on_click, Cause(live, depth=cause.depth + 1))
    elif (name := effect.remove) is not None and (live := named(name)) is not None:
        desktop.remove(live)
    elif effect.set is not None and (live := named(effect.set.id)) is not None:
        _set(desktop, live, effect.set, cause)
    elif effect.move is not None and (live := named(effect.move.id)) is not None:
        shift(desktop, live, effect.move)
    elif effect.append is not None and (live := named(effect.append.to)) is not None:
        _append(desktop, live, effect, cause)
    elif effect.open is not None:
        open_app(desktop, fill(desktop, effect.open, cause))
    elif effect.navigate is not None and (view := pages.view_of(desktop, cause.me)) is not None:
        go(desktop, view, fill(desktop, effect.navigate, cause))
    elif effect.back and (view := pages.view_of(desktop, cause.me)) is not None:
        if view.history:
            go(desktop, view, view.history.pop(), remember=False)
    elif effect.count is not None:
        desktop.counts[fill(desktop, effect.count, cause)] += 1
        desktop.changes += 1
    elif effect.record is not None:
        desktop.records.setdefault(effect.record.to, []).append(fill(desktop, effect.record.text, cause))
        desktop.changes += 1
    elif effect.note is not None:
        desktop.notes.append(fill(desktop, effect.note, cause))


def choose(desktop: Desktop, live: Live) -> None:
    """Show an element and hide its siblings, as a tab does with its panel."""
    for other in live.parent.children if live.parent is not None else ():
        if other is not live:
            desktop.hide(other)
    desktop.show(live)


def select(desktop: Desktop, live: Live) -> None:
    """Mark an element as the selected one of its siblings."""
    for other in live.parent.children if live.parent is not None else ():
        other.selected = other is live
    desktop.changes += 1


def shift(desktop: Desktop, live: Live, by: Shift) -> None:
    """Start to move an element, or move it at once."""
    if live.motion is not None:
        live.moved = live.shift(desktop.now)
        live.motion = None
    if by.ms > 0:
        live.motion = Motion(desktop.now, by.by, by.ms / 1000, by.repeat)
    else:
        live.moved = (live.moved[0] + by.by[0], live.moved[1] + by.by[1])
    desktop.changes += 1


def open_app(desktop: Desktop, name: str) -> bool:
    """Show and raise an application's window; tell whether there is such an application."""
    app = next((app for app in desktop.scene.apps if app.name.casefold() == name.casefold()), None)
    window = desktop.find(app.window) if app is not None else None
    if app is None or window is None:
        return False
    if desktop.visible(window):
        desktop.bring_up(window)
    else:
        desktop.show(window)
    focus = desktop.focused()
    if focus is None or desktop.window_of(focus) is not window:
        desktop.focus_on(next((live for live in window.walk() if live.spec.autofocus and desktop.visible(live)), None))
    run(desktop, app.on_open, Cause(window))
    return True


def go(desktop: Desktop, view: Live, text: str, *, remember: bool = True) -> None:
    """Show another page in a view once it is loaded: the elements of the old one are gone for good."""
    url = pages.address(desktop.scene, text)
    page = pages.find(desktop.scene, url)
    desktop.loading += 1
    desktop.changes += 1

    def load() -> None:
        desktop.loading -= 1
        if view.handle not in desktop.by_handle:
            return
        pages.load(desktop, view, page, url, remember=remember)
        view.title = fill(desktop, page.title, Cause(view))
        for live in view.walk():
            if live is not view and "${" in live.name + live.value:
                live.name = fill(desktop, live.name, Cause(live))
                live.value = fill(desktop, live.value, Cause(live))
        run(desktop, view.spec.on_load, Cause(view))

    if page.loads_after_ms > 0:
        desktop.later(page.loads_after_ms / 1000, load)
    else:
        load()


def _set(desktop: Desktop, live: Live, new: SetState, cause: Cause) -> None:
    for name in ("name", "description", "placeholder", "value"):
        text = getattr(new, name)
        if text is not None:
            setattr(live, name, fill(desktop, text, cause))
    live.caret = len(live.value)
    for name in ("enabled", "checked", "pressed", "expanded", "selected", "readonly", "required"):
        state = getattr(new, name)
        if state is not None:
            setattr(live, name, state)
    if new.checked is not None and tri(new.checked) == "true":
        check_alone(live)
    desktop.changes += 1


def check_alone(live: Live) -> None:
    """Uncheck the other radios of a radio's group."""
    if live.parent is not None and live.role in ("radio", "menuitemradio"):
        group = next((one for one in live.parent.up() if one.role == "radiogroup"), live.parent)
        for other in group.walk():
            if other.role == live.role and other is not live:
                other.checked = False


def _append(desktop: Desktop, to: Live, effect: Effect, cause: Cause) -> None:
    assert effect.append is not None
    added = desktop.make(effect.append.item, to, number=cause.number, first=effect.append.first)
    for live in added.walk():
        live.item = added
        here = cause._replace(me=live)
        for name in ("id", "name", "description", "placeholder", "value"):
            setattr(live, name, fill(desktop, getattr(live, name), here))
        live.caret = len(live.value)
    if added.selected:
        select(desktop, added)
    wanted = next((live for live in added.walk() if live.spec.autofocus), None)
    if wanted is not None:
        desktop.focus_on(wanted)
