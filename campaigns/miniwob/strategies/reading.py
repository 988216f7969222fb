"""Strategies for tasks that are done by reading and working something out: sums, prices, the greatest of some."""

from __future__ import annotations

import re

from campaigns.miniwob.acts import click, fill
from campaigns.miniwob.screen import Line, Screen
from campaigns.miniwob.strategies.lists import submit
from campaigns.miniwob.strategies.pointing import Strategy

_TIMES = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "x": lambda a, b: a * b, "/": lambda a, b: a // b}


def arithmetic(seen: Screen) -> Strategy:
    """Work out a sum and type it."""
    found = re.search(r"(-?\d+) ([x+/-]) (-?\d+) =", seen.said)
    field = seen.one("textbox")
    if found and field:
        yield [fill(field, str(_TIMES[found[2]](int(found[1]), int(found[3])))), *submit(seen)]


def algebra(seen: Screen) -> Strategy:
    """Solve ``a + b = c`` for the one that is a letter."""
    found = re.search(r"(\w+|-\d+) ([+-]) (\w+|-\d+) = (-?\d+)", seen.said)
    field = seen.one("textbox")
    if not found or field is None:
        return
    left, sign, right, total = found.groups()
    if left.isalpha():
        value = int(total) - int(right) if sign == "+" else int(total) + int(right)
    else:
        value = int(total) - int(left) if sign == "+" else int(left) - int(total)
    yield [fill(field, str(value)), *submit(seen)]


def greatest(seen: Screen) -> Strategy:
    """Pick the card with the greatest number, then submit."""
    cards = [line for line in seen.all() if re.fullmatch(r"-?\d+", line.name)]
    if cards:
        yield [click(max(cards, key=lambda line: int(line.name))), *submit(seen)]


def odd_or_even(seen: Screen) -> Strategy:
    """Press Odd or Even beside each number, then submit."""
    lines = []
    buttons = [line for line in seen.lines if line.role == "button" and line.name in ("Odd", "Even") and line.id]
    for odd, even in zip(buttons[::2], buttons[1::2], strict=True):
        between = seen.lines[seen.lines.index(odd) + 1 : seen.lines.index(even)]
        number = next(int(line.name) for line in between if re.fullmatch(r"-?\d+", line.name))
        lines.append(click(odd if number % 2 else even))
    yield [*lines, *submit(seen)]


def ticket(seen: Screen) -> Strategy:
    """Buy the ticket that is cheapest, dearest, shortest or longest, by what stands before its button."""
    offers: list[tuple[Line, int, int]] = []
    for button in seen.all("button"):
        price = re.search(r"\$(\d+)", button.name)
        before = seen.before(button)
        time = re.search(r"Duration: (\d+)h (\d+)m", before.name) if before else None
        if price and time:
            offers.append((button, int(price[1]), 60 * int(time[1]) + int(time[2])))
    if not offers:
        return
    by_price = re.search(r"cheapest|most expensive|price", seen.said)
    most = re.search(r"longest|most expensive", seen.said)
    offers.sort(key=lambda offer: offer[1] if by_price else offer[2])
    yield [click(offers[-1 if most else 0][0])]


def generated_number(seen: Screen) -> Strategy:
    """Press Generate until the number is as asked for, then submit."""
    limit = re.search(r"(greater|less) than (-?\d+)", seen.said)
    odd = "an odd number" in seen.said
    for _ in range(35):
        number = re.search(r"press submit\. (-?\d+)", seen.said)
        if number:
            value = int(number[1])
            apart = (value - int(limit[2])) * (1 if limit[1] == "greater" else -1) if limit else 0
            if apart > 0 if limit else value % 2 == odd:
                yield submit(seen)
                return
        button = seen.called("Generate", "button")
        if button is None:
            return
        seen = yield [click(button)]


def guessed_number(seen: Screen) -> Strategy:
    """Halve the range until the number is found."""
    low, high = 0, 9
    while low <= high:
        field = seen.one("spinbutton", "textbox")
        if field is None:
            return
        guess = (low + high) // 2
        seen = yield [fill(field, str(guess)), *submit(seen)]
        if re.search(r"(?:is|was)? ?(?:higher|greater|larger)", seen.said.partition("right number.")[2]):
            low = guess + 1
        else:
            high = guess - 1


def stock(seen: Screen) -> Strategy:
    """Look at the price until it is low enough, then buy."""
    limit = re.search(r"less than \$([\d.]+)", seen.said)
    for _ in range(35):
        price = re.search(r"Stock price: \$([\d.]+)", seen.said)
        buy = seen.called("Buy", "button")
        if limit and price and buy and float(price[1]) < float(limit[1].rstrip(".")):
            yield [click(buy)]
            return
        seen = yield []
