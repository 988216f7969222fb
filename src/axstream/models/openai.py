"""``openai:NAME``: any server that speaks OpenAI's streamed chat completions. The one place that imports ``openai``.

States of an answer, and what ends each::

    asked     nothing useful came yet   time-out, refusal, closed connection  -> ModelError, RateLimited
    speaking  a chunk was handed out    time-out, error event, early end      -> StreamBroken
    finished  a finish reason came      anything, at most AFTER_FINISH_S on   -> the last chunk: finish and usage
    over      ended, or closed by us                                          -> StopAsyncIteration

Retrying is the loop's business (E4), so the client's own is off.
"""

from __future__ import annotations

import email.utils
import importlib
import importlib.util
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import msgspec

from axstream.errors import ModelError, RateLimited, StreamBroken, UsageError
from axstream.models.base import Chunk, Finish, Prompt, Usage
from axstream.models.tokens import estimate_tokens

if TYPE_CHECKING:
    from types import ModuleType

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
INSTALL = "pip install 'axstream-runtime[openai]'"

CLOSE_S = 2.0
"""Closing a connection is local work; more than this and the socket is left to the operating system."""
AFTER_FINISH_S = 2.0
"""After the finish reason only the usage is outstanding, and it can be estimated."""
LIST_MODELS_S = 5.0
"""Naming the server's models is a courtesy inside an error."""
QUOTED_CHARACTERS = 300
"""How much of a server's own message goes into ours; some send whole HTML pages."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "refusal": "refusal",
}


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """How long a server may be silent, in seconds, before it counts as hanging."""

    connect: float = 10.0
    first_token: float = 120.0
    """Generous: a local server loads weights here, and a reasoning model may think unseen."""
    between_tokens: float = 60.0


class OpenAIModel:
    """A model behind an OpenAI-compatible server. One connection pool, opened at the first ``stream``.

    ``key`` goes to ``base_url`` and nowhere else; it is in no message, name or repr. ``grammar="gbnf"`` says that the
    server takes llama.cpp's ``grammar`` field. ``prompt.seed`` and ``.temperature`` go before the ones given here.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        seed: int | None = None,
        temperature: float | None = None,
        grammar: str | None = None,
        few_shot: bool = False,
        patience: Patience | None = None,
    ) -> None:
        if importlib.util.find_spec("openai") is None:
            raise UsageError(f"openai:{model} needs the openai package: {INSTALL}")
        if grammar not in (None, "gbnf"):
            raise UsageError(f"grammar is {grammar!r}; a server takes gbnf, or leave it out")
        url = (base_url or os.environ.get(URL_VARIABLE) or OPENAI_URL).rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"base-url is {shown_url(url)!r}; it looks like http://localhost:8080/v1")
        key = key or os.environ.get(KEY_VARIABLE)
        self._is_openai = parts.hostname == urlsplit(OPENAI_URL).hostname
        if self._is_openai and not key:
            raise UsageError(
                f"{KEY_VARIABLE} is not set; openai:{model} needs it, or --base-url of a server that does not"
            )
        self.name = f"openai:{model}"
        self.few_shot = few_shot
        self.takes_grammar = grammar is not None
        self._model = model
        self._url = url
        self._shown_url = shown_url(url)
        self._trusts_proxies = parts.hostname not in _LOOPBACK
        self._key = key
        self._seed = seed
        self._temperature = temperature
        self._patience = patience or Patience()
        self._client: Any = None
        self._sdk: Any = None

    @asynccontextmanager
    async def stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[Chunk]]:
        """Ask, and hand out the pieces as they come; leaving closes the HTTP stream before it returns (E3)."""
        if self._client is None:
            await self._connect()
        deadline = anyio.current_time() + self._patience.first_token
        try:
            with anyio.fail_after(self._patience.first_token):
                raw = await self._client.chat.completions.create(**self._request(prompt))
        except TimeoutError:
            raise self._silent(self._patience.first_token) from None
        except self._sdk.APIError as problem:
            raise await self._explain(problem) from None
        answer = _Answer(self, raw, deadline, sum(estimate_tokens(message.content) for message in prompt.messages))
        try:
            yield answer
        finally:
            with anyio.move_on_after(CLOSE_S, shield=True):
                await answer.aclose()

    async def aclose(self) -> None:
        """Close the connection pool."""
        client, self._client = self._client, None
        if client is not None:
            with anyio.move_on_after(CLOSE_S, shield=True):
                await client.close()

    async def _connect(self) -> None:
        # a second of importing, in a thread, so that the screen can be read meanwhile
        sdk: ModuleType = await anyio.to_thread.run_sync(importlib.import_module, "openai")
        self._sdk = sdk
        timeout = self._sdk.Timeout(None, connect=self._patience.connect)
        self._client = self._sdk.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._url,
            max_retries=0,
            timeout=timeout,
            http_client=self._sdk.DefaultAsyncHttpxClient(timeout=timeout, trust_env=self._trusts_proxies),
        )

    def _request(self, prompt: Prompt) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in prompt.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            # OpenAI's reasoning models refuse the old name, most other servers know no other
            "max_completion_tokens" if self._is_openai else "max_tokens": prompt.max_tokens,
        }
        for field, ours, default in (
            ("temperature", prompt.temperature, self._temperature),
            ("seed", prompt.seed, self._seed),
        ):
            if (value := default if ours is None else ours) is not None:
                body[field] = value
        if self.takes_grammar and prompt.grammar is not None:
            body["extra_body"] = {"grammar": prompt.grammar.gbnf}
        return body

    def _silent(self, seconds: float) -> ModelError:
        return ModelError(f"{self.name}: the server at {self._shown_url} sent nothing for {seconds:g} s")

    async def _explain(self, problem: Any) -> ModelError:
        """What a failed request means, as one line, with no key in it."""
        status = getattr(problem, "status_code", None)
        code = str(getattr(problem, "code", None) or "")
        said = self._quote(problem)
        where = f"the server at {self._shown_url}"
        if isinstance(problem, self._sdk.APITimeoutError):
            return ModelError(f"{self.name}: {where} did not take the connection in {self._patience.connect:g} s")
        if isinstance(problem, self._sdk.APIConnectionError):
            reason = _os_reason(problem)
            return ModelError(f"{self.name}: cannot reach {where} ({reason}); is it running, and is --base-url right?")
        if status == 429 or (status is None and _is_rate_limit(problem)):
            if code == "insufficient_quota":
                return ModelError(f"{self.name}: the account at {self._shown_url} has no quota left", retry=False)
            headers = problem.response.headers if status else {}
            return RateLimited(f"{self.name}: {where} asks to wait: {said}", read_retry_after(headers, time.time()))
        if status in (401, 403):
            hint = f"check {KEY_VARIABLE}" if self._key else f"set {KEY_VARIABLE}"
            return ModelError(f"{self.name}: {where} refused the key (HTTP {status}); {hint}", retry=False)
        if status == 404 or code == "model_not_found":
            return ModelError(await self._not_found(said), retry=False)
        if status is None:
            return ModelError(f"{self.name}: {where} failed: {said}")
        return ModelError(
            f"{self.name}: {where} answered HTTP {status}: {said}", retry=status >= 500 or status in (408, 409)
        )

    async def _not_found(self, said: str) -> str:
        names: list[str] = []
        try:
            with anyio.fail_after(LIST_MODELS_S):
                page = await self._client.models.list()
            names = [model.id for model in page.data or ()]
        except (TimeoutError, self._sdk.OpenAIError, ValueError, AttributeError):
            pass  # no list: the names stay empty, and the message says so
        if not names:
            return (
                f"{self.name}: {self._shown_url} knows no such model or path ({said}), and lists no models; "
                "does --base-url end where the server wants it, often in /v1?"
            )
        near = get_close_matches(self._model, names, n=3, cutoff=0.5)
        if self._model in names:
            return f"{self.name}: {self._shown_url} lists {self._model} but serves no chat completions for it ({said})"
        listed = ", ".join(near or names[:8]) + (f" and {len(names) - 8} more" if not near and len(names) > 8 else "")
        nearest = "the nearest there" if near else "there"
        return f"{self.name}: {self._shown_url} has no model {self._model!r}; {nearest}: {listed}"

    def _quote(self, problem: Any) -> str:
        """The server's own words in one line, cut, without the key or what it echoes of one."""
        body = getattr(problem, "body", None)
        text = body.get("message") if isinstance(body, dict) else None
        line = " ".join(str(text or getattr(problem, "message", None) or problem).split()) or "no reason given"
        if self._key and self._key in line:
            line = line.replace(self._key, "[key]")
        return line if len(line) <= QUOTED_CHARACTERS else line[: QUOTED_CHARACTERS - 1] + "…"


class _Answer:
    """The chunks of one answer; the module's docstring has its states."""

    def __init__(self, model: OpenAIModel, raw: Any, deadline: float, prompt_tokens: int) -> None:
        self._of = model
        self._raw = raw
        self._deadline = deadline
        self._prompt_tokens = prompt_tokens
        self._speaking = False
        self._over = False
        self._tokens = 0
        self._finish: Finish | None = None
        self._refused = False
        self._usage: Usage | None = None

    def __aiter__(self) -> AsyncIterator[Chunk]:
        return self

    async def __anext__(self) -> Chunk:
        while not self._over:
            event = await self._next_event()
            if event is None:
                self._over = True
                return self._last_chunk()
            chunk = self._read(event)
            if chunk is not None:
                self._speaking = True
                return chunk
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Close the connection; a read that is waiting elsewhere ends."""
        self._over = True
        await self._raw.close()

    async def _next_event(self) -> Any:
        """The server's next event; None when the answer is complete or the server has ended the stream."""
        sdk, patience = self._of._sdk, self._of._patience
        if self._finish is not None:
            seconds = AFTER_FINISH_S
        elif self._speaking:
            seconds = patience.between_tokens
        else:
            seconds = max(0.0, self._deadline - anyio.current_time())
        try:
            with anyio.fail_after(seconds):
                return await anext(self._raw)
        except StopAsyncIteration:
            return None
        except TimeoutError:
            problem: ModelError = self._of._silent(patience.between_tokens if self._speaking else patience.first_token)
        except ValueError as broken:  # JSON or UTF-8 that is none
            problem = ModelError(f"{self._of.name}: {self._of._shown_url} sent an event that is not JSON ({broken})")
        except sdk.APIConnectionError as broken:
            problem = ModelError(f"{self._of.name}: {self._of._shown_url} broke off ({_os_reason(broken)})")
        except sdk.APIError as broken:
            problem = await self._of._explain(broken)
        if self._finish is not None:
            return None
        self._over = True
        raise StreamBroken(str(problem)) if self._speaking else problem

    def _read(self, event: Any) -> Chunk | None:
        usage = getattr(event, "usage", None)
        if usage is not None:
            self._usage = Usage(
                prompt_tokens=getattr(usage, "prompt_tokens", None) or 0,
                completion_tokens=getattr(usage, "completion_tokens", None) or 0,
            )
        text, reasoning = "", ""
        for choice in getattr(event, "choices", None) or ():
            if (finish := getattr(choice, "finish_reason", None)) is not None:
                self._finish = _FINISH.get(finish, "other")
            if (delta := getattr(choice, "delta", None)) is None:
                continue
            text += _text(getattr(delta, "content", None))
            # two names for one thing: servers send one of them, some send both with the same text
            reasoning += _text(getattr(delta, "reasoning_content", None)) or _text(getattr(delta, "reasoning", None))
            if refusal := _text(getattr(delta, "refusal", None)):
                self._refused = True
                reasoning += refusal
        if not text and not reasoning:
            return None
        self._tokens += estimate_tokens(text) + estimate_tokens(reasoning)
        return Chunk(text=text, reasoning=reasoning)

    def _last_chunk(self) -> Chunk:
        if self._finish is None:
            said = f"{self._of.name}: {self._of._shown_url} ended the answer without a finish reason"
            if not self._speaking:
                raise ModelError(f"{said}, and sent nothing of it; is --base-url right? It mostly ends in /v1")
            raise StreamBroken(said)
        usage = self._usage or Usage(prompt_tokens=self._prompt_tokens, completion_tokens=self._tokens, exact=False)
        return Chunk(finish="refusal" if self._refused else self._finish, usage=usage)


def open_openai(
    argument: str, *, base_url: str | None = None, seed: int | None = None, temperature: float | None = None
) -> OpenAIModel:
    """``NAME`` with options behind ``?``: ``grammar=gbnf`` (llama.cpp), ``few_shot=yes`` (very small models)."""
    model, _, options = argument.partition("?")
    if not model:
        raise UsageError("openai needs a model's name: openai:NAME, with --base-url for a server other than OpenAI's")
    grammar, few_shot = None, False
    for option in filter(None, options.split("&")):
        key, _, value = option.partition("=")
        if key == "grammar":
            grammar = value
        elif key == "few_shot" and value in ("yes", "no"):
            few_shot = value == "yes"
        else:
            raise UsageError(f"openai has no option {option!r}; there are grammar=gbnf and few_shot=yes")
    return OpenAIModel(model, base_url=base_url, seed=seed, temperature=temperature, grammar=grammar, few_shot=few_shot)


def shown_url(url: str) -> str:
    """The address as it may stand in a message: without user, password, query and fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def read_retry_after(headers: Any, now: float) -> float | None:
    """Seconds to wait by ``retry-after-ms`` or ``retry-after`` (seconds or a date); None where neither can be read."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            seconds = float(milliseconds) / 1000
        else:
            seconds = float(headers.get("retry-after") or "nan")
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(headers["retry-after"]).timestamp() - now
        except (ValueError, KeyError):
            return None
    return max(0.0, seconds) if -float("inf") < seconds < float("inf") else None


def _text(value: Any) -> str:
    """A delta's text: null, a string, or (Mistral and others) a list of parts of which those with text count."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def _is_rate_limit(problem: Any) -> bool:
    kinds = (str(getattr(problem, "code", None)), str(getattr(problem, "type", None)))
    return any("rate_limit" in kind or kind == "429" for kind in kinds)


def _os_reason(problem: BaseException) -> str:
    """What the operating system said, from the chain of causes below a client's "Connection error."."""
    last = problem
    seen: BaseException | None = problem
    while seen is not None:
        if isinstance(seen, BaseExceptionGroup):
            seen = seen.exceptions[0]  # one for each address of a name, alike in practice
        if isinstance(seen, OSError) and seen.errno is not None:
            # asyncio puts the address in place of the words; a resolver's numbers are negative and have their own
            return (os.strerror(seen.errno) if seen.errno > 0 else str(seen.strerror)).lower()
        last, seen = seen, seen.__cause__ or seen.__context__
    return " ".join(str(last).split()) or type(last).__name__
