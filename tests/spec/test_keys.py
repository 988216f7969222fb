"""Key names and chords (A2, Z15)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axstream.spec.keys import KEY_NAMES, MODIFIERS, KeyProblem, canonical_keys, split_chord

from .strategies import presses


@given(presses())
def test_canonical_presses_are_canonical(press: tuple[str, ...]) -> None:
    assert canonical_keys(press) == press


@given(st.text() | st.lists(st.text()))
def test_any_keys_give_a_canonical_press_or_a_sentence(keys: str | list[str]) -> None:
    press = canonical_keys(keys)
    if isinstance(press, KeyProblem):
        assert press.message.endswith(".")
        return
    assert canonical_keys(press) == press
    modifiers, key = split_chord(press)
    assert set(modifiers) <= set(MODIFIERS)
    assert key


@pytest.mark.parametrize("name", [*MODIFIERS, *KEY_NAMES])
def test_every_name_is_its_own_in_any_case(name: str) -> None:
    assert canonical_keys([name.upper()]) == (name,)


@pytest.mark.parametrize(
    ("keys", "press"),
    [
        ("⌘+k", ("cmd", "k")),
        (["control", "CONTROL", "c"], ("ctrl", "c")),
        ("Shift + Tab", ("shift", "tab")),
        ("page down", ("pagedown",)),
        ("shift", ("shift",)),
        ("+", ("+",)),
        ("shift++", ("shift", "+")),
        (["ctrl+", "+"][1:], ("+",)),
        ("_", ("_",)),
        ("-", ("-",)),
        ("ctrl+-", ("ctrl", "-")),
        ("ctrl+ ", ("ctrl", "space")),
        ("plus", ("+",)),
        ("é", ("é",)),
        ("e\u0301", ("é",)),
        ("ш", ("ш",)),
        (["ctrl", "Ш"], ("ctrl", "ш")),
        (["ctrl", "İ"], ("ctrl", "İ")),
        ("😀", ("😀",)),
        ("👩‍💻", ("👩‍💻",)),
        ("👍🏽", ("👍🏽",)),
        ("❤️", ("❤️",)),
        ("🇫🇷", ("🇫🇷",)),
        ("Å", ("Å",)),
    ],
)
def test_press(keys: str | list[str], press: tuple[str, ...]) -> None:
    assert canonical_keys(keys) == press


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ([], "is empty"),
        ("", "is blank"),
        ("\u2003", "is blank"),
        (["ctrl", "shift"], 'only the modifiers "ctrl" and "shift"'),
        (["a", "b"], "one line per press"),
        ("a+b", "one line per press"),
        ("hello", "unknown"),
        ("entr", '"enter"'),
        ("ctrl-s", 'a chord is written "ctrl+s"'),
        ("ctrl s", 'a chord is written "ctrl+s"'),
        ("qqqqqqqq", "or one character"),
        ("ctrl+", "cut short"),
        ("++", "cut short"),
        ("\n", "is blank"),
        ("\x07", "unknown"),
    ],
)
def test_problem(keys: str | list[str], part: str) -> None:
    problem = canonical_keys(keys)
    assert isinstance(problem, KeyProblem)
    assert part in problem.message


def test_a_chord_splits_into_modifiers_and_key() -> None:
    assert split_chord(("ctrl", "shift", "t")) == (("ctrl", "shift"), "t")
    assert split_chord(("shift",)) == ((), "shift")
