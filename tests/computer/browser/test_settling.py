"""When an observation is taken: not before what an act began is there, and never later than the cap (O7)."""

from __future__ import annotations

import time

from axstream.computer.browser.settle import SETTLE_CAP_S
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import pairs


async def test_what_an_act_fetches_is_in_the_next_observation(show: OpenPage) -> None:
    driver = await show(
        "<button id=b>Load</button><script>$('b').onclick = async () => { await fetch('/slow?ms=300'); await fetch('/slow?ms=100');"
        "$('b').insertAdjacentHTML('afterend', '<p>arrived') }</script>"
    )
    await driver.computer.observe()
    await driver.click("button", "Load")
    assert ("text", "arrived") in pairs(await driver.computer.observe())


async def test_a_page_that_never_rests_is_observed_all_the_same(show: OpenPage) -> None:
    """Tickers are left out of the account; pollers are cut off at the cap."""
    ticker = await show("<p id=p>0<script>setInterval(() => $('p').firstChild.data++, 10)</script>")
    for _ in range(2):
        await ticker.computer.observe()
    poller = await show("<p>x<script>setInterval(() => fetch('/slow?ms=400'), 100)</script>")
    begun = time.monotonic()
    await poller.computer.observe()
    assert time.monotonic() - begun < SETTLE_CAP_S * 4  # a bound, and no measurement


async def test_a_page_that_is_still_drawing_is_waited_for(show: OpenPage) -> None:
    driver = await show(
        "<button id=b>Draw</button><ul id=l></ul><script>$('b').onclick = () => { let n = 0; const t = setInterval(() => {"
        "$('l').insertAdjacentHTML('beforeend', `<li>${++n}`); if (n === 12) clearInterval(t) }, 25) }</script>"
    )
    await driver.click("button", "Draw")
    assert ("text", "12") in pairs(await driver.computer.observe())
