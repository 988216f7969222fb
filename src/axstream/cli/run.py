"""``axstream run``: a task, a computer and a model, in a loop until it is done; the result goes to standard output."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import msgspec

from axstream.cli.ending import BROKEN, exit_code, print_result
from axstream.cli.exec import make_view, say_failure, stop_gently
from axstream.cli.gate import open_gate
from axstream.cli.interrupts import Interrupts
from axstream.cli.opening import open_named
from axstream.cli.output import Output, OutputClosed
from axstream.cli.running import run_until_signal
from axstream.cli.sinks import Sinks
from axstream.computer.base import Computer
from axstream.errors import UsageError
from axstream.models.base import Model
from axstream.models.registry import open_model
from axstream.runtime.session import Budgets, Outcome, Session
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import Ended, RunEvent
from axstream.trace.writer import TraceWriter


def run(args: argparse.Namespace) -> int:
    """Run the task and print its result; return the exit code."""
    task = args.task.strip()
    if not task:
        raise UsageError("the task is empty: say in quotes what is to be done")
    catalogue = Catalogue(spec=args.spec)
    schema = read_schema(args.result_schema) if args.result_schema is not None else None
    computer = open_named(args)
    model = open_model(args.model, base_url=args.base_url, pace=args.pace, seed=args.seed, temperature=args.temperature)
    output, view = Output(), make_view()
    with ExitStack() as stack:
        gate = stack.enter_context(open_gate(args, view))
        sinks = Sinks(catalogue, view=view)
        ended: list[Ended] = []

        def emit(t: float, event: RunEvent) -> None:
            sinks.emit(t, event)
            if isinstance(event, Ended):
                ended.append(event)

        session = Session(
            task,
            computer,
            model,
            catalogue=catalogue,
            policy=gate.policy,
            approve=gate.asker,
            budgets=budgets(args),
            result=schema,
            emit=emit,
            seed=args.seed,
            temperature=args.temperature,
            grammar=not args.no_grammar,
            trace=args.trace,
            notes=gate.notes,
        )
        if args.trace is not None:  # last: a slip in the other arguments costs no older trace
            sinks.trace = stack.enter_context(TraceWriter(args.trace, catalogue=catalogue))
        interrupts = Interrupts(output)
        code = run_until_signal(lambda: _perform(session, computer, model, sinks, interrupts), interrupts)
        if interrupts.caught is not None:
            return interrupts.exit_code
        if sinks.failure is not None:
            say_failure("run", sinks.failure)
            return BROKEN
        try:
            print_result(output, ended[-1].result if ended else msgspec.UNSET)
        except OutputClosed as error:
            raise OutputClosed(f"{error}; the run ended, its result was not printed") from None
        return code


async def _perform(session: Session, computer: Computer, model: Model, sinks: Sinks, interrupts: Interrupts) -> int:
    outcome: Outcome | None = None
    try:
        async with computer:
            with anyio.CancelScope() as scope:
                sinks.watch(partial(session.cancel, stop="error"))
                interrupts.watch(stop_gently(session.cancel, interrupts, scope))
                outcome = await session.run()
    finally:
        with anyio.CancelScope(shield=True):
            await model.aclose()
    return BROKEN if outcome is None else exit_code(outcome.stop, outcome.status)


def budgets(args: argparse.Namespace) -> Budgets:
    """Return the budgets with those of the options in the place of the defaults (E6)."""
    names = {
        "bursts": args.max_bursts,
        "actions": args.max_actions,
        "seconds": args.max_seconds,
        "tokens": args.max_tokens,
    }
    return Budgets(**{name: value for name, value in names.items() if value is not None})


def read_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema in a file. Raises ``UsageError`` naming the line where it is not JSON."""
    try:
        value = json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the result schema {name}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the result schema {name} is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"the result schema {name}, line {error.lineno}, column {error.colno}: {error.msg}") from None
    if not isinstance(value, dict):
        raise UsageError(f'the result schema {name} holds no JSON object; a schema is one, as {{"type": "string"}}')
    return value
