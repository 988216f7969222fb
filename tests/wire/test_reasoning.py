"""The filter before the parser (W15, Z9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axstream.wire import FenceOpened, Narration, ReasoningFilter, ResponseReader
from axstream.wire.reasoning import Kept, Removed

PIECES = ("<think>", "</think>", "<", "<thi", "</th", "/think>", "a", " ", "\n", "\ufeff", "<<think>", "</</think>")
texts = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


def filtered(chunks: list[str]) -> str:
    reasoning = ReasoningFilter()
    return "".join(reasoning.feed(chunk) for chunk in chunks) + reasoning.close()


@given(texts)
def test_any_cut_gives_the_same_text(text: str) -> None:
    assert filtered(list(text)) == filtered([text])


@given(texts)
def test_the_pieces_together_are_the_response(text: str) -> None:
    reasoning = ReasoningFilter()
    pieces = [piece for char in text for piece in reasoning.pieces(char)] + list(reasoning.last_pieces())
    assert "".join(piece.text for piece in pieces) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("hi", "hi"),
        ("<think>draft</think>hi", "hi"),
        ("\n \ufeff<think>draft</think>hi", "\n \ufeffhi"),
        ("<think>draft", ""),
        ("<think>draft</thin", ""),
        ("<think></</think>hi", "hi"),
        ("<thin", "<thin"),
        ("<thinking>hi", "<thinking>hi"),
        ("hi <think>draft</think>", "hi <think>draft</think>"),
        ("<think>a</think><think>b</think>", "<think>b</think>"),
        ("</think>hi", "</think>hi"),
    ],
)
def test_only_a_leading_think_is_reasoning(text: str, kept: str) -> None:
    assert filtered([text]) == filtered(list(text)) == kept


def test_what_is_certain_is_not_held_back() -> None:
    reasoning = ReasoningFilter()
    assert reasoning.feed("\n<thi") == "\n"
    assert reasoning.feed("s is it") == "<this is it"
    assert reasoning.feed("<") == "<"


def test_reasoning_is_known_while_it_comes_in() -> None:
    reader = ResponseReader()
    assert not reader.in_reasoning
    reader.feed("<think>")
    assert reader.in_reasoning
    reader.feed("x</think>")
    assert not reader.in_reasoning
    assert not ResponseReader(reasoning=False).in_reasoning


def test_the_reasoning_may_be_shown_as_it_comes() -> None:
    reasoning = ReasoningFilter()
    assert list(reasoning.pieces("<think>a</t")) == [Removed("<think>"), Removed("a")]
    assert list(reasoning.pieces("b</think>c")) == [Removed("</tb</think>"), Kept("c")]
    assert list(reasoning.last_pieces()) == []


def test_a_reader_keeps_the_line_numbers_of_the_input() -> None:
    reader = ResponseReader()
    events = reader.feed(b"<think>\na\n") + reader.feed("b</think>\n```jsonl\n")
    assert events == [Narration(3, ""), FenceOpened(4, "jsonl")]


def test_a_character_cut_by_a_text_chunk_is_a_replacement() -> None:
    reader = ResponseReader()
    assert reader.feed(b"\xf0\x9f") + reader.feed("a\n") == [Narration(1, "\ufffda")]
