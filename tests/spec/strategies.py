"""Hypothesis strategies for actions and hostile texts, for the tests of floors 2 and 3."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from axstream.spec.actions import (
    Action,
    Assert,
    Click,
    Done,
    DoubleClick,
    Drag,
    Key,
    Move,
    Observe,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.keys import KEY_NAMES, MODIFIERS
from axstream.spec.targets import Ax, AxTarget, PointTarget, Target
from axstream.spec.wording import WHITE_SPACE, is_blank

characters = st.characters(exclude_categories=("Cs",))
prose = st.text(characters, max_size=12)
said = prose.filter(lambda text: not is_blank(text))
typed = st.text(st.one_of(st.characters(exclude_categories=("Cs", "Cc")), st.sampled_from("\n\t")), max_size=12)
risks = st.sampled_from(("safe", "risky"))
finite = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)
millis = st.floats(min_value=0, max_value=1e6)

bare_axes = st.fixed_dictionaries({}, optional={"id": said, "role": said, "title": said}).filter(bool)


@st.composite
def axes(draw: st.DrawFn, depth: int = 2) -> Ax:
    within = draw(st.none() | axes(depth - 1)) if depth else None
    return Ax(**draw(bare_axes), within=within)


targets: st.SearchStrategy[Target] = st.one_of(axes().map(AxTarget), st.builds(PointTarget, finite, finite))

_visible = st.characters(exclude_categories=("Cs", "Cc", "Z"), exclude_characters=WHITE_SPACE + "⌘⌥⌃⇧⎋⌫⌦⇥⏎↵←↑→↓")


@st.composite
def presses(draw: st.DrawFn) -> tuple[str, ...]:
    held = draw(st.sets(st.sampled_from(MODIFIERS)))
    key = draw(st.sampled_from(KEY_NAMES) | _visible)
    lower = key.lower()
    if held and len(lower) == 1:
        key = lower
    return (*(name for name in MODIFIERS if name in held), key)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | finite | prose,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(prose, inner, max_size=3),
    max_leaves=6,
)
results = json_values.filter(lambda value: value is not None)


def actions() -> st.SearchStrategy[Action]:
    return st.one_of(
        st.builds(Click, target=targets, risk=risks),
        st.builds(DoubleClick, target=targets, risk=risks),
        st.builds(RightClick, target=targets, risk=risks),
        st.builds(Move, target=targets, risk=risks),
        st.builds(Drag, from_=targets, to=targets, risk=risks),
        st.builds(Type, text=typed, target=st.none() | targets, clear=st.booleans(), risk=risks),
        st.builds(Key, keys=presses(), risk=risks),
        st.builds(
            Scroll, direction=st.sampled_from(("up", "down", "left", "right")), clicks=st.integers(1, 100), risk=risks
        ),
        st.builds(Open, target=said, risk=risks),
        st.builds(Wait, ms=millis, risk=risks),
        st.builds(
            WaitUntil, target=targets, timeout_ms=millis, poll_ms=millis.filter(bool), gone=st.booleans(), risk=risks
        ),
        st.builds(Assert, target=targets, gone=st.booleans()),
        st.just(Observe()),
        st.builds(Done, status=st.sampled_from(("success", "failure")), reason=st.none() | prose),
        st.builds(Done, status=st.just("success"), result=results),
    )
