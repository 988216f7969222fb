"""Claims about the OpenAI-compatible stream, each against a real HTTP server that does what the claim is about."""

from __future__ import annotations

import errno
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
import pytest

from axstream.errors import ModelError, RateLimited, StreamBroken, UsageError
from axstream.models.base import Chunk, Grammar, Message, Prompt, Usage
from axstream.models.openai import OpenAIModel, Patience, _os_reason, open_openai, read_retry_after, shown_url
from tests.models.server import (
    CUT,
    DONE,
    DROP,
    HANG,
    LIMIT_S,
    ROLE,
    FakeOpenAI,
    Step,
    chunk,
    delta,
    event,
    finish,
    usage,
    whole_answer,
)

PROMPT = Prompt(messages=(Message(role="system", content="a manual"), Message(role="user", content="a task")))
SHORT = Patience(connect=LIMIT_S, first_token=0.2, between_tokens=0.2)
KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@asynccontextmanager
async def opened(server: FakeOpenAI, name: str = "tiny", **options: object) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel(name, base_url=server.url, **options)  # type: ignore[arg-type]  # each test's own options
    try:
        yield model
    finally:
        await model.aclose()


async def ask(model: OpenAIModel, prompt: Prompt = PROMPT) -> list[Chunk]:
    async with model.stream(prompt) as chunks:
        return [one async for one in chunks]


async def ask_until_it_breaks(model: OpenAIModel) -> tuple[list[str], ModelError]:
    got: list[str] = []
    try:
        async with model.stream(PROMPT) as chunks:
            async for one in chunks:
                got.append(one.text)
    except ModelError as problem:
        error = problem
    else:
        raise AssertionError(f"nothing broke; it said {got}")
    assert "\n" not in str(error)
    return got, error


async def happened(flag: object) -> bool:
    return bool(await anyio.to_thread.run_sync(flag.wait, LIMIT_S))  # type: ignore[attr-defined]


async def test_an_answer_comes_as_text_and_ends_with_finish_and_usage(server: FakeOpenAI) -> None:
    server.answer(*whole_answer("hello there"))
    async with opened(server) as model:
        chunks = await ask(model)
    assert "".join(one.text for one in chunks) == "hello there"
    assert chunks[-1] == Chunk(finish="stop", usage=Usage(prompt_tokens=100, completion_tokens=6))
    assert len(chunks) == 7
    assert all(one.finish is None and one.usage is None for one in chunks[:-1])


async def test_the_request_is_a_streamed_completion_with_what_the_prompt_says(server: FakeOpenAI) -> None:
    server.answer(*whole_answer("x"))
    prompt = Prompt(messages=PROMPT.messages, max_tokens=77, seed=5, temperature=0.25)
    async with opened(server, seed=1, temperature=1.0) as model:
        await ask(model, prompt)
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "a manual"}, {"role": "user", "content": "a task"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 77,
        "temperature": 0.25,
        "seed": 5,
    }


async def test_the_models_own_seed_and_temperature_serve_a_prompt_without(server: FakeOpenAI) -> None:
    server.answer(*whole_answer("x"))
    async with opened(server, seed=0, temperature=0.0) as model:
        await ask(model)
    assert (server.requests[0].body["seed"], server.requests[0].body["temperature"]) == (0, 0.0)


async def test_a_grammar_is_sent_only_to_a_server_that_takes_one(server: FakeOpenAI) -> None:
    prompt = Prompt(messages=PROMPT.messages, grammar=Grammar(gbnf='root ::= "x"', lark='start: "x"'))
    for option in ("", "?grammar=gbnf"):
        server.answer(*whole_answer("x"))
        model = open_openai(f"tiny{option}", base_url=server.url)
        await ask(model, prompt)
        await model.aclose()
        assert model.takes_grammar == bool(option)
    assert [request.body.get("grammar") for request in server.requests] == [None, 'root ::= "x"']


async def test_one_connection_serves_several_answers(server: FakeOpenAI) -> None:
    server.answer(*whole_answer("one"))
    server.answer(*whole_answer("two"))
    async with opened(server) as model:
        said = ["".join(one.text for one in await ask(model)) for _ in range(2)]
    assert said == ["one", "two"]


async def test_null_empty_and_missing_deltas_are_nothing(server: FakeOpenAI) -> None:
    server.answer(
        ROLE,
        delta(None),
        delta(""),
        chunk({}),
        chunk(None),
        event({"id": "c1", "choices": []}),
        b": a comment that keeps the connection alive\n\n",
        delta("x"),
        finish("stop"),
        DONE,
    )
    async with opened(server) as model:
        chunks = await ask(model)
    assert [one.text for one in chunks] == ["x", ""]


async def test_without_a_count_from_the_server_usage_is_an_estimate_that_says_so(server: FakeOpenAI) -> None:
    server.answer(delta("12345678"), delta("1"), finish("stop"), DONE)
    async with opened(server) as model:
        chunks = await ask(model)
    assert chunks[-1].usage == Usage(prompt_tokens=4, completion_tokens=3, exact=False)


async def test_usage_after_the_finish_reason_with_no_choices_is_counted(server: FakeOpenAI) -> None:
    server.answer(delta("x"), finish("length"), usage(12, 34), DONE)
    async with opened(server) as model:
        chunks = await ask(model)
    assert chunks[-1] == Chunk(finish="length", usage=Usage(prompt_tokens=12, completion_tokens=34))


@pytest.mark.parametrize(
    ("sent", "finished"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "other"),
        ("something_new", "other"),
    ],
)
async def test_a_finish_reason_keeps_its_meaning(server: FakeOpenAI, sent: str, finished: str) -> None:
    server.answer(delta("x"), finish(sent), DONE)
    async with opened(server) as model:
        assert (await ask(model))[-1].finish == finished


async def test_a_refusal_is_shown_and_never_parsed(server: FakeOpenAI) -> None:
    server.answer(delta(None, refusal="I will not"), delta(None, refusal=" do it."), finish("stop"), DONE)
    async with opened(server) as model:
        chunks = await ask(model)
    assert [(one.text, one.reasoning) for one in chunks] == [("", "I will not"), ("", " do it."), ("", "")]
    assert chunks[-1].finish == "refusal"


@pytest.mark.parametrize("names", [("reasoning_content",), ("reasoning",), ("reasoning_content", "reasoning")])
async def test_reasoning_fields_become_reasoning_and_never_text(server: FakeOpenAI, names: tuple[str, ...]) -> None:
    """W15: a draft of an action in the reasoning is no text of the answer."""
    server.answer(delta(None, **dict.fromkeys(names, "```json\n")), delta("x"), finish("stop"), DONE)
    async with opened(server) as model:
        chunks = await ask(model)
    assert [(one.text, one.reasoning) for one in chunks[:-1]] == [("", "```json\n"), ("x", "")]


async def test_content_in_parts_is_their_text(server: FakeOpenAI) -> None:
    parts = [{"type": "text", "text": "one "}, {"type": "image"}, {"type": "text", "text": "two"}]
    server.answer(chunk({"content": parts}), finish("stop"), DONE)
    async with opened(server) as model:
        assert (await ask(model))[0].text == "one two"


async def test_tool_calls_instead_of_text_are_no_text_and_no_error(server: FakeOpenAI) -> None:
    call = {"index": 0, "id": "t1", "type": "function", "function": {"name": "click", "arguments": "{}"}}
    server.answer(delta(None, tool_calls=[call]), finish("tool_calls"), DONE)
    async with opened(server) as model:
        chunks = await ask(model)
    assert [(one.text, one.finish) for one in chunks] == [("", "other")]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_pieces_that_end_inside_a_character_or_a_line_are_whole(server: FakeOpenAI, size: int) -> None:
    """W1, at the provider's door."""
    stream = delta("né ") + delta("👩‍🚀\u2028") + finish("stop") + DONE
    server.answer(*(stream[i : i + size] for i in range(0, len(stream), size)))
    async with opened(server) as model:
        chunks = await ask(model)
    assert "".join(one.text for one in chunks) == "né 👩‍🚀\u2028"


async def test_leaving_at_a_barrier_closes_the_connection(server: FakeOpenAI) -> None:
    """E3, Z20: the server itself notes that the client has gone, while the model is still open."""
    server.answer(ROLE, delta('{"op":"observe"}\n'), HANG)
    async with opened(server) as model:
        async with model.stream(PROMPT) as chunks:
            assert (await anext(chunks)).text == '{"op":"observe"}\n'
            assert not server.client_left.is_set()
        assert await happened(server.client_left)
        with pytest.raises(StopAsyncIteration):
            await anext(chunks)


async def test_an_exception_in_the_loop_closes_the_connection(server: FakeOpenAI) -> None:
    server.answer(delta("x"), HANG)
    async with opened(server) as model:

        async def crash() -> None:
            async with model.stream(PROMPT) as chunks:
                await anext(chunks)
                raise RuntimeError("a crash")

        with pytest.raises(RuntimeError, match="a crash"):
            await crash()
        assert await happened(server.client_left)


async def test_cancelling_a_read_closes_the_connection(server: FakeOpenAI) -> None:
    """E5."""
    server.answer(delta("x"), HANG)
    async with opened(server) as model, anyio.create_task_group() as tasks:
        reading = anyio.Event()

        async def read() -> None:
            async with model.stream(PROMPT) as chunks:
                await anext(chunks)
                reading.set()
                await anext(chunks)

        tasks.start_soon(read)
        await reading.wait()
        tasks.cancel_scope.cancel()
    assert await happened(server.client_left)


async def test_cancelling_before_the_headers_closes_the_connection(server: FakeOpenAI) -> None:
    server.hang_without_headers()
    async with opened(server) as model:
        with anyio.move_on_after(0.2) as scope:
            await ask(model)
        assert scope.cancelled_caught
        assert await happened(server.client_left)


async def test_a_server_that_sends_nothing_is_given_up_by_its_address(server: FakeOpenAI) -> None:
    server.hang_without_headers()
    async with opened(server, patience=SHORT) as model:
        got, error = await ask_until_it_breaks(model)
        assert await happened(server.client_left)
    assert (got, type(error)) == ([], ModelError)
    assert str(error) == f"openai:tiny: the server at {server.url} sent nothing for 0.2 s"


async def test_headers_and_empty_deltas_do_not_count_as_a_first_token(server: FakeOpenAI) -> None:
    server.answer(ROLE, HANG)
    async with opened(server, patience=SHORT) as model:
        got, error = await ask_until_it_breaks(model)
    assert (got, type(error)) == ([], ModelError)
    assert "sent nothing for 0.2 s" in str(error)


async def test_a_hang_between_tokens_breaks_the_stream(server: FakeOpenAI) -> None:
    """E4: what was handed out stays, and the error is of the kind that is never re-sent."""
    server.answer(delta("x"), HANG)
    async with opened(server, patience=Patience(between_tokens=0.2)) as model:
        got, error = await ask_until_it_breaks(model)
        assert await happened(server.client_left)
    assert (got, type(error)) == (["x"], StreamBroken)
    assert "sent nothing for 0.2 s" in str(error)


async def test_a_hang_after_the_finish_reason_ends_the_answer(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("axstream.models.openai.AFTER_FINISH_S", 0.1)
    server.answer(delta("x"), finish("stop"), HANG)
    async with opened(server) as model:
        chunks = await ask(model)
    assert chunks[-1] == Chunk(finish="stop", usage=Usage(prompt_tokens=4, completion_tokens=1, exact=False))


TROUBLES: list[tuple[Step, str]] = [
    (DROP, "broke off (connection reset by peer)"),
    (CUT, "broke off"),
    (DONE, "ended the answer without a finish reason"),
    (event({"error": {"message": "the engine\nfell over", "code": 500}}), "failed: the engine fell over"),
    (b"event: error\ndata: " + b'{"error": {"message": "overloaded"}}\n\n', "failed: overloaded"),
    (b"data: {not json\n\n", "sent an event that is not JSON"),
    (b'data: {"a":"\xff"}\n\n', "sent an event that is not JSON"),
]


@pytest.mark.parametrize(("trouble", "message"), TROUBLES)
async def test_trouble_after_the_first_chunk_breaks_the_stream(server: FakeOpenAI, trouble: Step, message: str) -> None:
    """E4."""
    server.answer(ROLE, delta("x"), trouble)
    async with opened(server) as model:
        got, error = await ask_until_it_breaks(model)
    assert (got, type(error)) == (["x"], StreamBroken)
    assert message in str(error)


@pytest.mark.parametrize(("trouble", "message"), TROUBLES)
async def test_trouble_before_the_first_chunk_may_be_asked_again(
    server: FakeOpenAI, trouble: Step, message: str
) -> None:
    """E4."""
    server.answer(ROLE, trouble)
    server.answer(*whole_answer("ok"))
    async with opened(server) as model:
        got, error = await ask_until_it_breaks(model)
        assert (got, type(error), error.retry) == ([], ModelError, True)
        assert message in str(error)
        assert len(server.requests) == 1
        assert "".join(one.text for one in await ask(model)) == "ok"


@pytest.mark.parametrize("trouble", [DROP, CUT, b"data: {not json\n\n", event({"error": {"message": "late"}})])
async def test_trouble_after_the_finish_reason_is_no_trouble(server: FakeOpenAI, trouble: Step) -> None:
    server.answer(delta("x"), finish("stop"), trouble)
    async with opened(server) as model:
        assert (await ask(model))[-1].finish == "stop"


async def test_a_rate_limit_inside_the_stream_is_one(server: FakeOpenAI) -> None:
    server.answer(ROLE, event({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}))
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert isinstance(error, RateLimited)
    assert error.retry_after is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after_ms": "250", "retry_after": "7"}, 0.25),
        ({}, None),
        ({"retry_after": "soon"}, None),
    ],
)
async def test_429_says_how_long_to_wait(server: FakeOpenAI, headers: dict[str, str], seconds: float | None) -> None:
    server.refuse(429, {"error": {"message": "too many requests"}}, **headers)
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert isinstance(error, RateLimited)
    assert error.retry_after == seconds
    assert "asks to wait: too many requests" in str(error)
    assert len(server.requests) == 1


def test_retry_after_may_be_a_date_and_is_never_negative() -> None:
    date = "Wed, 21 Oct 2026 07:28:00 GMT"
    assert read_retry_after({"retry-after": date}, 1792567680.0 - 30) == 30.0
    assert read_retry_after({"retry-after": date}, 1792567680.0 + 30) == 0.0
    assert read_retry_after({"retry-after": "inf"}, 0.0) is None
    assert read_retry_after({"retry-after-ms": "x"}, 0.0) is None


async def test_an_empty_account_is_not_worth_another_try(server: FakeOpenAI) -> None:
    server.refuse(429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}})
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert not isinstance(error, RateLimited)
    assert not error.retry
    assert "no quota left" in str(error)


@pytest.mark.parametrize(("status", "again"), [(500, True), (503, True), (408, True), (400, False), (422, False)])
async def test_a_failed_request_says_its_status_and_whether_to_ask_again(
    server: FakeOpenAI, status: int, again: bool
) -> None:
    server.refuse(status, {"error": {"message": "the\nreason"}})
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert str(error) == f"openai:tiny: the server at {server.url} answered HTTP {status}: the reason"
    assert (type(error), error.retry) == (ModelError, again)
    assert len(server.requests) == 1


async def test_a_page_of_html_as_an_error_is_cut_to_a_line(server: FakeOpenAI) -> None:
    server.refuse(502, "<html>\n" + "<p>bad gateway</p>\n" * 500, content_type="text/html")
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert len(str(error)) < 450


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tinny", "has no model 'tinny'; the nearest there: tiny"),
        ("zzz", "has no model 'zzz'; there: tiny, tiny-instruct, large"),
        ("tiny", "lists tiny but serves no chat completions for it"),
    ],
)
async def test_an_unknown_model_names_those_that_the_server_lists(server: FakeOpenAI, name: str, message: str) -> None:
    server.refuse(404, {"error": {"message": "model not found", "code": "model_not_found"}})
    async with opened(server, name) as model:
        _, error = await ask_until_it_breaks(model)
    assert message in str(error)
    assert not error.retry


async def test_a_host_that_does_not_exist_is_said_in_the_resolvers_words() -> None:
    model = OpenAIModel("tiny", base_url="http://no-such-host.invalid/v1")
    _, error = await ask_until_it_breaks(model)
    await model.aclose()
    assert "cannot reach the server at http://no-such-host.invalid/v1 (" in str(error)
    assert "(connection error" not in str(error)


async def test_an_address_without_the_api_is_told_about_its_path(server: FakeOpenAI) -> None:
    model = OpenAIModel("tiny", base_url=server.url.removesuffix("/v1"))
    _, error = await ask_until_it_breaks(model)
    await model.aclose()
    assert "knows no such model or path" in str(error)
    assert "often in /v1?" in str(error)


async def test_a_long_list_of_models_is_counted() -> None:
    with FakeOpenAI(models=tuple(f"model-{i}" for i in range(20))) as server:
        server.refuse(404, {"error": {"message": "no"}})
        async with opened(server, "zzz") as model:
            _, error = await ask_until_it_breaks(model)
    assert "there: model-0, model-1, model-2, model-3, model-4, model-5, model-6, model-7 and 12 more" in str(error)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_reason_of_a_name_with_several_addresses_is_that_of_the_first() -> None:
    outer = OSError("All connection attempts failed")
    outer.__cause__ = ExceptionGroup("", [ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('::1', 1)")])
    assert _os_reason(outer) == "connection refused"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_refused_connection_is_one_line_with_the_address(host: str) -> None:
    url = f"http://{host}:{free_port()}/v1"
    model = OpenAIModel("tiny", base_url=url)
    _, error = await ask_until_it_breaks(model)
    await model.aclose()
    assert str(error) == (
        f"openai:tiny: cannot reach the server at {url} (connection refused); is it running, and is --base-url right?"
    )
    assert (type(error), error.retry) == (ModelError, True)


async def test_a_connection_that_is_not_taken_is_given_up_by_its_address() -> None:
    # a listener whose queue is full answers no SYN, so connecting hangs
    with socket.socket() as full, socket.socket() as one, socket.socket() as two:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for filler in (one, two):
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        model = OpenAIModel("tiny", base_url=url, patience=Patience(connect=0.2, first_token=LIMIT_S))
        _, error = await ask_until_it_breaks(model)
        await model.aclose()
    assert str(error) == f"openai:tiny: the server at {url} did not take the connection in 0.2 s"


async def test_a_server_in_the_loopback_is_not_asked_through_a_proxy(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    server.answer(*whole_answer("ok"))
    async with opened(server) as model:
        assert (await ask(model))[0].text == "ok"


async def test_the_key_goes_to_the_server_and_into_no_message(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.refuse(400, {"error": {"message": f"bad request by {KEY}"}})
    server.refuse(401, {"error": {"message": f"Incorrect API key provided: {KEY[:6]}***{KEY[-4:]}"}})
    async with opened(server) as model:
        _, bad = await ask_until_it_breaks(model)
        _, refused = await ask_until_it_breaks(model)
        assert KEY not in repr(model)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "bad request by [key]" in str(bad)
    assert str(refused) == f"openai:tiny: the server at {server.url} refused the key (HTTP 401); check OPENAI_API_KEY"
    assert not refused.retry
    assert bad.__cause__ is None
    assert bad.__suppress_context__


async def test_a_server_of_ones_own_needs_no_key(server: FakeOpenAI) -> None:
    server.answer(*whole_answer("ok"))
    async with opened(server) as model:
        await ask(model)
    assert server.requests[0].headers["authorization"] == "Bearer none"


async def test_a_server_that_wants_a_key_is_told_apart(server: FakeOpenAI) -> None:
    server.refuse(401, {"error": {"message": "who are you"}})
    async with opened(server) as model:
        _, error = await ask_until_it_breaks(model)
    assert str(error).endswith("(HTTP 401); set OPENAI_API_KEY")


def test_openai_itself_needs_a_key_and_names_the_variable() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set; openai:big needs it"):
        open_openai("big")


async def test_the_base_url_may_stand_in_the_environment(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    server.answer(*whole_answer("ok"))
    model = open_openai("tiny")
    assert (await ask(model))[0].text == "ok"
    await model.aclose()


def test_openai_itself_gets_the_new_name_of_the_limit() -> None:
    body = OpenAIModel("big", key=KEY)._request(PROMPT)
    assert body["max_completion_tokens"] == 2048
    assert "max_tokens" not in body


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://h/v1", "http://", "http:///v1"])
def test_a_base_url_that_is_none_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="it looks like http://localhost:8080/v1"):
        open_openai("tiny", base_url=url)


def test_an_address_is_shown_without_its_secrets() -> None:
    assert shown_url("https://me:pw@host:8/v1?key=1#x") == "https://host:8/v1"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "openai:NAME"),
        ("tiny?grammar=lark", "a server takes gbnf"),
        ("tiny?few_shot=maybe", "no option"),
        ("tiny?x=1", "no option 'x=1'"),
    ],
)
def test_a_wrong_name_or_option_is_a_usage_error(argument: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_openai(argument, base_url="http://localhost:1/v1")


async def test_a_model_that_was_never_asked_closes_too() -> None:
    model = open_openai("tiny", base_url="http://localhost:1/v1")
    await model.aclose()
    await model.aclose()


def test_small_models_may_ask_for_more_examples() -> None:
    assert open_openai("tiny?few_shot=yes&grammar=gbnf", base_url="http://localhost:1/v1").few_shot
    assert not open_openai("llama3:8b?few_shot=no", base_url="http://localhost:1/v1").few_shot


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"needs the openai package: pip install 'axstream-runtime\[openai\]'"):
        open_openai("tiny", base_url="http://localhost:1/v1")
