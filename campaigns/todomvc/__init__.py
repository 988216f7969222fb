"""One and the same stream in the to-do applications of TodoMVC, which are built on dozens of different frameworks.

``python -m campaigns todomvc [--apps vue,react] [--write-report]``. The stream (``stream.jsonl``) adds three items, ticks
one, renames one, deletes one and goes through the filters, naming things as a person would. It is performed by the executor
as a model's response is, line by line; between its parts the page's own DOM is asked what came of it, through Playwright and
not through what axstream observes. Nothing outside loopback is asked for; what an application wants from there is refused
and counted.

The applications come from the package ``todomvc`` 0.1.1 on npm (11 MB, kept in the user's cache, checked by its hash).
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from campaigns.todomvc.apps import fetched
from campaigns.todomvc.report import REPORT, as_table, write_report
from campaigns.todomvc.running import Outcome, run_all

AIM = 15  # applications in which the whole stream works


def main(arguments: list[str]) -> int:
    """Run the campaign, print its table, return 0 where the stream works in at least ``AIM`` applications."""
    parser = argparse.ArgumentParser(prog="python -m campaigns todomvc")
    parser.add_argument("--apps", help="only these, comma-separated (default: all)")
    parser.add_argument("--write-report", action="store_true", help=f"write the result to {REPORT}")
    given = parser.parse_args(arguments)
    only = frozenset(given.apps.split(",")) if given.apps else None
    outcomes: list[Outcome] = asyncio.run(run_all(fetched(), only, say=print))
    print(as_table(outcomes))
    if given.write_report:
        write_report(Path(REPORT), outcomes)
    return 0 if only is not None or sum(outcome.works for outcome in outcomes) >= AIM else 1
