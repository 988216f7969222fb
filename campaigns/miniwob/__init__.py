"""The 130 tasks of the package ``miniwob``, done by streams that are written from what is observed alone.

``python -m campaigns miniwob [--tasks a,b] [--seeds 1,2,3,4,5] [--load-only] [--show] [--write-report]``. Each episode is
begun with its seed by the campaign, which also reads the reward: its only two touches on a page's scripts. A *strategy*
gets what a model gets (the text of the observation, with the boxes of the elements that have an id), and answers with a
burst of lines, which the executor performs; then it gets the next observation. It is chosen by the words of the
instruction, and knows neither the page's name nor its sources.

A task counts as solved where the page gave the full reward for every seed.
"""

from __future__ import annotations

import argparse
import asyncio

from campaigns.miniwob.playing import pages, task_names
from campaigns.miniwob.running import campaign
from campaigns.miniwob.table import Table


def main(arguments: list[str]) -> int:
    """Run the campaign, print its table, return 0 where all is as claimed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns miniwob")
    parser.add_argument("--tasks", help="names, with commas between (default: all)")
    parser.add_argument("--seeds", default="1,2,3,4,5", help="numbers, with commas between (default: %(default)s)")
    parser.add_argument("--lanes", type=int, default=2, help="browsers side by side (default: %(default)s)")
    parser.add_argument("--load-only", action="store_true", help="load and observe each task, and do nothing")
    parser.add_argument("--show", action="store_true", help="print what was seen and done in what was not solved")
    parser.add_argument("--write-report", action="store_true", help="write docs/miniwob.md")
    given = parser.parse_args(arguments)
    names = task_names(pages())
    tasks = given.tasks.split(",") if given.tasks else names
    if unknown := [task for task in tasks if task not in names]:
        parser.error(f"no such task: {', '.join(unknown)}; they are {', '.join(names)}")
    seeds = [int(seed) for seed in given.seeds.split(",")]
    table = Table(whole=not given.tasks, act=not given.load_only, show=given.show)
    asyncio.run(campaign(tasks, seeds, given.lanes, table, act=not given.load_only))
    if given.write_report:
        table.write()
    return table.report()
