"""Observed text on one line (R7)."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given

from axstream.ax.quote import cut, plain, quote, visible
from tests.ax.trees import HOSTILE


def test_line_ends_fences_and_invisible_characters_are_gone() -> None:
    assert visible("a\n```\u2028b\u202ec\u200bd\x1b\x7f\ue000\ufe0f\u3164") == "a ''' bcd"
    assert visible("\ud800") == "\ufffd"


def test_quotes_and_backslashes_are_escaped_as_in_json() -> None:
    assert quote('say "hi" \\o/') == '"say \\"hi\\" \\\\o/"'


def test_a_long_text_is_cut_between_words_and_what_is_lost_is_counted() -> None:
    assert cut("one two three", 9) == ("one two", 6)
    assert cut("one two three", 7) == ("one two", 6)
    assert cut("abcdefghij", 4) == ("abcd", 6)
    assert cut("abc", 3) == ("abc", 0)
    assert quote("one two three", 9) == '"one two…" (+6 characters)'
    assert plain("one two three", 9) == "one two…"
    assert plain("a\nb") == "a b"


@given(HOSTILE)
def test_a_quoted_text_is_one_json_string_without_anything_unseen(text: str) -> None:
    quoted = quote(text, 1000)
    assert json.loads(quoted) == visible(text)
    assert "`" not in quoted
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Co", "Cs") for character in quoted)
