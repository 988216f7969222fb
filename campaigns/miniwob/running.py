"""Runs episodes over some browsers side by side. What happens in one is in ``playing``."""

from __future__ import annotations

import asyncio

import axstream
from axstream.testing.serving import served
from campaigns.miniwob.playing import pages, play
from campaigns.miniwob.table import Table


async def campaign(tasks: list[str], seeds: list[int], lanes: int, table: Table, *, act: bool) -> None:
    """Play each task with each seed, a task's seeds one after the other on one browser."""
    left = iter(tasks)
    with served(pages()) as base:

        async def lane() -> None:
            async with axstream.browser() as screen:
                for task in left:
                    table.add([await play(screen, base, task, seed, act=act) for seed in seeds])

        async with asyncio.TaskGroup() as group:
            for _ in range(min(lanes, len(tasks))):
                group.create_task(lane())
