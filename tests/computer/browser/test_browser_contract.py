"""The browser passes the contract suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from axstream.testing.probe import Check
from axstream.testing.suite import CHECKS
from tests.computer.browser.gallery import Site
from tests.computer.browser.scene_fixture import BrowserFixture

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_the_browser_keeps_the_contract(check: Check, chromium: Browser, site: Site) -> None:
    await check(BrowserFixture(chromium, site))
