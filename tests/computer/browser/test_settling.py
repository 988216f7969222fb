"""When an observation is taken: not before what an act began is there, and never later than the cap (O7)."""

from __future__ import annotations

import time

import pytest

from axstream.computer.browser.settle import LATE_S, SETTLE_CAP_S, UNSETTLED, before_observation
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs


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


#: What a click begins, and how the page says that it has come: facts, "Settling".
CASES = {
    "at once": "done()",
    "in a microtask": "queueMicrotask(done)",
    "in a frame": "requestAnimationFrame(() => requestAnimationFrame(done))",
    "fetch 300 ms": "fetch('/slow?ms=300').then(done)",
    "chain of fetches": "fetch('/slow?ms=120').then(() => fetch('/slow?ms=120')).then(() => fetch('/slow?ms=120')).then(done)",
    "timer 150 ms": "setTimeout(done, 150)",
    "timer after a fetch": "fetch('/slow?ms=200').then(() => setTimeout(done, 40))",
    "image": "{ const i = new Image(); i.onload = i.onerror = done; i.src = '/slow?ms=250' }",
    "frame of its own": "{ const f = document.createElement('iframe'); f.src = '/slow?ms=250'; f.onload = done; document.body.append(f) }",
    "ticker beside it": "{ setInterval(() => $('t').firstChild.data++, 10); fetch('/slow?ms=200').then(done) }",
    "poller beside it": "{ setInterval(() => fetch('/slow?ms=30'), 90); setTimeout(done, 150) }",
    "navigation": "location.href = '/slow?ms=200&arrived'",
    "form": "document.forms[0].submit()",
}


@pytest.mark.parametrize("case", CASES)
async def test_what_a_click_begins_is_in_the_observation_after_it(show: OpenPage, case: str) -> None:
    driver = await show(
        "<button id=b>Go</button><p id=t>0</p><p id=o></p><form action=/slow><input type=hidden name=ms value=200></form><script>"
        "const done = () => $('o').textContent = 'slow answer';"
        f"$('b').onclick = () => {{ {CASES[case]} }}</script>"
    )
    await driver.computer.observe()
    await driver.click("button", "Go")
    assert "slow answer" in str(pairs(await driver.computer.observe()))


async def test_a_panel_that_slides_in_is_observed_where_it_rests(show: OpenPage) -> None:
    driver = await show(
        "<style>nav{position:fixed;left:-300px;width:200px;transition:left .3s}.open{left:0}</style><nav id=n><button>Inbox</button>"
        "</nav><button onclick=\"$('n').classList.add('open')\" style='margin-left:300px'>Menu</button>"
    )
    await driver.click("button", "Menu")
    tree = await driver.computer.observe()
    box = next(node.box for node in tree.nodes if node.name == "Inbox")
    assert box is not None
    assert box.x >= 0


async def settled_s(driver: Driver) -> float:
    """Seconds that the wait before an observation took, as it tells itself."""
    return await before_observation(driver.computer.active_tab)


async def test_nothing_is_waited_for_that_is_there(show: OpenPage) -> None:
    """A page at rest, an act that has shown its effect, colours that fade: no wait but for the quiet after a change."""
    driver = await show(
        "<style>button{transition:background-color 5s, box-shadow 5s}button:hover{background-color:red;box-shadow:0 0 9px}</style>"
        "<button onclick='this.title += 1'>Touch</button><input aria-label=F><p id=spin>x</p><script>$('spin').animate("
        "[{opacity: 0}, {opacity: 1}], {duration: 900, iterations: Infinity})</script>"
    )
    await driver.computer.observe()
    waits = []
    for _ in range(5):
        waits.append(await settled_s(driver))
    assert min(waits) < 0.05
    waits = []
    for _ in range(5):
        await driver.click("button", "Touch")
        waits.append(await settled_s(driver))
    assert min(waits) < LATE_S  # a click that showed its effect is not waited out
    waits = []
    for n in range(5):
        await driver.fill("textbox", "F", str(n))
        waits.append(await settled_s(driver))
    assert min(waits) < LATE_S


async def test_an_act_that_shows_nothing_is_waited_out_once(show: OpenPage) -> None:
    driver = await show("<button>Nothing</button>")
    await driver.computer.observe()
    await driver.click("button", "Nothing")
    await driver.click("button", "Nothing")
    await settled_s(driver)
    assert time.monotonic() - driver.computer.active_tab.acted_at >= LATE_S
    assert min([await settled_s(driver) for _ in range(5)]) < LATE_S


async def test_a_page_that_is_still_loading_at_the_cap_says_so(show: OpenPage) -> None:
    driver = await show("<button onclick=\"fetch('/slow?ms=4000')\">Go</button>")
    await driver.click("button", "Go")
    tree = await driver.computer.observe()
    assert UNSETTLED in tree.notes
    assert UNSETTLED not in (await driver.tree()).notes
