"""Navigation in the middle of a burst: the lines behind it resolve late, against the page that is there then (Z4, T6)."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

import axstream as ax
from axstream.trace.events import Ended, Executed
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

SECOND = "<title>Second</title><button onclick=\"said('second')\">Save</button>"
FIRST = "<title>First</title><button onclick=\"said('first')\">Save</button>"


def click(title: str) -> str:
    return json.dumps({"op": "click", "target": {"ax": {"title": title}}})


async def burst(driver: Driver, *lines: str) -> list[Any]:
    async def chunks() -> Any:
        yield "```jsonl\n" + "".join(line + "\n" for line in lines) + "```\n"

    return [event async for event in ax.execute(chunks(), driver.computer, policy=ax.Policy(risky="allow"))]


def ended(events: list[Any]) -> tuple[str, int]:
    last = events[-1]
    assert isinstance(last, Ended)
    return last.stop, sum(1 for event in events if isinstance(event, Executed))


WAYS = {
    "a link": '<a href="SECOND">Go</a>',
    "a form": '<form action="SECOND"><input name=q aria-label=Q><button>Go</button></form>',
    "a script": "<button onclick=\"location = 'SECOND'\">Go</button>",
    "a late script": "<button onclick=\"setTimeout(() => { location = 'SECOND' }, 100)\">Go</button>",
    "a refreshing page": '<a href="REFRESH">Go</a>',
    "a redirecting page": '<a href="REPLACE">Go</a>',
    "a new window": '<a href="SECOND" target=_blank>Go</a>',
}


@pytest.mark.parametrize("way", WAYS)
async def test_the_line_behind_a_navigation_acts_on_the_new_page(show: OpenPage, site: Site, way: str) -> None:
    second = site.add(SECOND)
    refresh = site.add(f"<title>Between</title><meta http-equiv=refresh content='0; url={second}'><p>wait")
    replace = site.add(f"<title>Between</title><script>location.replace('{second}')</script>")
    html = WAYS[way].replace("SECOND", second).replace("REFRESH", refresh).replace("REPLACE", replace)
    # The late ones and those by way of another page leave nothing of that name on the way.
    driver = await show(
        (FIRST if way in ("a link", "a form", "a script", "a new window") else "<title>First</title>") + html
    )
    assert ended(await burst(driver, click("Go"), click("Save"))) == ("exhausted", 2)
    await driver.logged("second")


async def test_the_lines_behind_going_back_act_on_the_page_before(show: OpenPage, site: Site) -> None:
    back = site.add("<title>Back</title><button onclick='history.back()'>Back</button>")
    driver = await show(FIRST + f'<a href="{back}">Go</a>')
    assert ended(await burst(driver, click("Go"), click("Back"), click("Save"))) == ("exhausted", 3)
    await driver.until(lambda: _title(driver, "First"))
    assert (await driver.log())[-1:] == ["first"]
    key = json.dumps({"op": "key", "keys": ["alt", "left"]})
    assert ended(await burst(driver, click("Go"), key, click("Save"))) == ("exhausted", 3)
    await driver.until(lambda: _title(driver, "First"))


async def _title(driver: Driver, title: str) -> bool:
    return (await driver.tree()).surface.title == title


async def test_a_slow_server_is_waited_for_by_the_line_that_needs_its_page(show: OpenPage, site: Site) -> None:
    site.gate.clear()
    second = site.add(SECOND)
    driver = await show(
        f"<title>First</title><button onclick=\"fetch('/gate').then(() => {{ location = '{second}' }})\">Go</button>"
    )
    threading.Timer(0.7, site.gate.set).start()
    assert ended(await burst(driver, click("Go"), click("Save"))) == ("exhausted", 2)
    await driver.logged("second")


async def test_what_was_typed_goes_to_the_page_that_is_there(show: OpenPage, site: Site) -> None:
    second = site.add("<title>Second</title><input aria-label=Name autofocus oninput='said(this.value)'>")
    driver = await show(
        f"<title>First</title><input aria-label=Name oninput='said(this.value)'><a href={second}>Go</a>"
    )
    typed = json.dumps({"op": "type", "text": "ada", "target": {"ax": {"title": "Name"}}})
    assert ended(await burst(driver, click("Go"), typed)) == ("exhausted", 2)
    assert (await driver.log())[-1] == "ada"
    assert (await driver.tree()).surface.title == "Second"


async def test_an_id_of_the_old_page_is_stale_on_the_new_one(show: OpenPage, site: Site) -> None:
    """T2: the same button on another page is another one."""
    driver = await show(FIRST + f"<a href={site.add(SECOND)}>Go</a>")
    seen = await ax.observe(driver.computer)
    [save] = [number for number, _, title in seen.elements if title == "Save"]
    stale = json.dumps({"op": "click", "target": {"ax": {"id": save}}})
    stop, executed = ended(await burst(driver, click("Go"), stale))
    assert (stop, executed) == ("aborted", 1)
    await driver.logged()
