"""The memory computer passes the contract suite, in virtual time and in real time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from axstream.ax.narrowing import may_matter, part_of
from axstream.ax.node import Tree
from axstream.computer.memory import MemoryComputer
from axstream.spec.targets import Ax
from axstream.testing.probe import Check
from axstream.testing.suite import CHECKS
from tests.computer.memory.scene_fixture import MemoryFixture


class Sparing(MemoryComputer):
    """Gives no more candidates than it must."""

    async def candidates(self, ax: Ax, *, whole: bool = False, known: Sequence[str] = ()) -> Tree:
        tree = await super().candidates(ax, whole=True)
        return tree if whole else part_of(tree, may_matter(tree, ax))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_memory_keeps_the_contract_in_virtual_time(check: Check) -> None:
    await check(MemoryFixture(virtual=True))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_memory_keeps_the_contract_in_real_time(check: Check) -> None:
    await check(MemoryFixture(virtual=False))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_the_least_that_candidates_may_hold_is_enough(check: Check) -> None:
    """Z27: a backend that narrows as far as it is allowed finds the same elements."""
    await check(MemoryFixture(virtual=True, kind=Sparing))
