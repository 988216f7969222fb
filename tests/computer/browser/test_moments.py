"""The keys for dates and times in the orders of other languages, by a model of the input's inner fields."""

from __future__ import annotations

import pytest

from axstream.computer.browser.moments import Inner, Stroke, strokes

DAY, MONTH, YEAR = Inner("day", 1, 31), Inner("month", 1, 12), Inner("year", 1, 275760)
HOUR, MINUTE, NOON = Inner("hour", 0, 23), Inner("minute", 0, 59), Inner("ampm", 1, 2)


def written(inner: tuple[Inner, ...], value: str, kind: str, *, filled: bool = False) -> dict[str, int]:
    """Press the keys on fields that behave as Chromium's do: digits fill a field, a full one gives the focus on."""
    at, typed = len(inner) - 1, ""
    held: dict[str, int] = {"stale": 0} if filled else {}
    for stroke in strokes(inner, value, kind, filled=filled):
        if isinstance(stroke, str):
            for digit in stroke:
                typed += digit
                held[inner[at].name] = int(typed)
                full = len(typed) >= len(str(inner[at].greatest)) or int(typed) * 10 > inner[at].greatest
                if full and at < len(inner) - 1:
                    at, typed = at + 1, ""
            continue
        typed = ""
        if stroke == Stroke("Backspace"):
            held.pop(inner[at].name, None)
            held.pop("stale", None)
        elif stroke.key in ("ArrowLeft", "ArrowRight"):
            at = min(max(at + (stroke.times if stroke.key == "ArrowRight" else -stroke.times), 0), len(inner) - 1)
        else:
            one = inner[at]
            up = stroke.key == "ArrowUp"
            held[one.name] = one.least + stroke.times - 1 if up else one.greatest - stroke.times + 1
    return held


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("order", [(DAY, MONTH, YEAR), (YEAR, MONTH, DAY), (MONTH, DAY, YEAR), (YEAR, DAY, MONTH)])
@pytest.mark.parametrize("value", ["2024-02-29", "1987-11-05", "2031-12-31", "2024-10-10"])
def test_a_date_lands_in_every_order(order: tuple[Inner, ...], value: str, filled: bool) -> None:
    year, month, day = map(int, value.split("-"))
    assert written(order, value, "date", filled=filled) == {"year": year, "month": month, "day": day}


@pytest.mark.parametrize(
    ("order", "held"),
    [
        ((HOUR, MINUTE), (13, 45, None)),
        ((Inner("hour", 1, 12), MINUTE, NOON), (1, 45, 2)),
        ((NOON, Inner("hour", 0, 11), MINUTE), (1, 45, 2)),
        ((Inner("hour", 1, 24), MINUTE), (13, 45, None)),
    ],
)
def test_a_time_lands_however_hours_are_counted(order: tuple[Inner, ...], held: tuple[int, int, int | None]) -> None:
    found = written(order, "13:45", "time")
    assert (found["hour"], found["minute"], found.get("ampm")) == held


def test_midnight_in_every_count_of_hours() -> None:
    assert written((HOUR, MINUTE), "00:05", "time") == {"hour": 0, "minute": 5}
    assert written((Inner("hour", 1, 12), MINUTE, NOON), "00:05", "time") == {"hour": 12, "minute": 5, "ampm": 1}
    assert written((Inner("hour", 1, 24), MINUTE), "00:05", "time") == {"hour": 24, "minute": 5}


def test_what_the_inner_fields_do_not_show_is_not_begun() -> None:
    assert list(strokes((HOUR, MINUTE), "13:45:30", "time", filled=False)) == []
    assert list(strokes((), "2024-02-29", "date", filled=False)) == []
