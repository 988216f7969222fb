"""One burst, performed while it is still being written: the only place where an action is performed (E1-E7, R2).

Theory: two tasks and a queue between them. The *reader* feeds chunks to the parser and puts each committed line into
the queue; a committed barrier closes the stream at once (Z20). The *performer* takes the lines in order, one at a
time, and is the only one that touches the computer. Either can end the burst; whichever way it ends, all input is
released and every committed line that did not run is recorded as discarded.

The two tasks are in ``burst_run``, with a table of what ends a burst.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Literal

import anyio

from axstream.ax.ids import IdBook
from axstream.computer.base import Computer, TakesFiles
from axstream.errors import ComputerError, UsageError
from axstream.policy import Approve, Policy, Uploads
from axstream.runtime.burst import QUEUE_LIMIT, BurstResult, Limits, Line
from axstream.runtime.burst_run import BurstRun
from axstream.runtime.performing import Performer
from axstream.runtime.pieces import RELEASE_LIMIT_S, Pieces, iterator_of
from axstream.runtime.targeting import RESOLVE_WAIT_S, Targeting
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import RunEvent
from axstream.wire.reader import ResponseReader

Cut = Literal["cancelled", "error"]


class Executor:
    """Performs bursts on one computer. One burst at a time.

    ``emit`` gets every event as it happens, with seconds since ``origin`` (default: when the executor was made); it is
    called in order and must not block. ``on_failure="continue"`` goes on behind a failed act (never behind a failed
    ``assert``, E2). ``clock`` and ``sleep`` are in seconds.
    """

    def __init__(
        self,
        computer: Computer,
        *,
        catalogue: Catalogue | None = None,
        policy: Policy | None = None,
        book: IdBook | None = None,
        approve: Approve | None = None,
        emit: Callable[[float, RunEvent], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        origin: float | None = None,
        on_failure: Literal["end", "continue"] = "end",
        resolve_wait: float = RESOLVE_WAIT_S,
        reasoning: bool = True,
        tags: frozenset[str] | None = None,
        bare: bool = False,
    ) -> None:
        if approve is not None and not callable(approve):
            raise UsageError(f"approve={approve!r} cannot be called: give a function that takes an ApprovalRequest")
        self.computer = computer
        self.catalogue = catalogue if catalogue is not None else Catalogue()
        self.book = book if book is not None else IdBook()
        self._emit = emit
        self._clock = clock
        self._origin = clock() if origin is None else origin
        self._on_failure = on_failure
        self._reasoning = reasoning
        self._tags = tags
        self.bare = bare
        policy = policy if policy is not None else Policy()
        self._uploads = Uploads(policy.uploads)
        targeting = Targeting(computer, self.book, clock=clock, sleep=sleep, wait=resolve_wait)
        self._performer = Performer(
            computer,
            catalogue=self.catalogue,
            policy=policy,
            approve=approve,
            targeting=targeting,
            book=self.book,
            say=self.say,
            clock=clock,
            sleep=sleep,
        )
        self._scope: anyio.CancelScope | None = None
        self._cancelled: str | None = None
        self._cut_as: Cut = "cancelled"

    def new_reader(self) -> ResponseReader:
        """Return a reader for one response, with this executor's options."""
        return ResponseReader(catalogue=self.catalogue, reasoning=self._reasoning, tags=self._tags, bare=self.bare)

    def say(self, event: RunEvent) -> None:
        """Send an event to ``emit``, stamped now."""
        if self._emit is not None:
            self._emit(self._clock() - self._origin, event)

    def cancel(self, reason: str = "cancelled by the caller", *, stop: Cut = "cancelled") -> None:
        """End the running burst (or the next, if none runs): input up, queue discarded (E5, Z20).

        ``stop="error"`` is for what nobody wished, such as a record that can be written no more (Z14).
        """
        self._cancelled, self._cut_as = reason, stop
        if self._scope is not None:
            self._scope.cancel()

    async def run_burst(self, chunks: Pieces, *, burst: int = 1, limits: Limits = Limits()) -> BurstResult:  # noqa: B008 - frozen
        """Perform one response as it arrives, and close it at its barrier.

        ``chunks`` is any async iterable of text, bytes or ``Chunk``; its ``aclose`` is awaited on every exit. The
        task's own cancellation passes through, after all input is released.
        """
        source = iterator_of(chunks)
        if isinstance(self.computer, TakesFiles):
            self.computer.allow_uploads(self._uploads)
        run = BurstRun(
            burst=burst,
            limits=limits,
            reader=self.new_reader(),
            performer=self._performer,
            encode=self.catalogue.encode,
            say=self.say,
            clock=self._clock,
            on_failure=self._on_failure,
            bare=self.bare,
        )
        send, receive = anyio.create_memory_object_stream[Line](QUEUE_LIMIT)
        started = self._clock()
        try:
            with anyio.CancelScope() as scope:
                self._scope = scope
                if limits.seconds is not None:
                    scope.deadline = anyio.current_time() + max(limits.seconds, 0.0)
                if self._cancelled is not None:
                    scope.cancel()
                try:
                    async with anyio.create_task_group() as tasks:
                        tasks.start_soon(run.read, chunks, source, send)
                        await run.perform_all(receive)
                        tasks.cancel_scope.cancel()
                except BaseExceptionGroup as group:
                    raise _only(group)
            if scope.cancelled_caught:
                if self._cancelled is not None:
                    run.cut(self._cut_as, self._cancelled)
                else:
                    run.cut("budget", f"the budget of {limits.seconds:g} seconds is used up")
        finally:
            self._scope, self._cancelled = None, None
            receive.close()
            try:
                with anyio.CancelScope(shield=True), anyio.move_on_after(RELEASE_LIMIT_S):
                    await self.computer.release_all()
            except ComputerError as error:
                run.fail(error)
            finally:
                run.discard_rest()
        return run.result(self._clock() - started)


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the one error in a group, so that callers can catch it by its class; the group where there are more."""
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup) and len(inner.exceptions) == 1:
        inner = inner.exceptions[0]
    return inner
