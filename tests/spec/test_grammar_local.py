"""llama.cpp takes the GBNF, and what a real model writes under it the parser accepts."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from axstream.models.base import Grammar, Message, Prompt
from axstream.models.local import LocalModel, open_local
from axstream.spec import Catalogue
from axstream.spec.actions import Click
from axstream.spec.grammar import Narrow, make_grammar
from axstream.spec.targets import Ax, AxTarget
from axstream.wire import ActionLine, Rejected, ResponseReader, StreamParser

from .test_grammar import CASES, HOSTILE

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
async def model(anyio_backend: str) -> AsyncIterator[LocalModel]:
    local = open_local()
    await local.load()
    yield local
    await local.aclose()


async def answer(model: LocalModel, gbnf: str, max_tokens: int) -> str:
    prompt = Prompt(
        messages=(Message(role="user", content="Press the button, then say that you are done."),),
        grammar=Grammar(gbnf=gbnf, lark=""),
        max_tokens=max_tokens,
        seed=3,
    )
    async with model.stream(prompt) as chunks:
        return "".join([chunk.text async for chunk in chunks])


@pytest.mark.parametrize("name", CASES)
async def test_llama_cpp_takes_the_grammar_and_the_parser_its_lines(model: LocalModel, name: str) -> None:
    catalogue, narrow = CASES[name]
    text = await answer(model, make_grammar(catalogue, narrow).gbnf, max_tokens=24)
    reader = ResponseReader(catalogue=catalogue, bare=narrow.prefilled_fence)
    assert text
    assert not [event for event in reader.feed(text) if isinstance(event, Rejected)]


async def test_a_hostile_title_comes_back_as_it_was_observed(model: LocalModel) -> None:
    gbnf = make_grammar(Catalogue(), Narrow(pairs=(("button", HOSTILE),))).gbnf
    only_click = "root ::= line-click\n" + gbnf.partition("\n")[2]
    (event,) = StreamParser(bare=True).feed(await answer(model, only_click, max_tokens=150) + "\n")
    assert isinstance(event, ActionLine)
    assert isinstance(event.action, Click)
    assert event.action.target == AxTarget(Ax(role="button", title=HOSTILE))
