"""What the command line lets happen: the policy from the options, and who is asked. No act is judged here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import msgspec

from axstream.cli.approve import TerminalAsker, open_asker
from axstream.cli.view import View
from axstream.policy import Policy
from axstream.policy.policy import RiskyMode

_NOBODY = "no terminal to ask on, so risky acts will be denied; --risky allow or --risky hold lets them through"


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A policy, the person who is asked (None: nobody), and what the start line must say (Z8)."""

    policy: Policy
    asker: TerminalAsker | None
    notes: tuple[str, ...]


@contextmanager
def open_gate(args: argparse.Namespace, view: View | None) -> Iterator[Gate]:
    """Yield the gate that ``--risky``, ``--ask-timeout`` and ``--upload`` mean; no ``--risky``: ask, or deny with no terminal."""
    wanted = cast("RiskyMode | None", args.risky)
    asker = open_asker(args.ask_timeout, view) if wanted in (None, "ask") else None
    nobody = wanted in (None, "ask") and asker is None
    policy = Policy(
        risky="deny" if nobody else wanted or "ask", ask_timeout_s=args.ask_timeout, uploads=tuple(args.upload)
    )
    try:
        yield Gate(policy=policy, asker=asker, notes=(_NOBODY,) if nobody else ())
    finally:
        if asker is not None:
            asker.close()


def warn(command: str, notes: tuple[str, ...]) -> None:
    """Say the notes on standard error, where no view shows them."""
    for note in notes:
        print(f"axstream {command}: {note}", file=sys.stderr, flush=True)
