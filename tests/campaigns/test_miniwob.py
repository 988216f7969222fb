"""A slice of the miniwob campaign: one task of each of some kinds, by its strategy, on a real Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

import axstream
from axstream.computer.browser.computer import BrowserComputer
from axstream.testing.serving import served
from campaigns.miniwob.playing import pages, play, task_names
from campaigns.miniwob.table import ALL_TASKS

pytestmark = pytest.mark.browser

SLICE = (
    "book-flight-nodelay",
    "choose-list",
    "click-checkboxes-large",
    "click-menu",
    "click-tab-2",
    "copy-paste-2",
    "login-user",
    "read-table-2",
    "simple-algebra",
    "use-slider-2",
)


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with served(pages()) as base:
        yield base


@pytest.fixture(scope="module")
async def screen(anyio_backend: str) -> AsyncIterator[BrowserComputer]:
    async with axstream.browser() as screen:
        yield screen


def test_the_package_has_all_its_tasks() -> None:
    assert len(task_names(pages())) == ALL_TASKS


@pytest.mark.parametrize("task", SLICE)
async def test_the_page_gives_the_full_reward(screen: BrowserComputer, base: str, task: str) -> None:
    played = await play(screen, base, task, seed=1)
    assert played.solved, "\n".join((played.why, *played.record))
