"""Run one coroutine as a command, so that signals stop it in order. No command's own rules are here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import anyio

from axstream.cli.interrupts import Interrupts
from axstream.errors import ComputerError


def run_until_signal(work: Callable[[], Awaitable[int]], interrupts: Interrupts) -> int:
    """Return what ``work`` returns; a signal cancels it, and its exit code is then the signal's.

    ``work`` may call ``interrupts.watch`` to be stopped more gently; what it returns then stands.
    """

    async def main() -> int:
        code: int | None = None
        with anyio.CancelScope() as scope:
            interrupts.watch(scope.cancel)
            code = await work()
        return interrupts.exit_code if code is None else code

    with interrupts:
        try:
            return asyncio.run(main())
        except BaseExceptionGroup as group:
            raise only_error(group) from group


def only_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the one error inside nested groups, else the group itself."""
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup) and len(inner.exceptions) == 1:
        inner = inner.exceptions[0]
    return inner


def computer_said(error: ComputerError) -> str:
    """Return an error of the computer as one line."""
    return " ".join(str(error).split()) or type(error).__name__
