"""The loop: observe, prompt, stream, perform, again, until the task is done or a budget is (E4, E6, O5, Z13).

No provider and no platform here; one burst is the executor's.
"""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import Any, Literal, TypeVar

import anyio
import msgspec

import axstream
from axstream.ax.ids import IdBook
from axstream.ax.outline import Outline, outline
from axstream.computer.base import Computer
from axstream.errors import ComputerError, ModelError, RateLimited
from axstream.models.base import Chunk, Grammar, Model, Prompt, Usage
from axstream.policy import Approve, Policy
from axstream.runtime import few_shot
from axstream.runtime.baseline import Baseline
from axstream.runtime.burst import BurstResult, Limits
from axstream.runtime.counting import Counter
from axstream.runtime.executor import Cut, Executor
from axstream.runtime.history import History
from axstream.runtime.observing import observation_event
from axstream.runtime.prompt import Since, build_messages
from axstream.runtime.results import ResultShape
from axstream.runtime.saying import one_line_of
from axstream.spec.catalogue import Catalogue
from axstream.spec.grammar import Narrow, make_grammar
from axstream.trace.events import BurstEnded, Ended, Note, PromptSent, RunEvent, Started, Stop

T = TypeVar("T")

IDLE_BURSTS = 3  # Z13: this many bursts without an executed act end the run
SAME_DENIALS = 2  # Z13: the same denial so often ends the run
MODEL_TRIES = 4  # E4: how often one answer is asked for before its first piece came
FIRST_BACKOFF_S = 1.0
LAST_BACKOFF_S = 30.0
RETRY_AFTER_CAP_S = 60.0  # a provider that asks for more is better told to the caller than waited for


class Budgets(msgspec.Struct, frozen=True, kw_only=True):
    """What a run may use (E6, Z24); None is no limit. ``seconds`` are wall seconds, ``tokens`` prompt and answer."""

    bursts: int | None = 25
    actions: int | None = 200
    seconds: float | None = 600.0
    tokens: int | None = 200_000
    answer_tokens: int = 2048


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended. ``result`` is the answer (N1), None where there is none; times in seconds.

    ``actions`` counts the acts that were performed. ``overlap`` is the share of the time in which actions ran that lay within the model's generation, 0 to 1.
    """

    stop: Stop
    status: Literal["success", "failure"] | None
    reason: str | None
    result: Any = None
    usage: Usage = Usage()
    bursts: int = 0
    actions: int = 0
    seconds: float = 0.0
    overlap: float = 0.0
    trace: str | None = None


class Session:
    """One task on one computer with one model. ``run()`` once; ``cancel()`` from anywhere in the same event loop."""

    def __init__(
        self,
        task: str,
        computer: Computer,
        model: Model,
        *,
        catalogue: Catalogue | None = None,
        policy: Policy | None = None,
        approve: Approve | None = None,
        budgets: Budgets | None = None,
        result: type[Any] | Mapping[str, Any] | None = None,
        emit: Callable[[float, RunEvent], None] | None = None,
        book: IdBook | None = None,
        seed: int | None = None,
        temperature: float | None = None,
        grammar: bool = True,
        differences: bool = True,
        trace: str | None = None,
        notes: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._task = task
        self._computer = computer
        self._model = model
        self._catalogue = catalogue if catalogue is not None else Catalogue()
        self._policy = policy if policy is not None else Policy()
        self._budgets = budgets if budgets is not None else Budgets()
        self._shape = ResultShape(result) if result is not None else None
        self._book = book if book is not None else IdBook()
        self._seed = seed
        self._temperature = temperature
        self._grammar = grammar
        # Very small models cannot put two screens together.
        self._baseline = Baseline() if differences and not model.few_shot else None
        self._base_history: tuple[str, ...] = ()  # as it stood in the prompt of the last whole screen
        self._base_count = 0
        self._trace = trace
        self._notes = notes
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._history = History()
        self._sink = emit
        self._executor = Executor(
            computer,
            catalogue=self._catalogue,
            policy=self._policy,
            book=self._book,
            approve=approve,
            emit=self._take,
            clock=clock,
            sleep=sleep,
        )
        self._origin = clock()
        self._scope: anyio.CancelScope | None = None
        self._cancelled: str | None = None
        self._cut_as: Cut = "cancelled"
        self._model_error: ModelError | None = None
        self._bursts = 0
        self._acts = 0
        self._executed = 0
        self._usage = Usage()
        self._execution_s = 0.0
        self._overlap_s = 0.0

    def cancel(self, reason: str = "cancelled by the caller", *, stop: Cut = "cancelled") -> None:
        """End the run as ``cancelled`` or ``error``: the burst in flight stops, all input is released (E5)."""
        self._cancelled, self._cut_as = reason, stop
        self._executor.cancel(reason, stop=stop)
        if self._scope is not None:
            self._scope.cancel()

    async def run(self) -> Outcome:
        """Run the task to its end and return how it ended. Errors of computer and model end it as ``error`` (Z14)."""
        self._say(
            Started(
                version=axstream.__version__,
                spec=self._catalogue.spec,
                computer=self._computer.kind,
                model=self._model.name,
                task=self._task,
                risky=self._policy.risky,
                notes=self._notes,
            )
        )
        try:
            ended = await self._loop()
        except ComputerError as error:
            ended = BurstResult(stop="error", reason=one_line_of(error))
        return self._finish(ended)

    async def _loop(self) -> BurstResult:
        idle, denials, questioned = 0, dict[str, int](), False
        while True:
            over = self._over_budget()
            if over is not None:
                return BurstResult(stop="budget", reason=over)
            result = await self._burst()
            if self._cancelled is not None or result.stop in ("cancelled", "budget", "error"):
                return result
            if self._model_error is not None:
                return BurstResult(stop="error", reason=one_line_of(self._model_error))
            if result.stop == "done":
                checked = await self._guarded(self._result_problem(result))
                if isinstance(checked, BurstResult):
                    return checked
                (problem,) = checked
                if problem is None:
                    return result
                if questioned:
                    return msgspec.structs.replace(result, status="failure", reason=problem, result=msgspec.UNSET)
                questioned = True
                self._history.tell(f"note: {problem}; send done again with a result that fits")
                continue
            if result.denied is not None:
                denials[result.denied] = denials.get(result.denied, 0) + 1
                if denials[result.denied] >= SAME_DENIALS:
                    return msgspec.structs.replace(result, reason=f"denied {SAME_DENIALS} times: {result.denied}")
            idle = 0 if result.executed else idle + 1
            if idle >= IDLE_BURSTS:
                why = f"{IDLE_BURSTS} bursts in a row executed no action"
                stop: Stop = "aborted" if result.stop in ("observe", "denied") else result.stop  # Z13: exit 3
                return msgspec.structs.replace(
                    result, stop=stop, reason=f"{why}; the last: {result.reason or result.stop}"
                )

    async def _result_problem(self, result: BurstResult) -> str | None:
        if self._shape is None or result.status != "success":
            return None
        return await self._shape.problem(result.result)

    def _over_budget(self) -> str | None:
        budgets, used = self._budgets, self._clock() - self._origin
        tokens = self._usage.prompt_tokens + self._usage.completion_tokens
        if budgets.bursts is not None and self._bursts >= budgets.bursts:
            return f"the budget of {budgets.bursts} bursts is used up"
        if budgets.actions is not None and self._acts >= budgets.actions:
            return f"the budget of {budgets.actions} actions is used up"
        if budgets.seconds is not None and used >= budgets.seconds:
            return f"the budget of {budgets.seconds:g} seconds is used up"
        if budgets.tokens is not None and tokens >= budgets.tokens:
            return f"the budget of {budgets.tokens} tokens is used up"
        return None

    # -- one burst ---------------------------------------------------------------------------------------------

    async def _burst(self) -> BurstResult:
        self._bursts += 1
        number = self._bursts
        observed = await self._guarded(self._observe(number))
        if isinstance(observed, BurstResult):
            return observed
        ((seen, changed),) = observed
        prompt = self._prompt(seen, changed)
        self._say(PromptSent(burst=number, messages=tuple((m.role, m.content) for m in prompt.messages)))
        counted = Counter(prompt.messages)
        actions_left = None if self._budgets.actions is None else self._budgets.actions - self._acts
        result = await self._executor.run_burst(
            self._answer(prompt, counted, number),
            burst=number,
            limits=Limits(actions=actions_left, seconds=self._seconds_left()),
        )
        if result.stop == "budget":  # it knows what was left for it, the caller what was given
            result = msgspec.structs.replace(result, reason=self._used_up(result, counted))
        usage = result.usage if result.usage is not None else counted.estimate()
        self._count(result, usage)
        self._say(
            BurstEnded(
                burst=number,
                stop=result.stop,
                reason=result.reason,
                executed=result.executed,
                rejected=result.rejected,
                seconds=round(result.seconds, 6),
                execution_s=round(result.execution_s, 6),
                overlap_s=round(result.overlap_s, 6),
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
            )
        )
        return result

    def _seconds_left(self) -> float | None:
        return None if self._budgets.seconds is None else self._budgets.seconds - (self._clock() - self._origin)

    def _used_up(self, result: BurstResult, counted: Counter) -> str:
        budgets = self._budgets
        if budgets.actions is not None and self._acts + result.acts >= budgets.actions:
            return f"the budget of {budgets.actions} actions is used up"
        silent = "" if counted.spoke else "; the model had sent nothing yet"
        return f"the budget of {budgets.seconds:g} seconds is used up{silent}"

    async def _guarded(self, work: Coroutine[Any, Any, T]) -> tuple[T] | BurstResult:
        """Await work between bursts within the budget of seconds, open to ``cancel``: its value, or how it was cut."""
        left_s = self._seconds_left()
        done: tuple[T] | None = None
        with anyio.CancelScope() as scope:
            self._scope = scope
            if left_s is not None:
                scope.deadline = anyio.current_time() + max(left_s, 0.0)
            if self._cancelled is not None:
                scope.cancel()
            done = (await work,)
        self._scope = None
        if done is not None:
            return done
        if self._cancelled is not None:
            return BurstResult(stop=self._cut_as, reason=self._cancelled)
        return BurstResult(stop="budget", reason=f"the budget of {self._budgets.seconds:g} seconds is used up")

    async def _observe(self, number: int) -> tuple[Outline, str | None]:
        """Return the screen, and what changed on it where that is to be sent (O3)."""
        begun = self._clock()
        tree = await self._computer.observe()
        seen = outline(tree, self._book)
        changed = self._baseline.changes_to(seen) if self._baseline is not None else None
        taken = self._clock() - begun
        self._say(observation_event(tree, seen, self._book, burst=number, seconds=taken, changes=changed))
        return seen, changed

    def _prompt(self, seen: Outline, changed: str | None) -> Prompt:
        whole, since = seen, None
        if changed is None:
            self._base_history, self._base_count = self._history.lines(), self._history.count
        elif self._baseline is not None and self._baseline.whole is not None:
            whole = self._baseline.whole
            since = Since(history=self._history.lines(self._base_count), changes=changed)
        messages = build_messages(
            catalogue=self._catalogue,
            task=self._task,
            outline=whole,
            history=self._base_history,
            result_schema=self._shape.schema if self._shape is not None else None,
            few_shot=self._model.few_shot,
            since=since,
        )
        grammar: Grammar | None = None
        if self._grammar and self._model.takes_grammar:
            small = self._model.few_shot
            narrow = Narrow(
                ids=() if small else seen.ids,
                pairs=seen.pairs,
                max_lines=few_shot.MAX_LINES if small else None,
                narration=not small,
                result=self._shape.schema if self._shape is not None else None,
            )
            made = make_grammar(self._catalogue, narrow)
            grammar = Grammar(gbnf=made.gbnf, lark=made.lark)
        return Prompt(
            messages=messages,
            grammar=grammar,
            max_tokens=min(self._budgets.answer_tokens, few_shot.MAX_TOKENS)
            if self._model.few_shot
            else self._budgets.answer_tokens,
            temperature=self._temperature,
            seed=self._seed,
        )

    async def _answer(self, prompt: Prompt, counted: Counter, burst: int) -> AsyncIterator[Chunk]:
        """Stream one answer, asking again with back-off while nothing of it has come (E4)."""
        for attempt in range(1, MODEL_TRIES + 1):
            begun = False
            try:
                async with self._model.stream(prompt) as pieces:
                    async for piece in pieces:
                        begun = begun or bool(piece.text or piece.reasoning)
                        counted.add(piece)
                        yield piece
                return
            except ModelError as error:
                if begun:
                    raise
                if not error.retry or attempt == MODEL_TRIES:
                    self._model_error = error
                    raise
                pause = self._pause(error, attempt)
                if pause > RETRY_AFTER_CAP_S:
                    self._model_error = RateLimited(f"{one_line_of(error)} (it asks to wait {pause:g} s)", pause)
                    raise
                self._say(
                    Note(
                        burst=burst,
                        text=f"the model did not answer ({one_line_of(error)}); asking again in {pause:.1f} s",
                    )
                )
                await self._sleep(pause)

    def _pause(self, error: ModelError, attempt: int) -> float:
        if isinstance(error, RateLimited) and error.retry_after is not None:
            return error.retry_after
        longest = min(FIRST_BACKOFF_S * 2.0 ** (attempt - 1), LAST_BACKOFF_S)
        return longest * (0.5 + self._jitter() / 2)

    # -- accounts ----------------------------------------------------------------------------------------------

    def _count(self, result: BurstResult, usage: Usage) -> None:
        self._acts += result.acts
        self._executed += result.executed
        self._execution_s += result.execution_s
        self._overlap_s += result.overlap_s
        self._usage = Usage(
            prompt_tokens=self._usage.prompt_tokens + usage.prompt_tokens,
            completion_tokens=self._usage.completion_tokens + usage.completion_tokens,
            exact=self._usage.exact and usage.exact,
        )

    def _finish(self, result: BurstResult) -> Outcome:
        stop: Stop = self._cut_as if self._cancelled is not None and result.stop != "done" else result.stop
        answer = result.result
        if self._shape is not None and answer is not msgspec.UNSET and result.status == "success":
            answer = self._shape.read(answer)
        outcome = Outcome(
            stop=stop,
            status=result.status,
            reason=result.reason,
            result=None if answer is msgspec.UNSET else answer,
            usage=self._usage,
            bursts=self._bursts,
            actions=self._executed,
            seconds=self._clock() - self._origin,
            overlap=self._overlap_s / self._execution_s if self._execution_s else 0.0,
            trace=self._trace,
        )
        self._say(
            Ended(
                stop=outcome.stop,
                status=outcome.status,
                reason=outcome.reason,
                result=result.result,
                bursts=outcome.bursts,
                actions=outcome.actions,
                seconds=round(outcome.seconds, 6),
                overlap=round(outcome.overlap, 4),
            )
        )
        return outcome

    def _say(self, event: RunEvent) -> None:
        self._executor.say(event)

    def _take(self, seconds: float, event: RunEvent) -> None:
        self._history.take(event)
        if self._sink is not None:
            self._sink(seconds, event)
