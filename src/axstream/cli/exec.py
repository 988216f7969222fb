"""``axstream exec``: perform a stream from a file or standard input, each line as it arrives; one burst, no loop."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from functools import partial

import anyio

from axstream.ax.ids import IdBook
from axstream.cli.check import NO_FENCE, UNCLOSED_THINK, open_input
from axstream.cli.ending import BROKEN, exit_code, print_result
from axstream.cli.gate import Gate, open_gate, warn
from axstream.cli.interrupts import Interrupts
from axstream.cli.opening import open_named
from axstream.cli.output import Output
from axstream.cli.running import run_until_signal
from axstream.cli.sinks import Sinks
from axstream.cli.source import pieces
from axstream.cli.terminal import Style, printable
from axstream.cli.view import View
from axstream.computer.base import Computer
from axstream.errors import AxstreamError
from axstream.runtime.api import execute_once
from axstream.runtime.burst import BurstResult, Limits
from axstream.runtime.executor import Executor
from axstream.runtime.pieces import RELEASE_LIMIT_S
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import Observation, RunEvent
from axstream.trace.writer import TraceWriter

#: A stopped burst lets go of all input and says its last words within this; then it is cut.
GRACE_S = RELEASE_LIMIT_S + 5.0
DEFAULT_MAX_ACTIONS = 200  # Z24


def execute(args: argparse.Namespace) -> int:
    """Perform the stream; return the exit code of its one burst (Z13)."""
    catalogue = Catalogue(spec=args.spec)
    computer = open_named(args)
    output = Output()
    view = None if args.json else make_view()
    fd = open_input(args.file)
    with ExitStack() as stack:
        gate = stack.enter_context(open_gate(args, view))
        trace = stack.enter_context(TraceWriter(args.trace, catalogue=catalogue)) if args.trace is not None else None
        if view is None:
            warn("exec", gate.notes)
        sinks = Sinks(catalogue, view=view, trace=trace, json=output if args.json else None)
        interrupts = Interrupts(output)
        burst = _Burst(args, computer, catalogue, gate, sinks, interrupts)
        code = run_until_signal(lambda: burst.perform(pieces(fd)), interrupts)
        return burst.conclude(output, code)


class _Burst:
    """One burst on its way through the executor, and what its end means for the command."""

    def __init__(
        self,
        args: argparse.Namespace,
        computer: Computer,
        catalogue: Catalogue,
        gate: Gate,
        sinks: Sinks,
        interrupts: Interrupts,
    ) -> None:
        self._args = args
        self._computer = computer
        self._catalogue = catalogue
        self._gate = gate
        self._sinks = sinks
        self._interrupts = interrupts
        self._result: BurstResult | None = None
        self._seen: Observation | None = None

    async def perform(self, chunks: AsyncIterator[bytes]) -> int:
        args, gate = self._args, self._gate
        async with self._computer as screen:
            executor = Executor(
                screen,
                catalogue=self._catalogue,
                policy=gate.policy,
                book=IdBook(),
                approve=gate.asker,
                emit=self._emit,
                reasoning=not args.keep_reasoning,
                tags=args.strict_tags,
                bare=args.bare,
            )
            with anyio.CancelScope() as scope:
                self._sinks.watch(partial(executor.cancel, stop="error"))
                self._interrupts.watch(stop_gently(executor.cancel, self._interrupts, scope))
                limits = Limits(actions=args.max_actions or DEFAULT_MAX_ACTIONS, seconds=args.max_seconds)
                self._result = await execute_once(
                    executor, screen, chunks, risky=gate.policy.risky, notes=gate.notes, limits=limits
                )
        return BROKEN if self._result is None else exit_code(self._result.stop, self._result.status)

    def conclude(self, output: Output, code: int) -> int:
        """Print what the burst left for standard output, and return the exit code."""
        if self._interrupts.caught is not None:
            return self._interrupts.exit_code
        if self._sinks.failure is not None:
            say_failure("exec", self._sinks.failure)
            return BROKEN
        result = self._result
        if result is None:
            return code
        if not result.fences and not self._args.bare and result.stop == "exhausted":
            warn("exec", (UNCLOSED_THINK if result.all_reasoning else no_fence(result.first_json),))
        if not self._args.json:
            if self._seen is not None and result.stop == "observe":
                output.text(printable(self._seen.outline, keep="\n").rstrip("\n") + "\n")
            print_result(output, result.result)
        return code

    def _emit(self, t: float, event: RunEvent) -> None:
        self._sinks.emit(t, event)
        if isinstance(event, Observation):
            self._seen = event


def no_fence(first_json: str | None) -> str:
    """Say that no fence opened, with the first line that looks like an action (Z21)."""
    quote = f"; this line looked like one: {printable(first_json, 120)}" if first_json is not None else ""
    return NO_FENCE.format("ran") + quote


def make_view() -> View:
    """Return the terminal view on standard error, in the styles that suit it."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    return View(Style.of(sys.stderr), unicode=encoding.lower().startswith("utf"))


def stop_gently(
    cancel: Callable[[str], object], interrupts: Interrupts, scope: anyio.CancelScope
) -> Callable[[], None]:
    """Return what a signal does to running work: ask it to end, and cut it where it does not within ``GRACE_S``."""

    def stop() -> None:
        cancel(interrupts.reason)
        asyncio.get_running_loop().call_later(GRACE_S, scope.cancel)

    return stop


def say_failure(command: str, failure: AxstreamError) -> None:
    """Say on standard error why the run was ended: its record or its output takes no more."""
    text = " ".join(str(failure).split())
    print(f"axstream {command}: {printable(text)}; the run was ended, all input is released", file=sys.stderr)
