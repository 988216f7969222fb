"""Strategies for tasks that are done by dragging, sliding and scrolling."""

from __future__ import annotations

import re
from collections.abc import Generator

from campaigns.miniwob.acts import click, drag, key, move, scroll
from campaigns.miniwob.screen import Line, Screen
from campaigns.miniwob.strategies.lists import submit
from campaigns.miniwob.strategies.pointing import Strategy

MOST_STEPS = 60  # presses of an arrow key at once


def _sliders(seen: Screen) -> list[tuple[Line, int]]:
    """Return the handles of sliders with the number that stands right behind each."""
    found = []
    for position, line in enumerate(seen.lines[:-1]):
        value = seen.lines[position + 1].name.split(" Last")[0]
        if line.id and not line.name and line.role in ("generic", "slider") and re.fullmatch(r"-?\d+", value):
            found.append((line, int(value)))
    return found


def slide_to(seen: Screen, which: int, wanted: int) -> Generator[list[str], Screen, Screen]:
    """Move a slider by the arrow keys until the number beside it is right; return what is seen then."""
    for _ in range(4):
        handle, value = _sliders(seen)[which]
        if value == wanted:
            break
        arrow = "right" if wanted > value else "left"
        steps = min(abs(wanted - value), MOST_STEPS)
        seen = yield [click(handle), *[key(arrow)] * steps]
    return seen


def sliders(seen: Screen) -> Strategy:
    """Set each slider to its number, then submit."""
    one = re.search(r"Select (-?\d+) with the slider", seen.said)
    many = re.search(r"combination \[([\d, ]+)\]", seen.said)
    wanted = [int(one[1])] if one else [int(number) for number in many[1].split(",")] if many else []
    for which, number in enumerate(wanted):
        seen = yield from slide_to(seen, which, number)
    yield submit(seen)


def scroll_area(seen: Screen) -> Strategy:
    """Scroll a text area to its end or beginning, then submit."""
    way = re.search(r"to the (bottom|top)", seen.said)
    area = next(line for line in seen.all("textbox") if "multiline" in line.states)
    yield [move(area), scroll("up" if way and way[1] == "top" else "down", 60), *submit(seen)]


def sort_numbers(seen: Screen) -> Strategy:
    """Drag the items of a list until they are in order: the least of the rest before the first of the rest."""
    for _ in range(12):
        now = [int(line.name) for line in seen.lines if line.role == "listitem"]
        wanted = sorted(now)
        wrong = next((at for at, number in enumerate(now) if number != wanted[at]), None)
        if wrong is None:
            yield submit(seen)
            return
        seen = yield [drag(str(wanted[wrong]), str(now[wrong]))]


_PLACES = {"up": -1, "down": 1}
_GRID = {
    "top left": 0,
    "top center": 1,
    "top right": 2,
    "center left": 3,
    "center": 4,
    "center right": 5,
    "bottom left": 6,
    "bottom center": 7,
    "bottom right": 8,
}


def drag_item(seen: Screen) -> Strategy:
    """Drag an item of a list to the item that is where it belongs."""
    items = [line.name for line in seen.lines if line.role == "listitem"]
    by_one = re.search(r"Drag (\S+) (up|down) by one", seen.said)
    to_place = re.search(r"Drag (\S+) to the (\d+)\w\w position", seen.said)
    in_grid = re.search(r"Drag (\S+) to the ([a-z -]+)\.", seen.said)
    if by_one:
        name, at = by_one[1], items.index(by_one[1]) + _PLACES[by_one[2]]
    elif to_place:
        name, at = to_place[1], int(to_place[2]) - 1
    elif in_grid and in_grid[2] in _GRID:
        name, at = in_grid[1], _GRID[in_grid[2]]
    else:
        return
    yield [drag(name, items[at])]


def drag_box(seen: Screen) -> Strategy:
    """Drag the smaller box into the larger one, each called by its letter."""
    yield [drag("s", "L"), *submit(seen)]
