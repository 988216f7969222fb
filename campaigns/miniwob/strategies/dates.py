"""Strategies for calendars that open from a field, and for forms that hold one: flights."""

from __future__ import annotations

import re
from collections.abc import Generator

from campaigns.miniwob.acts import click, fill, move, scroll, wait
from campaigns.miniwob.screen import Line, Screen
from campaigns.miniwob.strategies.lists import submit
from campaigns.miniwob.strategies.pointing import MOST_SCROLLS, OPENS_MS, Strategy

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MOST_MONTHS = 26  # two years


def turn_to(seen: Screen, field: Line, month: int, day: int, year: int) -> Generator[list[str], Screen, Screen]:
    """Open the calendar of a field, turn it to a month, click the day; return what is seen then."""
    seen = yield [click(field)]
    for _ in range(MOST_MONTHS):
        shown = re.search(rf"({'|'.join(MONTHS)}) (\d{{4}})", " ".join(line.name for line in seen.lines))
        if not shown:
            return seen
        ahead = 12 * (year - int(shown[2])) + month - 1 - MONTHS.index(shown[1])
        if ahead == 0:
            break
        turn = seen.called("Next" if ahead > 0 else "Prev")
        if turn is None:
            return seen
        seen = yield [click(turn)]
    for line in seen.all("link", "generic", "button", "gridcell"):
        if line.name == str(day):
            seen = yield [click(line)]
            break
    return seen


def pick(seen: Screen) -> Strategy:
    """Choose a date in the calendar of the field, then submit."""
    date = re.search(r"Select (\d+)/(\d+)/(\d+) as the date", seen.said)
    field = seen.one("textbox")
    if date and field:
        month, day, year = map(int, date.groups())
        seen = yield from turn_to(seen, field, month, day, year)
        yield submit(seen)


def flight(seen: Screen) -> Strategy:
    """Search a flight by its two places and its day, then book the shortest or the cheapest."""
    asked = re.search(
        r"Book the (shortest|cheapest) one-way flight from: (.+?) to: (.+?) on (\d+)/(\d+)/(\d+)", seen.said
    )
    if not asked:
        return
    for label, place in (("From:", asked[2]), ("To:", asked[3])):
        field = seen.called(label, "textbox")
        if field is None:
            return
        seen = yield [fill(field, place), wait(OPENS_MS)]
        listed = [line for line in seen.all("menuitem", "option", "listitem", "generic") if line.name]
        found = next((line for line in listed if f"({place})" in line.name or line.name.startswith(place)), None)
        if found:
            seen = yield [click(found)]
    field = next((line for line in seen.all("textbox") if "readonly" in line.states), None)
    if field is None:
        return
    month, day, year = int(asked[4]), int(asked[5]), int(asked[6])
    seen = yield from turn_to(seen, field, month, day, year)
    seen = yield submit(seen)
    yield from _best(seen, asked[1])


def _best(seen: Screen, by: str) -> Strategy:
    """Scroll through the flights that are listed, then book the best of them."""
    offers: dict[str, int] = {}
    back = seen.called("Back", "button")
    if back is None:
        return
    for _ in range(MOST_SCROLLS):
        text = ""
        for line in seen.lines:
            text += f" {line.name}"
            if not line.id or "Book" not in line.name:
                continue
            price, time = re.findall(r"\$(\d+)", text), re.findall(r"Duration: (?:(\d+)h )?(\d+)m", text)
            if by == "cheapest" and price:
                offers[line.id] = int(price[-1])
            elif by == "shortest" and time:
                offers[line.id] = 60 * int(time[-1][0] or 0) + int(time[-1][1])
            text = ""
        if "below" not in seen.tail:
            break
        seen = yield [move((back.middle[0], back.middle[1] + 60)), scroll("down", 1)]
    if offers:
        yield [click(Line(depth=0, id=min(offers, key=lambda number: offers[number])))]
