"""``script:FILE``: recorded answers, given again at a pace. Reading the file and timing the pieces; no network.

The file is text. Each answer is one burst; a line ``=== burst ===`` stands between two of them::

    I type the note and save it.
    ```json
    {"op":"type","text":"buy milk"}
    {"op":"observe"}
    ```
    === burst ===
    ```json
    {"op":"done","status":"success"}
    ```

An answer may instead be a recording, one chunk a line (or one JSON array of such objects)::

    {"t":0.67,"text":"```json\\n"}
    {"t":1.21,"text":"{\\"op\\":\\"observe\\"}\\n"}
    {"t":1.30,"text":"```\\n","finish":"stop","usage":{"prompt_tokens":812,"completion_tokens":14}}

``t`` is in seconds from the start of that answer, never falling; absent means at once. ``text`` goes to the parser,
``reasoning`` is only shown. ``finish`` is ``stop`` unless a chunk says ``length``, ``refusal``, ``content_filter`` or
``other``. A chunk ``{"t":2,"error":"reset by peer"}`` breaks the stream there. An answer is read as a recording when
its first line is a JSON object with ``t``, ``text``, ``reasoning`` or ``error`` and no ``op``.

``?pace=75`` gives 75 tokens a second (a token is four characters, see ``tokens.py``), also for a recording, whose ``t``
then do not count. With neither, everything comes at once.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import msgspec

from axstream.errors import ModelError, StreamBroken, UsageError
from axstream.models.base import Chunk, Finish, Prompt, Usage
from axstream.models.tokens import cut_into_tokens, estimate_tokens

SEPARATOR = "=== burst ==="
_SEPARATOR_LINE = re.compile(r"^=== burst ===[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_ARRAY = re.compile(r"\s*\[\s*\{")
_CHUNK_FIELDS = frozenset({"t", "text", "reasoning", "error"})

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One chunk of a recording; the module's docstring says what the fields mean."""

    t: float = 0.0
    text: str = ""
    reasoning: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    error: str | None = None


Answer = str | tuple[Recorded, ...]


def read_script(text: str, where: str) -> tuple[Answer, ...]:
    """The answers of a script in order. ``UsageError`` with ``where`` and the line for a recording that is none."""
    answers: list[Answer] = []
    start, line = 0, 1
    for separator in _SEPARATOR_LINE.finditer(text):
        answers.append(_read_answer(text[start : separator.start()], where, line))
        line += text.count("\n", start, separator.end())
        start = separator.end()
    if text[start:].strip():
        answers.append(_read_answer(text[start:], where, line))
    if not answers:
        raise UsageError(
            f"{where} holds no answer: write what the model would say, bursts parted by a line `{SEPARATOR}`"
        )
    return tuple(answers)


def _read_answer(text: str, where: str, line: int) -> Answer:
    if _ARRAY.match(text):
        try:
            chunks = msgspec.json.decode(text, type=tuple[Recorded, ...])
        except msgspec.DecodeError as problem:
            raise UsageError(f"{where}, the array in line {line} is no recording: {problem}") from None
        numbered = [(line, chunk) for chunk in chunks]
    elif _is_chunk(text.lstrip().partition("\n")[0]):
        numbered = []
        for number, one in enumerate(text.split("\n"), line):
            if one.strip():
                try:
                    numbered.append((number, msgspec.json.decode(one, type=Recorded)))
                except msgspec.DecodeError as problem:
                    raise UsageError(f"{where}, line {number} is not a recorded chunk: {problem}") from None
    else:
        return text
    latest = 0.0
    for number, chunk in numbered:
        if chunk.t < 0 or (chunk.t and chunk.t < latest):
            raise UsageError(
                f"{where}, line {number}: t is {chunk.t:g} after {latest:g}; it counts from the answer's start"
            )
        latest = max(latest, chunk.t)
    return tuple(chunk for _, chunk in numbered)


def _is_chunk(line: str) -> bool:
    try:
        found = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return False
    return isinstance(found, dict) and "op" not in found and not _CHUNK_FIELDS.isdisjoint(found)


class ScriptModel:
    """Answers from a list, one for each ``stream``, at ``pace`` tokens a second (None: a recording's own times).

    ``clock`` and ``sleep`` are arguments so that a test never waits. Deadlines are absolute: the pace does not drift.
    """

    few_shot = False
    takes_grammar = False

    def __init__(
        self,
        answers: Sequence[Answer],
        *,
        name: str = "script",
        pace: float | None = None,
        clock: Clock = anyio.current_time,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        if pace is not None and not 0 < pace < float("inf"):
            raise UsageError(f"pace is {pace:g}; it is tokens a second, more than 0")
        self.name = name
        self._answers = tuple(answers)
        self._pace = pace
        self._clock = clock
        self._sleep = sleep
        self._given = 0

    @asynccontextmanager
    async def stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[Chunk]]:
        """The next answer; the prompt is only counted. ``ModelError`` when there is none left."""
        if self._given == len(self._answers):
            held = "1 answer" if self._given == 1 else f"{self._given} answers"
            raise ModelError(
                f"{self.name} holds {held} and the run asks for one more: add it after a line `{SEPARATOR}`",
                retry=False,
            )
        answer = self._answers[self._given]
        self._given += 1
        chunks = self._play(answer, sum(estimate_tokens(message.content) for message in prompt.messages))
        try:
            yield chunks
        finally:
            await chunks.aclose()

    async def aclose(self) -> None:
        """Nothing is held."""

    async def _play(self, answer: Answer, prompt_tokens: int) -> AsyncGenerator[Chunk]:
        recording = (Recorded(text=answer),) if isinstance(answer, str) else answer
        start, tokens, said = self._clock(), 0, False
        finish: Finish = "stop"
        usage: Usage | None = None
        for chunk in recording:
            if self._pace is None:
                await self._wait_until(start + chunk.t)
            for field, text in (("reasoning", chunk.reasoning), ("text", chunk.text)):
                for piece in cut_into_tokens(text) if self._pace or isinstance(answer, str) else filter(None, [text]):
                    tokens += estimate_tokens(piece)
                    if self._pace is not None:
                        await self._wait_until(start + tokens / self._pace)
                    await anyio.lowlevel.checkpoint()
                    said = True
                    yield Chunk(text=piece) if field == "text" else Chunk(reasoning=piece)
            finish, usage = chunk.finish or finish, chunk.usage or usage
            if chunk.error is not None:
                broken = StreamBroken if said else ModelError
                raise broken(f"{self.name}: {chunk.error}")
        await anyio.lowlevel.checkpoint()
        counted = usage or Usage(prompt_tokens=prompt_tokens, completion_tokens=tokens, exact=False)
        yield Chunk(finish=finish, usage=counted)

    async def _wait_until(self, moment: float) -> None:
        if (left := moment - self._clock()) > 0:
            await self._sleep(left)


def open_script(
    argument: str, *, pace: float | None = None, clock: Clock = anyio.current_time, sleep: Sleep = anyio.sleep
) -> ScriptModel:
    """The script in ``FILE`` or ``FILE?pace=N``; the argument ``pace`` goes before the one in the name."""
    path, mark, option = argument.rpartition("?")
    if not mark or "=" not in option:
        path, option = argument, ""
    if option:
        key, _, value = option.partition("=")
        if key != "pace":
            raise UsageError(f"script has no option {key!r}; there is ?pace=TOKENS_A_SECOND")
        try:
            pace = float(value) if pace is None else pace
        except ValueError:
            raise UsageError(f"pace is {value!r}; it is a number of tokens a second, such as ?pace=75") from None
    if not path:
        raise UsageError("script needs a file: script:FILE")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise UsageError(f"cannot read the script {path}: {problem.strerror or problem}") from None
    except UnicodeDecodeError as problem:
        raise UsageError(f"the script {path} is not UTF-8 (byte {problem.start})") from None
    return ScriptModel(read_script(text, path), name=f"script:{path}", pace=pace, clock=clock, sleep=sleep)
