"""What an embedder writes: ``run``, ``execute``, ``observe``, ``browser``, ``memory`` (the public functions).

The work is the session's and the executor's; here are the context managers and event streams around them. Nothing
heavy is imported before it is used.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import anyio
import msgspec

import axstream
from axstream.ax.ids import IdBook
from axstream.ax.outline import Outline, outline
from axstream.computer.base import Computer
from axstream.errors import AxstreamError, ComputerError
from axstream.models.base import Model
from axstream.models.registry import open_model
from axstream.policy import Approve, Policy
from axstream.runtime.baseline import Baseline
from axstream.runtime.burst import BurstResult, Limits
from axstream.runtime.executor import Executor
from axstream.runtime.marks import picture_of, with_sight
from axstream.runtime.observing import observation_event
from axstream.runtime.pieces import Pieces
from axstream.runtime.saying import one_line_of
from axstream.runtime.session import Budgets, Outcome, Session
from axstream.spec.catalogue import Catalogue
from axstream.spec.custom import CustomAct
from axstream.trace.events import Ended, RunEvent, Started
from axstream.trace.writer import TraceWriter

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

    from axstream.computer.browser.computer import BrowserComputer
    from axstream.computer.memory.computer import MemoryComputer

_BOOKS: WeakKeyDictionary[Computer, IdBook] = WeakKeyDictionary()
_BASELINES: WeakKeyDictionary[Computer, Baseline] = WeakKeyDictionary()


def book_of(screen: Computer) -> IdBook:
    """Return the ids issued for a computer in this process, so that observing and executing agree on them (Z2)."""
    return _BOOKS.setdefault(screen, IdBook())


def browser(
    url: str | None = None,
    *,
    page: Page | None = None,
    context: BrowserContext | None = None,
    browser: Browser | None = None,
    cdp: str | None = None,
    headed: bool = False,
    executable: str | PathLike[str] | None = None,
    profile: str | PathLike[str] | None = None,
    viewport: tuple[int, int] | str | None = None,
    device_scale_factor: float | None = None,
    locale: str | None = None,
    timezone: str | None = None,
    user_agent: str | None = None,
    color_scheme: str | None = None,
    proxy: str | None = None,
    extra_http_headers: Mapping[str, str] | None = None,
    http_credentials: Sequence[str] | None = None,
    ignore_https_errors: bool = False,
    permissions: Sequence[str] | None = None,
    storage_state: str | PathLike[str] | Mapping[str, Any] | None = None,
    save_storage: str | PathLike[str] | None = None,
    downloads: str | PathLike[str] | None = None,
) -> BrowserComputer:
    """Return a Chromium to be opened with ``async with``; it shows ``url``.

    Where it acts is one of: a browser that is started (``headed``, ``executable``; ``profile`` is a folder that keeps
    cookies and storage from one run to the next); ``page`` or ``context``, your own of Playwright; ``browser``, one of
    Playwright (or another computer's ``.browser``) in which a context apart is made; ``cdp``, the debugging address of a
    browser that runs, as ``http://127.0.0.1:9222``. What is not ours is never closed.

    A context that is made takes ``viewport`` (CSS pixels, 1280x720), ``device_scale_factor``, ``locale`` (``de-DE``),
    ``timezone`` (``Europe/Berlin``), ``user_agent``, ``color_scheme`` (``light``, ``dark``), ``proxy``
    (``http://127.0.0.1:8080``; its ``user:password`` in it or in ``AXSTREAM_PROXY_AUTH``), ``extra_http_headers`` (every
    site gets them), ``http_credentials`` (``(user, password)`` for the origin of ``url``, or with another origin third),
    ``ignore_https_errors``, ``permissions`` (``["clipboard-read"]``; all else is denied), and ``storage_state``: a file or
    dict of Playwright's form. ``save_storage`` is a file that cookies and storage are written to on leaving, whole or not
    at all. ``downloads`` is the folder for what pages download; without it one is made, and named in the notes.

    Raises UsageError, one line, for what makes no sense or not together, and without the ``browser`` extra.
    """
    from axstream.computer.browser.computer import BrowserComputer

    return BrowserComputer(
        url=url,
        page=page,
        context=context,
        browser=browser,
        cdp=cdp,
        headed=headed,
        executable=executable,
        profile=profile,
        viewport=viewport,
        device_scale_factor=device_scale_factor,
        locale=locale,
        timezone=timezone,
        user_agent=user_agent,
        color_scheme=color_scheme,
        proxy=proxy,
        extra_http_headers=extra_http_headers,
        http_credentials=http_credentials,
        ignore_https_errors=ignore_https_errors,
        permissions=permissions,
        storage_state=storage_state,
        save_storage=save_storage,
        downloads=downloads,
    )


def memory(scene: str | PathLike[str] | Mapping[str, Any] | None = None) -> MemoryComputer:
    """Return a small desktop made of a scene: a file, a dict of its JSON, or None for the one that is shipped.

    Raises UsageError naming the line of a scene that is not well-formed.
    """
    from axstream.computer.memory import MemoryComputer, default_scene, load_scene, parse_scene

    if scene is None:
        return MemoryComputer(default_scene())
    if isinstance(scene, Mapping):
        return MemoryComputer(parse_scene(msgspec.json.encode(scene).decode(), "the scene"))
    return MemoryComputer(load_scene(Path(scene)))


def catalogue_for(actions: Sequence[CustomAct | Callable[..., Any]], spec: Literal["0.1", "0.2"] = "0.2") -> Catalogue:
    """Return the catalogue with an embedder's own acts (N5): plain typed functions, or ``CustomAct`` values."""
    return Catalogue(
        spec=spec, acts=tuple(a if isinstance(a, CustomAct) else CustomAct.from_function(a) for a in actions)
    )


class Seen(Outline, frozen=True, kw_only=True):
    """An observation: the outline, and the picture that was asked for, as PNG."""

    picture: bytes | None = None


async def observe(screen: Computer, *, screenshot: bool = False, marks: bool = False) -> Seen:
    """Return what a model would see now: ``.text``, and the ids in it, which ``execute`` on this screen knows.

    With ``screenshot`` also ``.picture``: PNG, one pixel a logical pixel; with ``marks`` with the ids drawn on it (the
    ``vision`` extra). Raises UsageError where the computer has no picture, Unsupported where a dialog is in the way of
    one (with ``marks`` the dialog is drawn from its elements instead).
    """
    if screenshot or marks:
        with_sight(screen, marks=marks)
    tree = await screen.observe()
    seen = outline(tree, book_of(screen))
    _baseline_of(screen).restart(seen)
    picture = None
    if screenshot or marks:
        picture = await picture_of(screen, tree, seen, book_of(screen), marks=marks)
    return Seen(text=seen.text, ids=seen.ids, pairs=seen.pairs, elements=seen.elements, picture=picture)


def _baseline_of(screen: Computer) -> Baseline:
    return _BASELINES.setdefault(screen, Baseline())


class Run:
    """A running task: iterate its events as they happen, await its outcome. Made by ``run()``."""

    def __init__(self, session: Session, events: asyncio.Queue[RunEvent | None]) -> None:
        self._session = session
        self._events = events
        self._task: asyncio.Task[Outcome] | None = None

    def _start(self) -> None:
        self._task = asyncio.create_task(self._main())

    async def _main(self) -> Outcome:
        try:
            return await self._session.run()
        finally:
            self._events.put_nowait(None)

    def cancel(self, reason: str = "cancelled by the caller") -> None:
        """End the run as ``cancelled``; all input is released."""
        self._session.cancel(reason)

    async def outcome(self) -> Outcome:
        """Wait for the end and return how it went. Raises only for what is nobody's plan (a full disk for the trace)."""
        if self._task is None:
            raise AxstreamError("the run has not started: use `async with ax.run(...) as run`")
        return await asyncio.shield(self._task)

    async def __aiter__(self) -> AsyncIterator[RunEvent]:
        while True:
            event = await self._events.get()
            if event is None:
                self._events.put_nowait(None)  # for a second reader
                if self._task is not None:
                    await asyncio.wait([self._task])
                    if not self._task.cancelled() and (error := self._task.exception()) is not None:
                        raise error
                return
            yield event

    async def _leave(self) -> None:
        if self._task is None:
            return
        if not self._task.done():
            self._session.cancel("left early")
        await _ended(self._task)  # what failed in it comes out of outcome()


async def _ended(task: asyncio.Task[Any]) -> None:
    """Wait until a task that was told to end has ended, whatever cancels us meanwhile: then all input is up (E5).

    Bounded by the time-outs with which a burst lets go. A cancellation goes on afterwards.
    """
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            with anyio.CancelScope(shield=True):
                await asyncio.wait([task])
        except asyncio.CancelledError as again:
            cancelled = again
    if not task.cancelled():
        task.exception()  # retrieved, so that it is not reported a second time
    if cancelled is not None:
        raise cancelled


@asynccontextmanager
async def run(
    task: str,
    screen: Computer,
    *,
    model: str | Model,
    base_url: str | None = None,
    approve: Approve | None = None,
    policy: Policy | None = None,
    actions: Sequence[CustomAct | Callable[..., Any]] = (),
    result: type[Any] | Mapping[str, Any] | None = None,
    budgets: Budgets | None = None,
    trace: str | PathLike[str] | None = None,
    spec: Literal["0.1", "0.2"] = "0.2",
    seed: int | None = None,
    temperature: float | None = None,
    grammar: bool = True,
    differences: bool = True,
) -> AsyncIterator[Run]:
    """Run a task: the model sees the screen, streams actions, each is performed at its newline.

    ``model`` is a name (``openai:NAME``, ``local``, ``script:FILE``) or a ``Model``. ``approve`` is asked before risky
    acts; without it the default policy denies them (R4). ``actions`` are functions that the model may call (N5);
    ``result`` is a type or JSON Schema for its answer (N1). ``trace`` is a file for the record (X1).
    ``differences=False`` sends every observation whole, for a provider that caches no prompts. Leaving the
    context early cancels the run; on every exit all keys and buttons are up (E5).
    """
    events: asyncio.Queue[RunEvent | None] = asyncio.Queue()
    async with AsyncExitStack() as stack:
        opened = open_model(model, base_url=base_url, seed=seed) if isinstance(model, str) else model
        if isinstance(model, str):
            stack.push_async_callback(opened.aclose)
        catalogue = catalogue_for(actions, spec)
        writer = stack.enter_context(TraceWriter(trace, catalogue=catalogue)) if trace is not None else None

        def emit(seconds: float, event: RunEvent) -> None:
            if writer is not None:
                writer.write(seconds, event)
            events.put_nowait(event)

        session = Session(
            task,
            screen,
            opened,
            catalogue=catalogue,
            policy=policy,
            approve=approve,
            budgets=budgets,
            result=result,
            emit=emit,
            book=book_of(screen),
            seed=seed,
            temperature=temperature,
            grammar=grammar,
            differences=differences,
            trace=fspath(trace) if trace is not None else None,
        )
        running = Run(session, events)
        running._start()
        try:
            yield running
        finally:
            await running._leave()


async def execute(
    chunks: Pieces,
    screen: Computer,
    *,
    approve: Approve | None = None,
    policy: Policy | None = None,
    actions: Sequence[CustomAct | Callable[..., Any]] = (),
    on_failure: Literal["end", "continue"] = "end",
    spec: Literal["0.1", "0.2"] = "0.2",
    reasoning: bool = True,
    tags: frozenset[str] | None = None,
    bare: bool = False,
    trace: str | PathLike[str] | None = None,
) -> AsyncGenerator[RunEvent, None]:
    """Perform one response of your own model as it streams; yield the events as they happen, ``Ended`` last.

    ``chunks`` is any async iterable of text or bytes; it is closed at barriers. At ``observe`` the new observation is
    an event before the last (E8), whole, and with what changed since the last whole one (``ax.observe``'s, or that of an
    event without ``changes``) where that is much shorter (O3). Stopping the iteration, or cancelling it, releases all input (E5).
    """
    queue: asyncio.Queue[RunEvent | None] = asyncio.Queue()
    catalogue = catalogue_for(actions, spec)
    writer = TraceWriter(trace, catalogue=catalogue) if trace is not None else None

    def emit(seconds: float, event: RunEvent) -> None:
        if writer is not None:
            writer.write(seconds, event)
        queue.put_nowait(event)

    executor = Executor(
        screen,
        catalogue=catalogue,
        policy=policy,
        book=book_of(screen),
        approve=approve,
        emit=emit,
        on_failure=on_failure,
        reasoning=reasoning,
        tags=tags,
        bare=bare,
    )

    async def main() -> None:
        try:
            await execute_once(executor, screen, chunks, risky=(policy or Policy()).risky)
        finally:
            if writer is not None:
                writer.close()
            queue.put_nowait(None)

    # A task of its own, not a task group: a generator that is left early is closed from another task.
    task = asyncio.create_task(main())
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        if not task.done():
            executor.cancel("left early")
        await _ended(task)


async def execute_once(
    executor: Executor,
    screen: Computer,
    chunks: Pieces,
    *,
    risky: str,
    notes: tuple[str, ...] = (),
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> BurstResult:
    """Run one burst between its ``started`` and ``ended`` events, with the observation that ``observe`` asks for (E8)."""
    started = time.monotonic()
    executor.say(
        Started(
            version=axstream.__version__, spec=executor.catalogue.spec, computer=screen.kind, risky=risky, notes=notes
        )
    )
    result = await executor.run_burst(chunks, limits=limits)
    if result.stop == "observe":
        begun = time.monotonic()
        try:
            tree = await screen.observe()
        except ComputerError as error:
            result = BurstResult(stop="error", reason=one_line_of(error))
        else:
            seen = outline(tree, executor.book)
            changed = _baseline_of(screen).changes_to(seen)
            taken = time.monotonic() - begun
            executor.say(observation_event(tree, seen, executor.book, burst=1, seconds=taken, changes=changed))
    executor.say(
        Ended(
            stop=result.stop,
            status=result.status,
            reason=result.reason,
            result=result.result,
            actions=result.executed,
            seconds=round(time.monotonic() - started, 6),
            overlap=round(result.overlap_s / result.execution_s, 4) if result.execution_s else 0.0,
        )
    )
    return result
