"""The two tasks of one burst, and what ends it (E1-E5, Z1, Z7, Z20). How one act is performed is in ``performing``.

===================  ==========================================  =========================================
what ends it         what happens to lines already committed      stop
===================  ==========================================  =========================================
``observe``          those before it ran                          ``observe``
``done``             those before it ran                          ``done``
an act or assert     discarded (E2)                               ``aborted``
a denial             discarded                                    ``denied``
the text's own end   run; held ones only if it was whole (Z7)     ``exhausted``
a broken stream      run; held ones do not (Z20)                  ``interrupted``
``cancel()``, limit  discarded (Z20)                              ``cancelled``, ``budget``
the computer failed  discarded                                    ``error``
===================  ==========================================  =========================================
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal, assert_never

import anyio
import anyio.lowlevel
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from axstream.errors import ActionDenied, ActionError, AssertFailed, ComputerError, UsageError
from axstream.models.base import Chunk
from axstream.runtime.burst import QUEUE_LIMIT, BurstResult, Intake, Limits, Line
from axstream.runtime.performing import Performed, Performer
from axstream.runtime.pieces import Pieces, close_stream
from axstream.runtime.saying import one_line_of
from axstream.spec.actions import Action, Assert, Done, Observe
from axstream.trace.events import ChunkReceived, Committed, Denied, Discarded, Executed, Failed, RunEvent, Stop
from axstream.wire.events import Event
from axstream.wire.reader import ResponseReader

PAUSE_EVERY = 64  # pieces: a source that has everything ready must still let a cancellation through


class BurstRun:
    """The state of one running burst; made by the executor, used once."""

    def __init__(
        self,
        *,
        burst: int,
        limits: Limits,
        reader: ResponseReader,
        performer: Performer,
        encode: Callable[[Action], dict[str, Any]],
        say: Callable[[RunEvent], None],
        clock: Callable[[], float],
        on_failure: Literal["end", "continue"],
        bare: bool,
    ) -> None:
        self._burst = burst
        self._limits = limits
        self._parser = reader
        self._performer = performer
        self._encode = encode
        self._say = say
        self._clock = clock
        self._ends_on_failure = on_failure == "end"
        self._bare = bare
        self._intake = Intake(clock)
        self._started = clock()
        self._stop: Stop | None = None
        self._reason: str | None = None
        self._done: Done | None = None
        self._denied: str | None = None
        self._acts = 0
        self._executed = 0
        self._unread: deque[Event] = deque()
        self._waiting: dict[int, None] = {}  # lines committed and not yet dealt with, in order
        self._holding = False
        self._crowded = False  # the reader waits for room in the queue
        self._streams: list[object] = []
        self._spans: list[tuple[float, float]] = []
        self._first_effect: float | None = None

    # -- the reader --------------------------------------------------------------------------------------------

    async def read(self, chunks: Pieces, source: AsyncIterator[Any], send: MemoryObjectSendStream[Line]) -> None:
        """The reader: feed the parser until the text ends, breaks or commits a barrier; then close the stream."""
        intake = self._intake
        pieces = 0
        self._streams = [source] if source is chunks else [source, chunks]
        try:
            async with send:
                while not intake.barrier and self._stop is None:
                    try:
                        piece = await anext(source)
                    except StopAsyncIteration:
                        await self._take_all(self._parser.close(), send)
                        intake.end()
                        return
                    except Exception as error:  # the caller's iterable may raise anything: to us a broken stream (E4)
                        intake.break_off(one_line_of(error))
                        await self._take_all(self._parser.close(), send)
                        return
                    await self._take_all(self._parser.feed(self._unpack(piece)), send)
                    pieces += 1
                    if self._waiting or not pieces % PAUSE_EVERY:
                        await anyio.lowlevel.checkpoint()  # the source may never pause: let the performer work
        finally:
            await self._shut()

    async def _shut(self) -> None:
        """Close the stream, once: the provider stops generating (E3)."""
        while self._streams:
            await close_stream(self._streams.pop(0))

    def _unpack(self, piece: object) -> str | bytes:
        if isinstance(piece, str | bytes):
            if piece:
                shown = piece if isinstance(piece, str) else piece.decode("utf-8", "replace")
                self._say(ChunkReceived(burst=self._burst, text=shown))
            return piece
        if not isinstance(piece, Chunk):
            raise UsageError(f"a stream is made of str, bytes or Chunk, and this one gave {type(piece).__name__}")
        self._intake.usage = piece.usage or self._intake.usage
        self._intake.finish = piece.finish or self._intake.finish
        if piece.text or piece.reasoning:
            self._say(ChunkReceived(burst=self._burst, text=piece.text, reasoning=piece.reasoning))
        return piece.text

    async def _take_all(self, events: list[Event], send: MemoryObjectSendStream[Line]) -> None:
        self._unread.extend(events)
        while self._unread:
            await self._take(self._unread.popleft(), send)

    def _record(self, event: Event) -> Line | None:
        """Say an event and, for an action, that its newline is in; return the line."""
        self._say(event)
        line = self._intake.note(event)
        if line is not None:
            encoded = self._encode(line.action)
            self._say(Committed(line=line.line, burst=self._burst, action=encoded))
        return line

    async def _take(self, event: Event, send: MemoryObjectSendStream[Line]) -> None:
        line = self._record(event)
        if line is None:
            return
        if self._intake.barrier or self._stop is not None:
            self._discard(line.line, "it stands behind a barrier" if self._intake.barrier else "the burst has ended")
            return
        self._waiting[line.line] = None
        barrier = isinstance(line.action, Observe | Done)
        if barrier:
            self._intake.commit_barrier()
        try:
            send.send_nowait(line)
        except anyio.WouldBlock:
            if barrier:
                await self._shut()  # now, and not when there is room (Z20)
            elif self._holding:
                self._give_up_holding()
                return
            self._crowded = True
            await send.send(line)
            self._crowded = False
        except anyio.BrokenResourceError:
            return  # the performer is done; the line is discarded with the rest

    def _give_up_holding(self) -> None:
        """Z1: nobody will make room, and the text will never be complete."""
        why = f"{QUEUE_LIMIT} lines wait behind a held one"
        self._intake.break_off(why)
        self.end("aborted", f"{why}; put observe after a risky line")

    # -- the performer -----------------------------------------------------------------------------------------

    async def perform_all(self, receive: MemoryObjectReceiveStream[Line]) -> None:
        """The performer: deal with committed lines in order until one of them, or the text, ends the burst."""
        caution: str | None = None
        async for line in receive:
            if self._stop is not None:
                break
            if line.fence_ended:
                caution = None
            if line.lost is not None:
                caution = f"line {line.lost.line} before it was rejected and may have been the one that moved the focus"
            if isinstance(line.action, Observe | Done):
                self._barrier(line, line.action)
                return
            begun = self._clock()
            try:
                performed = await self._one(line, caution)
            except ActionDenied as error:
                self._deny(line, error)
                return
            except ActionError as error:
                self._fail(line, error, begun)
                if self._on_failure(line):
                    return
                continue
            except ComputerError as error:
                self._fail(line, error, begun)
                self.end("error", one_line_of(error))
                return
            except anyio.get_cancelled_exc_class():
                if self._performer.delivering:
                    self._waiting.pop(line.line, None)
                    self._say_cut(line, begun)
                raise
            if performed is None:
                return
            self._success(line, performed, begun)
            if performed.moves_focus:
                caution = None
        if self._stop is None:
            self._text_ended()

    def _on_failure(self, line: Line) -> bool:
        return self._ends_on_failure or isinstance(line.action, Assert)

    async def _one(self, line: Line, caution: str | None) -> Performed | None:
        """Perform one line. None where it ended the burst without a failure of its own (a budget, a hold in vain)."""
        action = line.action
        if isinstance(action, Observe | Done):
            raise AssertionError("barriers are not performed")
        if isinstance(action, Assert):
            return await self._performer.check(action)
        if self._limits.actions is not None and self._acts >= self._limits.actions:
            self.end("budget", f"the budget of {self._limits.actions} actions is used up")
            return None
        self._acts += 1
        return await self._performer.act(line, action, caution=caution, burst=self._burst, hold=self._hold)

    async def _hold(self) -> str | None:
        """Wait until the text is complete. None if held lines may run now, else why not (R2, Z7)."""
        self._holding = True
        try:
            await anyio.lowlevel.checkpoint()  # the reader may have got the room that this line left
            if self._crowded and not self._intake.settled.is_set():
                self._give_up_holding()
            await self._intake.settled.wait()
        finally:
            self._holding = False
        if self._intake.complete:
            return None
        self._text_ended()
        return self._reason or "the stream was not complete"

    def _barrier(self, line: Line, action: Observe | Done) -> None:
        self._waiting.pop(line.line, None)
        match action:
            case Observe():
                self.end("observe", None)
            case Done():
                self._done = action
                self.end("done", action.reason)
            case _:
                assert_never(action)
        self._say(Executed(line=line.line, burst=self._burst, notes=_ignored(line)))

    def _success(self, line: Line, performed: Performed, begun: float) -> None:
        now = self._clock()
        self._waiting.pop(line.line, None)
        if not isinstance(line.action, Assert):
            self._executed += 1
        if self._first_effect is None:
            self._first_effect = now - self._started
        self._spans.append((begun + performed.waited_s, now))
        self._say(
            Executed(
                line=line.line,
                burst=self._burst,
                ms=_ms(now - begun - performed.waited_s),
                resolve_ms=_ms(performed.resolve_s),
                element=performed.element,
                to=performed.to,
                effect=performed.effect,
                notes=performed.notes + _ignored(line),
                risky=performed.risky,
                streaming=self._intake.ended_at is None,
            )
        )

    def _fail(self, line: Line, error: ActionError | ComputerError, begun: float) -> None:
        now = self._clock()
        self._waiting.pop(line.line, None)
        self._spans.append((begun, now))
        message = one_line_of(error)
        self._say(
            Failed(
                line=line.line,
                burst=self._burst,
                error=type(error).__name__,
                message=message,
                ms=_ms(now - begun),
                element=self._performer.last_element,
            )
        )
        if isinstance(error, AssertFailed) or (isinstance(error, ActionError) and self._ends_on_failure):
            self.end("aborted", message)

    def _say_cut(self, line: Line, begun: float) -> None:
        self._say(
            Failed(
                line=line.line,
                burst=self._burst,
                error="Cancelled",
                message="cut short in the middle; every key and button is up",
                ms=_ms(self._clock() - begun),
                element=self._performer.last_element,
            )
        )

    def _deny(self, line: Line, error: ActionDenied) -> None:
        self._waiting.pop(line.line, None)
        self._denied = one_line_of(error)
        self._say(
            Denied(
                line=line.line,
                burst=self._burst,
                message=self._denied,
                why=self._performer.last_reasons,
                element=self._performer.last_element,
            )
        )
        self.end("denied", self._denied)

    def _text_ended(self) -> None:
        intake = self._intake
        if intake.broken is not None:
            self.end("interrupted", intake.broken)
        elif intake.finish not in (None, "stop"):
            self.end("exhausted", f"the answer ended early ({intake.finish}), with no observe and no done")
        elif self._parser.in_reasoning:
            self.end("exhausted", "all of the answer was reasoning: its <think> was never closed")
        elif intake.fences == 0 and not self._bare:
            self.end("exhausted", "the answer held no fenced block of actions")
        elif intake.truncated:
            self.end("exhausted", "the answer ended in the middle of a line, which did not run")
        else:
            self.end("exhausted", "the answer ended with no observe and no done")

    # -- the end -----------------------------------------------------------------------------------------------

    def end(self, stop: Stop, reason: str | None) -> None:
        """Record how the burst ended; the first one stands."""
        if self._stop is None:
            self._stop, self._reason = stop, reason

    def cut(self, stop: Stop, reason: str) -> None:
        """Record that the burst was cut from outside, whatever it was about to end as; a barrier stands."""
        if self._stop not in ("done", "observe"):
            self._stop, self._reason = stop, reason

    def fail(self, error: ComputerError) -> None:
        """Record that the computer could not even let go: whatever the burst did, it is not known to be up (E5)."""
        self._stop, self._reason = "error", one_line_of(error)

    def _discard(self, line: int, why: str) -> None:
        self._say(Discarded(line=line, burst=self._burst, why=why))

    def discard_rest(self) -> None:
        """Record every committed line that did not run, and what the reader had not looked at yet."""
        why = f"the burst ended before it ({self._stop or 'cancelled'})"
        for number in self._waiting:
            self._discard(number, why)
        self._waiting.clear()
        while self._unread:  # the reader was stopped in the middle of a chunk: what was in it is recorded all the same
            line = self._record(self._unread.popleft())
            if line is not None:
                self._discard(line.line, why)

    def result(self, seconds: float) -> BurstResult:
        """Return how the burst ended; ``seconds`` is its wall time."""
        ended_at = self._intake.ended_at if self._intake.ended_at is not None else self._clock()
        return BurstResult(
            stop=self._stop or "cancelled",
            status=self._done.status if self._done is not None else None,
            reason=self._reason,
            result=self._done.result if self._done is not None else msgspec.UNSET,
            acts=self._acts,
            executed=self._executed,
            rejected=self._intake.rejected,
            fences=self._intake.fences,
            denied=self._denied,
            seconds=seconds,
            execution_s=sum(end - begin for begin, end in self._spans),
            overlap_s=sum(max(0.0, min(end, ended_at) - begin) for begin, end in self._spans),
            first_effect_s=self._first_effect,
            usage=self._intake.usage,
            finish=self._intake.finish,
            first_json=self._intake.first_json,
            all_reasoning=self._parser.in_reasoning,
        )


def _ignored(line: Line) -> tuple[str, ...]:
    return (f"ignored: {', '.join(line.ignored)}",) if line.ignored else ()


def _ms(seconds: float) -> float:
    return round(max(seconds, 0.0) * 1000, 3)
