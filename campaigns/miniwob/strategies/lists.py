"""Strategies for tasks that choose among what is listed: check boxes, radio buttons, lists, pages of results."""

from __future__ import annotations

import re

from campaigns.miniwob.acts import click, fill
from campaigns.miniwob.screen import Screen
from campaigns.miniwob.strategies.pointing import ORDINAL, Strategy

MOST_PAGES = 15  # of a contact book or of search results


def submit(seen: Screen) -> list[str]:
    """Return the click on what sends a form."""
    for name in ("Submit", "Search", "Login", "Go!", "Save", "OK"):
        if found := seen.called(name, "button", "generic"):
            return [click(found)]
    return [click("Submit")]


def tick(seen: Screen) -> Strategy:
    """Tick each check box or radio button that is named, then submit."""
    found = re.search(r"Select (.+?) and click Submit", seen.said)
    names = [] if not found or found[1] == "nothing" else found[1].split(", ")
    lines = []
    for name in names:
        box = seen.called(name, "checkbox", "radio")
        if box is None:
            return
        lines.append(click(box))
    yield [*lines, *submit(seen)]


def from_list(seen: Screen) -> Strategy:
    """Choose the options that are named, scrolling the list where they do not show, then submit."""
    found = re.search(r"Select (.+?) from the (?:scroll )?list and click Submit", seen.said)
    chooser = seen.one("listbox", "combobox")
    if not found or chooser is None:
        return
    names = found[1].split(", ")
    if chooser.role == "combobox":
        yield [click(names[0], role="option"), *submit(seen)]
        return
    for name in names:
        seen = yield [click(name, role="option")]
    yield submit(seen)


def contact(seen: Screen) -> Strategy:
    """Turn the pages of a contact book until the name shows; click what is asked for of it."""
    found = re.search(r"Find (\S+) in the contact book and click on their (.+?)\.", seen.said)
    if not found:
        return
    label = {"phone number": "Phone:", "email": "Email:", "address": "Address:"}.get(found[2], found[2])
    for _ in range(MOST_PAGES):
        if any(line.role == "heading" and line.name == found[1] for line in seen.lines):
            for line in seen.all("link", "generic"):
                before = seen.before(line)
                if before is not None and before.name.endswith(label):
                    yield [click(line)]
                    return
            return
        following = seen.called(">", "link", "generic", "button")
        if following is None:
            return
        seen = yield [click(following)]


def search_result(seen: Screen) -> Strategy:
    """Search for a text, then click the result of that number, however many pages on."""
    text = re.search(r'enter "([^"]+)"', seen.said)
    number = ORDINAL.search(seen.said)
    field = seen.one("textbox")
    if not text or not number or field is None:
        return
    seen = yield [fill(field, text[1]), *submit(seen)]
    passed = 0
    for _ in range(MOST_PAGES):
        results = [
            line
            for line in seen.all("link", "generic")
            if line.name != "Search" and not re.fullmatch(r"\d+|[<>]", line.name)
        ]
        if passed + len(results) >= int(number[1]):
            yield [click(results[int(number[1]) - passed - 1])]
            return
        passed += len(results)
        following = seen.called(">", "link", "generic", "button")
        if following is None:
            return
        seen = yield [click(following)]


def posts(seen: Screen) -> Strategy:
    """Nothing yet."""
    yield []


def order(seen: Screen) -> Strategy:
    """Nothing yet."""
    yield []
