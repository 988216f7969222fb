"""The blocking twin of the public functions: the same names, plain ``with`` and ``for``. No logic of its own.

::

    from axstream import sync as ax

    with ax.browser(url=URL) as screen:
        with ax.run("Find the total", screen, model="openai:NAME") as run:
            for event in run:
                ...
            outcome = run.outcome()
        for event in ax.execute(chunks, screen):
            ...

Each opened computer has one background thread with an event loop, in which all that concerns it runs.
"""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from functools import partial
from typing import Any, TypeVar

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from axstream.computer.base import Computer
from axstream.errors import UsageError
from axstream.runtime import api
from axstream.runtime.session import Outcome
from axstream.trace.events import RunEvent

T = TypeVar("T")


class Screen:
    """An open computer and the thread that it lives in; given by ``browser``, ``memory`` and ``opened``."""

    def __init__(self, computer: Computer, portal: BlockingPortal) -> None:
        self.computer = computer
        self._portal = portal

    def observe(self, *, screenshot: bool = False, marks: bool = False) -> api.Seen:
        """Return what a model would see now, with a picture and marks on it where they are asked for."""
        return self._portal.call(partial(api.observe, self.computer, screenshot=screenshot, marks=marks))


class BlockingRun:
    """A running task: iterate its events, then ask for its outcome."""

    def __init__(self, run: api.Run, portal: BlockingPortal) -> None:
        self._run = run
        self._portal = portal

    def __iter__(self) -> Iterator[RunEvent]:
        return _pull(self._run.__aiter__(), self._portal)

    def cancel(self, reason: str = "cancelled by the caller") -> None:
        """End the run as ``cancelled``; all input is released. From any thread."""
        self._portal.call(self._run.cancel, reason)

    def outcome(self) -> Outcome:
        """Wait for the end and return how it went."""
        return self._portal.call(self._run.outcome)


@contextmanager
def opened(computer: Computer) -> Iterator[Screen]:
    """Open any ``Computer`` in a thread of its own."""
    with start_blocking_portal() as portal:
        manager: AbstractAsyncContextManager[Any] = computer
        with portal.wrap_async_context_manager(manager):
            yield Screen(computer, portal)


def browser(*args: Any, **options: Any) -> AbstractContextManager[Screen]:
    """Open a Chromium; the arguments are those of ``axstream.browser``, without what is Playwright's."""
    for name in ("page", "context", "browser"):
        if options.get(name) is not None:
            raise UsageError(
                f"a Playwright {name} lives in its own event loop: use the async axstream.browser({name}=…)"
            )
    return opened(api.browser(*args, **options))


def memory(*args: Any, **options: Any) -> AbstractContextManager[Screen]:
    """Open a memory desktop; the arguments are those of ``axstream.memory``."""
    return opened(api.memory(*args, **options))


@contextmanager
def run(task: str, screen: Screen, **options: Any) -> Iterator[BlockingRun]:
    """Run a task; the options are those of ``axstream.run``. Leaving early cancels it."""
    with screen._portal.wrap_async_context_manager(api.run(task, screen.computer, **options)) as running:
        yield BlockingRun(running, screen._portal)


def execute(chunks: Iterable[str] | Iterable[bytes], screen: Screen, **options: Any) -> Iterator[RunEvent]:
    """Perform one response as it comes; the options are those of ``axstream.execute``.

    ``chunks`` is read in a worker thread, so it may block.
    """
    return _pull(api.execute(_threaded(chunks), screen.computer, **options), screen._portal)


async def _threaded(chunks: Iterable[str] | Iterable[bytes]) -> AsyncIterator[str | bytes]:
    iterator = iter(chunks)
    end = object()
    try:
        while True:
            piece: Any = await anyio.to_thread.run_sync(next, iterator, end, abandon_on_cancel=True)
            if piece is end:
                return
            yield piece
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(_close, iterator, abandon_on_cancel=True)


def _close(iterator: object) -> None:
    """Close a stream as the async one is closed (E3). A file is its opener's; one that is being read ends by itself."""
    close = getattr(iterator, "close", None)
    if close is None or isinstance(iterator, io.IOBase):
        return
    try:
        close()
    except ValueError:  # a generator that is running in the thread that was left behind
        pass


def _pull(events: AsyncIterator[T], portal: BlockingPortal) -> Iterator[T]:
    end = object()
    turn = anyio.Lock()  # closing waits for a pull that was interrupted to be over

    async def step() -> Any:
        async with turn:
            return await anext(events, end)

    async def close() -> None:
        async with turn:
            aclose = getattr(events, "aclose", None)
            if aclose is not None:
                await aclose()

    try:
        while True:
            pulled = portal.start_task_soon(step)
            try:
                event = pulled.result()
            except BaseException:  # an interrupt reaches this thread only: the loop's side is told here
                pulled.cancel()
                raise
            if event is end:
                return
            yield event
    finally:
        try:
            portal.call(close)
        except RuntimeError:
            if _runs(portal):
                raise


def _runs(portal: BlockingPortal) -> bool:
    """Tell whether the computer's thread is still there; once it is gone all that ran in it has ended."""
    try:
        portal.call(bool)
    except RuntimeError:
        return False
    return True
