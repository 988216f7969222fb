"""Claims about the OpenAI-compatible stream against a real one: llama.cpp's own server with the bundled weights."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import xllamacpp

from axstream.errors import ModelError
from axstream.models.base import Grammar, Message, Prompt
from axstream.models.local import bundled_weights
from axstream.models.openai import OpenAIModel, Patience, open_openai

pytestmark = pytest.mark.local

STORY = (Message(role="user", content="Write a very long story about a lighthouse."),)
LINE = '```json\n{"op":"observe"}\n```'
GRAMMAR = Grammar(gbnf=r'root ::= "```json\n{\"op\":\"observe\"}\n```"', lark="")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = xllamacpp.CommonParams()
    settings.model.path = str(bundled_weights())
    settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 2048, 1, 2
    settings.cache_ram_mib, settings.warmup, settings.verbosity = 0, False, -1
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(settings)
    yield f"{server.listening_address}/v1"
    del server


async def test_a_real_servers_answer_keeps_the_grammar_and_counts_its_tokens(url: str) -> None:
    model = open_openai("small?grammar=gbnf", base_url=url, seed=1)
    async with model.stream(Prompt(messages=STORY, grammar=GRAMMAR, max_tokens=60)) as chunks:
        got = [chunk async for chunk in chunks]
    await model.aclose()
    assert "".join(chunk.text for chunk in got) == LINE
    assert got[-1].finish == "stop"
    assert got[-1].usage is not None
    assert got[-1].usage.exact


async def test_leaving_frees_the_one_slot_of_a_real_server(url: str) -> None:
    """E3: the second answer would wait behind 2,000 tokens of the first, over the time it is given."""
    model = OpenAIModel("small", base_url=url, grammar="gbnf", patience=Patience(first_token=8))
    async with model.stream(Prompt(messages=STORY, max_tokens=2000)) as chunks:
        for _ in range(3):
            await anext(chunks)
    async with model.stream(Prompt(messages=STORY, grammar=GRAMMAR)) as chunks:
        assert "".join([chunk.text async for chunk in chunks]) == LINE
    await model.aclose()


async def test_a_bad_grammar_at_a_real_server_is_one_line(url: str) -> None:
    model = open_openai("small?grammar=gbnf", base_url=url)
    with pytest.raises(ModelError, match=r"answered HTTP 400: .*grammar") as caught:
        async with model.stream(Prompt(messages=STORY, grammar=Grammar(gbnf="root ::= nope", lark=""))):
            pass
    await model.aclose()
    assert not caught.value.retry
