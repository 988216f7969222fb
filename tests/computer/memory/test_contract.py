"""The memory computer passes the contract suite, in virtual time and in real time."""

from __future__ import annotations

import pytest

from axstream.testing.probe import Check
from axstream.testing.suite import CHECKS
from tests.computer.memory.scene_fixture import MemoryFixture


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_memory_keeps_the_contract_in_virtual_time(check: Check) -> None:
    await check(MemoryFixture(virtual=True))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_memory_keeps_the_contract_in_real_time(check: Check) -> None:
    await check(MemoryFixture(virtual=False))
