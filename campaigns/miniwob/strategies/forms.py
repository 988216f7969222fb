"""Strategies for tasks that fill fields with what the instruction or the page says, and send them."""

from __future__ import annotations

import re

from campaigns.miniwob.acts import click, fill, key, wait
from campaigns.miniwob.screen import Line, Screen
from campaigns.miniwob.strategies.lists import submit
from campaigns.miniwob.strategies.pointing import OPENS_MS, ORDINAL, Strategy


def enter_text(seen: Screen) -> Strategy:
    """Type what is quoted into the field, in the case that is asked for, then submit."""
    found = re.search(r'(?:Enter|Type) "([^"]*)"(?: in all (upper|lower) case)?', seen.said)
    if not found:
        return
    text = {"upper": str.upper, "lower": str.lower}.get(found[2], str)(found[1])
    yield [*(fill(field, text) for field in seen.all("textbox")), *submit(seen)]


def password(seen: Screen) -> Strategy:
    """Type the password into every field, then submit."""
    found = re.search(r'password "([^"]*)" into both', seen.said)
    if found:
        yield [*(fill(field, found[1]) for field in seen.all("textbox")), *submit(seen)]


def log_in(seen: Screen) -> Strategy:
    """Fill in name and password; what pops up meanwhile is put away first."""
    found = re.search(r'username "([^"]*)" and the password "([^"]*)"', seen.said)
    if not found:
        return
    for _ in range(4):
        name, secret = seen.all("textbox")[:2]
        seen = yield [fill(name, found[1]), fill(secret, found[2]), *_last_button(seen)]
        away = seen.called("Cancel", "button", "generic", "link") or seen.called("No", "button", "generic", "link")
        if away:
            seen = yield [click(away)]


def _last_button(seen: Screen) -> list[str]:
    buttons = seen.all("button")
    return [click(buttons[-1])] if buttons else submit(seen)


def enter_date(seen: Screen) -> Strategy:
    """Type a date or a time, as it is written, into its field."""
    date = re.search(r"Enter (\d\d)/(\d\d)/(\d{4}) as the date", seen.said)
    time = re.search(r"Enter (\d+):(\d\d) ([AP]M) as the time", seen.said)
    field = seen.all()[0]
    text = f"{date[3]}-{date[1]}-{date[2]}" if date else ""
    if time:
        text = f"{int(time[1]) % 12 + (12 if time[3] == 'PM' else 0):02}:{time[2]}"
    seen = yield [fill(field, text)]
    yield submit(seen)


def nth_word(seen: Screen) -> Strategy:
    """Type the word of that number of the paragraph that stands behind the instruction."""
    number = ORDINAL.search(seen.said)
    _, _, paragraph = seen.said.partition('press "Submit".')
    field = seen.one("textbox")
    words = paragraph.split()
    if number and field and len(words) >= int(number[1]):
        yield [fill(field, words[int(number[1]) - 1].strip(".,")), *submit(seen)]


def by_table(seen: Screen) -> Strategy:
    """Type the values that the rows of a table give for the labels that are asked for."""
    table = dict(line.name.split(" | ", 1) for line in seen.lines if line.role == "row" and " | " in line.name)
    asked = re.search(r"Enter the value of (.+?) into the text field", seen.said)
    lines = []
    for field in seen.all("textbox"):
        before = seen.before(field)
        label = asked[1] if asked else before.name if before else ""
        value = table.get(label.removesuffix(":").strip())
        if value is None:
            return
        lines.append(fill(field, value))
    yield [*lines, *submit(seen)]


def by_label(seen: Screen) -> Strategy:
    """Search by what the instruction says: a genre, a director, a year, each in the field of its label."""
    found = re.search(r"Search for (.+?) movies directed by (.+?) from year (\d+)", seen.said)
    if not found:
        return
    values = {"genre": found[1], "director": found[2], "year": found[3], "date": found[3]}
    fields = seen.all("textbox")
    parts = [line for line in seen.lines if line in fields or line.name]
    # Labels stand before their fields, or all of them behind.
    step = 1 if _label(parts, parts.index(fields[-1]) + 1, values) else -1
    lines = []
    for field in fields:
        word = _label([field], 0, values) or _label(parts, parts.index(field) + step, values)
        if not word:
            return
        lines.append(fill(field, values[word]))
    yield [*lines, *submit(seen)]


def _label(parts: list[Line], at: int, words: dict[str, str]) -> str:
    """Return the word by which the text at a place ends, "" where it is no label."""
    said = parts[at].name.casefold() if at < len(parts) else ""
    return next((word for word in words if word in said[-20:]), "")


def copy_paste(seen: Screen) -> Strategy:
    """Copy all of the text area that is meant by the keys for it, and paste it into the field."""
    areas = [line for line in seen.all("textbox") if "multiline" in line.states]
    field = next((line for line in seen.all("textbox") if "multiline" not in line.states), None)
    number = ORDINAL.search(seen.said)
    source = areas[int(number[1]) - 1 if number else 0]
    if field is not None:
        yield [click(source), key("cmd", "a"), key("cmd", "c"), click(field), key("cmd", "v"), *submit(seen)]


def last_word(seen: Screen) -> Strategy:
    """Copy the last word of a text area by its keys, then type it as it stands without its full stop."""
    area = next(line for line in seen.all("textbox") if "multiline" in line.states)
    field = next(line for line in seen.all("textbox") if "multiline" not in line.states)
    seen = yield [
        click(area),
        key("cmd", "end"),
        *[key("shift", "left")] * 14,
        key("cmd", "c"),
        click(field),
        key("cmd", "v"),
    ]
    pasted = next(line for line in seen.all("textbox") if "multiline" not in line.states)
    yield [fill(pasted, pasted.value.split()[-1].strip(".,")), *submit(seen)]


def spaced_text(seen: Screen) -> Strategy:
    """Type the text whose letters are drawn one by one."""
    _, _, letters = seen.said.partition("press Submit.")
    field = seen.one("textbox")
    if field:
        yield [fill(field, "".join(letters.split())), *submit(seen)]


def agreement(seen: Screen) -> Strategy:
    """Scroll what must be read to its end, sign, and press what is asked for."""
    from campaigns.miniwob.acts import move, scroll

    name = re.search(r'enter the name "([^"]+)"', seen.said)
    press = re.search(r'press "([^"]+)"', seen.said)
    if not name or not press:
        if cancel := seen.called("Cancel", "button"):
            yield [click(cancel)]
        return
    area = next(line for line in seen.all("textbox", on=False) if "multiline" in line.states)
    seen = yield [move(area), scroll("down", 40)]
    field = seen.called("Name", "textbox")
    button = seen.called(press[1], "button")
    if field and button:
        yield [fill(field, name[1]), click(button)]


def autocomplete(seen: Screen) -> Strategy:
    """Type the beginning, then click the suggestion that ends as asked."""
    found = re.search(r'starts with "([^"]+)"(?: and ends with "([^"]+)")?', seen.said)
    field = seen.one("textbox", "combobox")
    if not found or field is None:
        return
    seen = yield [fill(field, found[1]), wait(OPENS_MS)]
    for line in seen.lines:
        if line.role not in ("option", "menuitem", "listitem", "generic") or not line.name.startswith(found[1]):
            continue
        if line.name.endswith(found[2] or ""):
            seen = yield [click(line)]
            break
    yield submit(seen)


def search_form(seen: Screen) -> Strategy:
    """Fill in what is asked for by number: the n-th box, button and field of a form, a slider, a drop-down."""
    from campaigns.miniwob.strategies.moving import slide_to

    lines: list[str] = []
    if found := re.search(r"Select (-?\d+) with the slider", seen.said):
        seen = yield from slide_to(seen, 0, int(found[1]))
    if found := re.search(r"Choose (.+?) from the dropdown", seen.said):
        opener = next(line for line in seen.all() if line.role != "button")
        seen = yield [click(opener)]
        item = seen.called(found[1])
        lines.append(click(item if item is not None else found[1]))
    if found := re.search(r"(\d+)\w\w radio", seen.said):
        lines.append(click(seen.all("radio")[int(found[1]) - 1]))
    if found := re.search(r"(\d+)\w\w checkbox", seen.said):
        lines.append(click(seen.all("checkbox")[int(found[1]) - 1]))
    if found := re.search(r'number "([^"]+)" into the (\d+)\w\w textbox', seen.said):
        lines.append(fill(seen.all("textbox")[int(found[2]) - 1], found[1]))
    if found := re.search(r'button labeled "([^"]+)"', seen.said):
        lines.append(click(found[1], role="button"))
    else:
        lines += submit(seen)
    yield lines


def spin_to(seen: Screen) -> Strategy:
    """Step the spinner by its arrow keys."""
    found = re.search(r"Select (-?\d+) with the spinner", seen.said)
    field = seen.one("spinbutton")
    if found and field:
        steps = int(found[1]) - int(field.value or 0)
        yield [click(field), *[key("up" if steps > 0 else "down")] * abs(steps), *submit(seen)]
