"""Nothing that a model or a page says can move the cursor, hide itself or turn text around."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axstream.cli.terminal import Style, printable, quoted
from axstream.spec.targets import Ax, describe_ax

ANY = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 日本 🙂", "plain 日本 🙂"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b31m\x7f\0", "\\x9b31m\\x7f\\x00"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("a\u2028b\u0085c", "a\\u2028b\\x85c"),
        ("no\u00a0break", "no break"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_would_not_show_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(ANY)
def test_no_text_leaves_anything_that_acts_on_a_terminal(text: str) -> None:
    assert all(char.isprintable() or char in "\u200c\u200d" for char in printable(text))
    assert all(char.isprintable() or char in "\u200c\u200d\n" for char in printable(text, keep="\n"))


@given(ANY, st.integers(1, 50))
def test_a_limit_counts_characters_of_the_text(text: str, limit: int) -> None:
    assert printable(text, limit) == printable(text if len(text) <= limit else text[: limit - 1] + "…")


def test_quotes_inside_are_told_from_the_ends() -> None:
    assert quoted('say "hi"\n') == '"say \\"hi\\"\\n"'


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_styles_are_for_terminals_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Style.of(Tty()).on
    assert not Style.of(io.StringIO()).on
    assert not Style.of(None).on
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Style.of(Tty()).on
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not Style.of(Tty()).on


def test_a_style_wraps_and_ends_itself() -> None:
    style = Style(True)
    for paint in (style.dim, style.bold, style.good, style.bad, style.warn):
        assert paint("x").startswith("\x1b[")
        assert paint("x").endswith("x\x1b[0m")
        assert paint("") == ""
    assert Style(False).bad("x") == "x"


def test_a_quoted_text_cannot_end_its_quotes() -> None:
    """R4, R7: a name that speaks on behind a quote of its own would speak to the one who is asked."""
    assert quoted('Delete" allowed: "safe') == '"Delete\\" allowed: \\"safe"'
    assert describe_ax(Ax(title='a" (e1) "b')) == '"a\\" (e1) \\"b"'
