"""Between finding an element and pressing it a page may do anything: the press is on what was meant, or on nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from axstream.ax.ids import IdBook
from axstream.ax.outline import outline
from axstream.computer.base import ClickAt
from axstream.errors import TargetSlipped
from axstream.policy import Policy
from axstream.runtime.executor import Executor
from axstream.trace.events import Executed, Failed, RunEvent
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver

#: Says what every press and click came to, by the words in it; what the page does with ``once`` comes first.
LISTEN = """<style>body{margin:20px}</style><script>
const once = (type, what) => addEventListener(type, what, { capture: true, once: true });
for (const type of ["pointerdown", "click", "dblclick"])
  document.addEventListener(type, (event) => said(type, event.target.closest("[data-k]")?.dataset.k ?? event.target.localName));
</script>"""


class Hand:
    """An executor with a book of its own; the page was observed when it is made."""

    def __init__(self, page: Driver, **options: Any) -> None:
        self.page = page
        self.book = IdBook()
        self.events: list[RunEvent] = []
        self.executor = Executor(
            page.computer,
            policy=Policy(risky="allow"),
            book=self.book,
            emit=lambda _, event: self.events.append(event),
            bare=True,
            **options,
        )

    async def see(self) -> dict[str, list[str]]:
        """Observe, and return ids by name."""
        seen = outline(await self.page.computer.observe(), self.book)
        ids: dict[str, list[str]] = {}
        for number, _, name in seen.elements:
            ids.setdefault(name, []).append(number)
        return ids

    async def act(self, line: str) -> Executed | Failed:
        async def lines() -> AsyncIterator[str]:
            yield line + "\n"

        await self.executor.run_burst(lines())
        return next(event for event in reversed(self.events) if isinstance(event, Executed | Failed))


async def test_an_element_that_moves_away_as_the_pointer_comes_is_pressed_where_it_is_then(show: OpenPage) -> None:
    page = await show(
        LISTEN + "<div id=pad></div><button data-k=save>Save</button> <button data-k=delete>Delete</button>"
        "<script>once('pointermove', () => $('pad').style.height = '24px')</script>"
    )
    hand = Hand(page)
    done = await hand.act('{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}')
    assert isinstance(done, Executed)
    await page.logged("pointerdown save", "click save")


async def test_a_neighbour_that_takes_the_place_as_the_pointer_comes_is_not_pressed(show: OpenPage) -> None:
    page = await show(
        LISTEN + "<div id=box><button data-k=save>Save</button><br><button data-k=wipe>Wipe</button></div>"
        "<script>addEventListener('pointermove', () => $('box').prepend($('box').lastElementChild), {capture:true,once:true})</script>"
    )
    hand = Hand(page)
    await hand.act('{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}')
    await page.logged("pointerdown save", "click save")


async def test_a_cover_that_comes_with_the_pointer_is_not_pressed(show: OpenPage) -> None:
    page = await show(
        LISTEN + "<button data-k=save>Save</button><script>once('pointermove', () => document.body.insertAdjacentHTML("
        "'beforeend', '<div data-k=cover style=\"position:fixed;inset:0\">Subscribe!</div>'))</script>"
    )
    hand = Hand(page, resolve_wait=0.4)
    failed = await hand.act('{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}')
    assert isinstance(failed, Failed)
    assert "Subscribe!" in failed.message
    assert await page.log() == []


ROWS = (
    "<ul><li><span id=who>Ada</span> <button data-k=first>Delete</button></li>"
    "<li><span>Bob</span> <button data-k=second>Delete</button></li></ul>"
)


async def test_a_row_that_shows_another_thing_as_the_pointer_comes_is_not_pressed(show: OpenPage) -> None:
    page = await show(LISTEN + ROWS + "<script>once('pointermove', () => $('who').textContent = 'Cid')</script>")
    hand = Hand(page, resolve_wait=0.4)
    first, _ = (await hand.see())["Delete"]
    failed = await hand.act(f'{{"op":"click","target":{{"ax":{{"id":"{first}"}}}}}}')
    assert isinstance(failed, Failed)
    assert failed.error == "TargetNotFound"
    assert await page.log() == []


async def test_rows_that_change_places_as_the_pointer_comes_are_followed(show: OpenPage) -> None:
    swap = "const all = document.querySelectorAll('span'); [all[0].textContent, all[1].textContent] = ['Bob', 'Ada']"
    page = await show(LISTEN + ROWS + f"<script>once('pointermove', () => {{ {swap} }})</script>")
    hand = Hand(page)
    first, _ = (await hand.see())["Delete"]
    assert isinstance(await hand.act(f'{{"op":"click","target":{{"ax":{{"id":"{first}"}}}}}}'), Executed)
    await page.logged("pointerdown second", "click second")


async def test_a_row_with_a_clock_in_it_can_be_pressed(show: OpenPage) -> None:
    clock = "let n = 0; const tick = () => { $('age').textContent = `${++n} ms`; requestAnimationFrame(tick) }; tick()"
    page = await show(LISTEN + ROWS.replace("Ada</span>", "Ada</span> <i id=age></i>") + f"<script>{clock}</script>")
    hand = Hand(page)
    first, _ = (await hand.see())["Delete"]
    for _ in range(5):
        assert isinstance(await hand.act(f'{{"op":"click","target":{{"ax":{{"id":"{first}"}}}}}}'), Executed)
    await page.logged(*("pointerdown first", "click first") * 5)


@pytest.mark.parametrize("moment", ["pointerdown", "mousedown", "pointerup", "mouseup"])
async def test_what_a_page_makes_of_a_press_is_no_reason_against_the_click(show: OpenPage, moment: str) -> None:
    page = await show(
        LISTEN + "<button data-k=save>Save</button>"
        f"<script>document.querySelector('button').addEventListener('{moment}', (e) => e.target.textContent = 'Saving…')</script>"
    )
    assert isinstance(await Hand(page).act('{"op":"click","target":{"ax":{"title":"Save"}}}'), Executed)
    await page.logged("pointerdown save", "click save")


async def test_a_row_that_is_drawn_anew_by_its_first_click_gets_the_double_click(show: OpenPage) -> None:
    page = await show(
        LISTEN + "<div id=list><p data-k=a tabindex=0>Report.txt</p></div><script>"
        "$('list').addEventListener('click', () => $('list').innerHTML = $('list').innerHTML)</script>"
    )
    assert isinstance(await Hand(page).act('{"op":"double_click","target":{"ax":{"title":"Report.txt"}}}'), Executed)
    await page.logged("pointerdown a", "click a", "pointerdown a", "click a")


async def test_what_covers_an_element_after_its_first_click_does_not_get_the_second(show: OpenPage) -> None:
    page = await show(
        LISTEN + "<button data-k=open>Open</button><script>document.querySelector('button').onclick = () => "
        "document.body.insertAdjacentHTML('beforeend', '<div data-k=menu style=\"position:fixed;inset:0\">Menu</div>')</script>"
    )
    failed = await Hand(page).act('{"op":"double_click","target":{"ax":{"title":"Open"}}}')
    assert isinstance(failed, Failed)
    assert "the press was received" in failed.message
    assert await page.log() == ["pointerdown open", "click open"]


@pytest.mark.parametrize("address", ["BASE", "OTHER"])
async def test_the_guard_stands_in_frames_too(show: OpenPage, address: str, moving_frame: str) -> None:
    page = await show(
        LISTEN + f'<div id=pad></div><iframe src="{address}{moving_frame}" style="width:400px;height:200px"></iframe>'
    )
    hand = Hand(page)
    assert isinstance(await hand.act('{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}'), Executed)
    frame = page.page.frames[1]
    assert await frame.evaluate("log") == ["pointerdown save", "click save"]


async def test_a_frame_that_gives_way_as_the_pointer_comes_is_pressed_where_it_is(
    show: OpenPage, still_frame: str
) -> None:
    page = await show(
        LISTEN + f'<div id=pad></div><iframe src="OTHER{still_frame}" style="width:400px;height:200px"></iframe>'
        "<script>onmessage = () => $('pad').style.height = '230px'</script>"
    )
    hand = Hand(page)
    assert isinstance(await hand.act('{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}'), Executed)
    assert await page.page.frames[1].evaluate("log") == ["pointerdown save", "click save"]
    assert await page.log() == []


@pytest.fixture
def moving_frame(site: Any) -> str:
    path: str = site.add(
        LISTEN + "<div id=pad></div><button data-k=save>Save</button> <button data-k=delete>Delete</button>"
        "<script>once('pointermove', () => $('pad').style.height = '24px')</script>"
    )
    return path


@pytest.fixture
def still_frame(site: Any) -> str:
    path: str = site.add(
        LISTEN
        + "<button data-k=save>Save</button><script>once('pointermove', () => parent.postMessage(1, '*'))</script>"
    )
    return path


async def test_a_cover_that_comes_with_the_pointer_is_not_pressed_for_an_option(show: OpenPage) -> None:
    """The press that opens a list for its option is one of the element's too."""
    page = await show(
        LISTEN + "<label>Colour <select data-k=list><option>Red<option>Green</select></label>"
        "<script>once('pointermove', () => { const el = document.createElement('div'); el.dataset.k = 'cover';"
        " el.style = 'position:fixed;inset:0'; document.body.append(el); setTimeout(() => el.remove(), 300) })</script>"
    )
    hand = Hand(page)
    assert isinstance(await hand.act('{"op":"click","target":{"ax":{"role":"option","title":"Green"}}}'), Executed)
    assert "pointerdown cover" not in await page.log()
    assert await page.page.evaluate("document.querySelector('select').value") == "Green"


async def test_a_page_that_comes_between_finding_and_pressing_is_not_pressed(show: OpenPage, site: Any) -> None:
    """T2: what stands at that point on the new page is another element."""
    following = site.add(LISTEN + "<button data-k=pay>Pay now</button>")
    page = await show(LISTEN + "<button data-k=save>Save</button>")
    node = await page.find("button", "Save")
    x, y = await page.computer.prepare(node.handle, "click", 2.0)
    await page.page.evaluate(f"location.href = '{following}'")
    await page.page.wait_for_url(f"**{following}")
    with pytest.raises(TargetSlipped, match="nothing was pressed"):
        await page.computer.perform(ClickAt(x=x, y=y, handle=node.handle))
    assert await page.log() == []
