"""Strategies for tasks that are done by clicking what the instruction names: buttons, links, tabs, sections, menus."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

from campaigns.miniwob.acts import click, move, scroll, wait
from campaigns.miniwob.screen import Line, Screen

Strategy = Generator[list[str], Screen, None]

ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
OPENS_MS = 600  # a menu or a list of suggestions that comes by a timer
MOST_SCROLLS = 12  # screens of a list or a page of results
_HIDING = ("tab", "treeitem", "menuitem", "button")  # what may show more when it is clicked


def named_button(seen: Screen) -> Strategy:
    """Click the buttons that are named, in the order in which they are named, with the waits between."""
    names = re.findall(r'"([^"]+)" button|button ([A-Z]+)\b', seen.said)
    if not names:
        only = seen.one("button")
        if only:
            yield [click(only)]
        return
    lines: list[str] = []
    pauses = re.findall(r"wait (\d+) second", seen.said)
    for position, (quoted, capital) in enumerate(names):
        if found := seen.called(quoted or capital, "button"):
            if position and pauses:
                lines.append(wait(1000 * int(pauses.pop(0)) + 100))
            lines.append(click(found))
    yield lines


def tab(seen: Screen) -> Strategy:
    """Click the tab that is named."""
    found = re.search(r"Click on (Tab #\d+)", seen.said)
    if found and (line := seen.called(found[1], "tab")):
        yield [click(line)]


def find_link(seen: Screen) -> Strategy:
    """Look for a link on the page, then behind each tab or section that is closed, one after the other."""
    found = re.search(r'link "([^"]+)"', seen.said)
    if not found:
        return
    tried: set[str] = set()
    while True:
        link = seen.called(found[1], "link", "generic")
        if link and link.name == found[1]:
            yield [click(link)]
            return
        closed = [line for line in seen.all("tab") if "collapsed" in line.states and line.name not in tried]
        if not closed:
            return
        tried.add(closed[0].name)
        seen = yield [click(closed[0])]


def open_section(seen: Screen) -> Strategy:
    """Open the section that is closed, then submit."""
    closed = [line for line in seen.all("tab") if "collapsed" in line.states]
    if closed:
        seen = yield [click(closed[0])]
    submit = seen.called("Submit", "button")
    if submit:
        yield [click(submit)]


def dialog(seen: Screen) -> Strategy:
    """Click the button of the dialog that is named; the one drawn as a cross is its Close."""
    label = re.search(r'(?:labeled|clicking the) "([^"]+)"', seen.said)
    name = {"x": "Close"}.get(label[1], label[1]) if label else "Close"
    if found := seen.called(name, "button"):
        yield [click(found)]


def menu_path(seen: Screen) -> Strategy:
    """Open each menu of a path in turn, and click the last."""
    found = re.search(r"Select (\S+(?:>\S+)+)", seen.said)
    if not found:
        return
    *menus, last = found[1].split(">")
    # What opens under the pointer is named before it is there: the executor waits for it.
    yield [*(move(name, role="menuitem") for name in menus), click(last, role="menuitem")]


def menu_item(seen: Screen) -> Strategy:
    """Open a menu by its button, then look for the item in it and in each menu inside it."""
    label = re.search(r'item labeled "([^"]+)"', seen.said)
    button = re.search(r'Click the "([^"]+)" button', seen.said)
    if not label or not button or not (opener := seen.called(button[1], "button")):
        return
    seen = yield [click(opener)]
    tried: set[str] = set()
    while True:
        item = seen.called(label[1], "menuitem")
        if item:
            yield [click(item)]
            return
        inner = [line for line in seen.all("menuitem") if line.name not in tried]
        if not inner:
            return
        tried.add(inner[0].name)
        seen = yield [move(inner[0]), wait(OPENS_MS)]


def pie_menu(seen: Screen) -> Strategy:
    """Open the menu whose items lie behind its handle, then click the item."""
    label = re.search(r'item labeled "([^"]+)"', seen.said)
    handle = next((line for line in seen.all() if line.name == "+"), None)
    if not label or not handle:
        return
    seen = yield [click(handle)]
    if found := seen.called(label[1]):
        seen = yield [click(found)]
    else:
        yield [click(label[1])]


_WIDGETS: dict[str, Callable[[Line], bool]] = {
    "button": lambda line: line.role == "button",
    "checkbox": lambda line: line.role == "checkbox",
    "radio": lambda line: line.role == "radio",
    "text": lambda line: line.role == "textbox" and "multiline" not in line.states,
    "textarea": lambda line: line.role == "textbox" and "multiline" in line.states,
}


def widget(seen: Screen) -> Strategy:
    """Click on a widget of a kind."""
    found = re.search(r'Click on a "(\w+)" widget', seen.said)
    fits = _WIDGETS.get(found[1]) if found else None
    if fits:
        yield [click(next(line for line in seen.all() if fits(line)))]


def nth_field(seen: Screen) -> Strategy:
    """Put the focus into the field of that number."""
    number = ORDINAL.search(seen.said)
    yield [click(seen.all("textbox")[int(number[1]) - 1 if number else 0])]


def tree(seen: Screen) -> Strategy:
    """Click the file or folder that is named; open folders until it shows."""
    found = re.search(r'named "([^"]+)"', seen.said)
    if not found:
        return
    tried: set[str] = set()
    while True:
        item = seen.called(found[1])
        if item:
            yield [click(item)]
            return
        shut = [line for line in seen.all("listitem", "treeitem", "generic") if line.name not in tried]
        if not shut:
            return
        tried.add(shut[0].name)
        seen = yield [click(shut[0])]


def scrolled_to(seen: Screen, over: Line, name: str) -> Generator[list[str], Screen, Line | None]:
    """Scroll over something until an element of a name shows; return it."""
    for _ in range(MOST_SCROLLS):
        if found := seen.called(name):
            return found
        seen = yield [move(over), scroll("down", 1)]
    return None
