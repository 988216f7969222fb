"""File choosers: shown as modals, answered by input, and only with files that the policy names (Z16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import axstream as ax
from axstream.computer.base import ClickAt, OpenUrl
from axstream.errors import ActionDenied, TargetNotActionable, TargetNotFound, Unsupported
from axstream.policy import Uploads
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver, pairs
from tests.computer.browser.gallery import Site

HEAR = """<script>let turn = Promise.resolve();
for (const field of document.querySelectorAll("input[type=file]")) {
  for (const kind of ["input", "change", "cancel"]) field.addEventListener(kind, (event) => {
    const texts = Promise.all([...field.files].map(async (file) => `${file.name}=${await file.text()}`));
    turn = turn.then(async () => said(field.id, kind, event.isTrusted, (await texts).join(" ")));
  });
}</script>"""
PAGE = (
    """<label>Photo <input type=file id=one accept=".pdf,image/*"></label><label>Papers <input type=file id=many multiple>
</label><input type=file id=hidden hidden><button onclick="$('hidden').click()">Attach</button>
<label>Folder <input type=file id=folder webkitdirectory></label><button onclick=said('other')>Other</button>"""
    + HEAR
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("give/a.pdf", "give/b.pdf", "private/key.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name[-5])
    return tmp_path.resolve()


async def opened(show: OpenPage, folder: Path, button: str, html: str = PAGE) -> Driver:
    driver = await show(html)
    driver.computer.allow_uploads(Uploads((str(folder / "give"),)))
    await press(driver, button)
    return driver


async def press(driver: Driver, button: str) -> None:
    node = next(node for node in (await driver.tree()).nodes if button in node.name and node.interactive)
    effect = await driver.click(node.role, node.name)
    assert effect.notes == ("a file chooser opened",)


async def test_a_file_chooser_is_a_modal_that_lists_what_may_be_given(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Photo")
    tree = await driver.computer.observe()
    assert pairs(tree)[1:] == [
        ("dialog", "choose a file"),
        ("text", "the page takes: .pdf,image/*"),
        ("option", "a.pdf"),
        ("option", "b.pdf"),
        ("textbox", "File name"),
        ("button", "Open"),
        ("button", "Cancel"),
    ]
    assert tree.nodes[1].modal
    assert "asks for one file" in tree.notes[0]
    focus = await driver.computer.focus()
    assert focus.node is not None
    assert (focus.node.name, focus.takes_text) == ("File name", True)
    for act in (driver.wheel("down"), driver.key("cmd", "r"), driver.computer.perform(ClickAt(x=5, y=700))):
        with pytest.raises(TargetNotActionable, match="file chooser is open"):
            await act
    with pytest.raises(TargetNotActionable, match="file chooser is open"):
        await driver.computer.perform(OpenUrl(url="about:blank"))
    with pytest.raises(Unsupported, match="file chooser"):
        await driver.computer.screenshot()
    await driver.logged()


async def test_a_click_on_a_listed_file_gives_it_trusted_and_once(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Photo")
    effect = await driver.click("option", "b.pdf")
    assert effect.summary == 'gave the page "b.pdf"'
    await driver.logged("one input true b.pdf=b", "one change true b.pdf=b")
    await driver.click("button", "Other")
    assert (await driver.log())[-1] == "other"


async def test_a_typed_name_or_path_and_enter_gives_a_file(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Attach")
    await driver.type("a.pdf\n")
    await driver.logged("hidden input true a.pdf=a", "hidden change true a.pdf=a")
    await press(driver, "Attach")
    await driver.fill("textbox", "File name", str(folder / "private" / ".." / "give" / "b.pdf"))
    await driver.key("enter")
    await driver.until(lambda: _last(driver, "hidden change true b.pdf=b"))
    await press(driver, "Attach")
    await driver.type("a.pdx")
    await driver.key("backspace")
    await driver.key("f")
    await driver.click("button", "Open")
    await driver.until(lambda: _last(driver, "hidden change true a.pdf=a"))


async def _last(driver: Driver, said: str) -> bool:
    return (await driver.log())[-1:] == [said]


async def test_several_files_are_marked_and_given_together(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Papers")
    await driver.click("option", "a.pdf")
    await driver.click("option", "b.pdf")
    assert [node.selected for node in (await driver.tree()).nodes if node.role == "option"] == [True, True]
    await driver.click("option", "b.pdf")
    assert [node.selected for node in (await driver.tree()).nodes if node.role == "option"] == [True, False]
    await driver.click("button", "Open")
    await driver.until(lambda: _last(driver, "many change true a.pdf=a"))
    await press(driver, "Papers")
    await driver.type('"a.pdf" "b.pdf"\n')
    await driver.until(lambda: _last(driver, "many change true a.pdf=a b.pdf=b"))
    await press(driver, "Photo")
    with pytest.raises(TargetNotActionable, match="takes one file only, and 2 are named"):
        await driver.type('"a.pdf" "b.pdf"\n')


@pytest.mark.parametrize("way", ["key", "button"])
async def test_a_chooser_that_is_cancelled_gives_nothing_and_the_page_hears_it(
    show: OpenPage, folder: Path, way: str
) -> None:
    driver = await opened(show, folder, "Photo")
    effect = await (driver.key("escape") if way == "key" else driver.click("button", "Cancel"))
    assert effect.summary == "closed the file chooser; nothing was chosen"
    await driver.logged("one cancel false ")


async def test_a_file_that_the_policy_does_not_name_is_refused_and_nothing_is_chosen(
    show: OpenPage, folder: Path
) -> None:
    (folder / "give" / "link.pdf").symlink_to(folder / "private" / "key.txt")
    driver = await opened(show, folder, "Photo")
    for name in (str(folder / "private/key.txt"), "../private/key.txt", "link.pdf", "/etc/hostname", "nothing.pdf"):
        with pytest.raises(
            ActionDenied, match=r"may not be uploaded, and nothing was chosen; .*: \"a.pdf\", \"b.pdf\""
        ):
            await driver.type(name + "\n")
    await driver.find("option", "a.pdf")
    await driver.logged()


async def test_without_a_word_of_the_policy_no_file_is_given(show: OpenPage, folder: Path) -> None:
    driver = await show(PAGE)
    await press(driver, "Photo")
    tree = await driver.computer.observe()
    assert "names none that may be uploaded" in tree.notes[0]
    with pytest.raises(ActionDenied):
        await driver.type(str(folder / "give" / "a.pdf") + "\n")
    with pytest.raises(TargetNotActionable, match="no file is named"):
        await driver.key("enter")
    await driver.key("escape")
    await driver.logged("one cancel false ")


async def test_a_folder_is_given_with_what_lies_in_it(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Folder")
    await driver.click("option", "give")
    await driver.until(lambda: _last(driver, "folder change true a.pdf=a b.pdf=b"))


async def test_choosers_of_frames_are_answered_too(show: OpenPage, site: Site, folder: Path) -> None:
    html = site.add(
        "<label>Inner <input type=file id=inner onchange=\"parent.postMessage(this.files[0].name, '*')\"></label>"
    )
    for base in ("BASE", "OTHER"):
        page = f"<iframe src={base}{html}></iframe><script>onmessage = (e) => said(e.data)</script>"
        driver = await opened(show, folder, "Inner", page)
        await driver.click("option", "a.pdf")
        await driver.logged("a.pdf")


async def test_a_page_that_answers_with_a_dialog_or_leaves_does_not_hang(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Pick", "<label>Pick <input type=file onchange=said(confirm('Sure?'))></label>")
    effect = await driver.click("option", "a.pdf")
    assert "a confirm dialog opened" in effect.notes
    await driver.click("button", "OK")
    await driver.logged("true")
    leaves = "<title>First</title><label>Pick <input type=file></label><script>onclick = () => setTimeout(() => { location = '/slow?ms=1' }, 300)</script>"
    driver = await opened(show, folder, "Pick", leaves)
    await driver.find("text", "slow answer")
    gone = "<label>Pick <input type=file id=f onclick=\"setTimeout(() => { $('f').remove(); said('removed') }, 100)\"></label>"
    driver = await opened(show, folder, "Pick", gone)
    await driver.logged("removed")
    await driver.click("option", "a.pdf")
    await driver.key("a")


async def test_a_way_of_asking_that_cannot_be_answered_is_said(show: OpenPage) -> None:
    driver = await show("<button onclick='showOpenFilePicker().catch((e) => said(e.name))'>Pick</button>")
    effect = await driver.click("button", "Pick")
    notes = effect.notes or (await driver.key("f2")).notes
    assert any("only be refused" in note for note in notes)
    await driver.logged("AbortError")


async def test_a_burst_gives_the_files_of_its_policy_and_no_others(show: OpenPage, folder: Path) -> None:
    driver = await show(PAGE)
    lines = (
        '{"op":"click","target":{"ax":{"title":"Attach"}}}',
        '{"op":"type","target":{"ax":{"role":"textbox","title":"File name"}},"text":"NAME\\n"}',
        '{"op":"click","target":{"ax":{"title":"Other"}}}',
    )
    stop = await burst(driver, folder, *(line.replace("NAME", str(folder / "private/key.txt")) for line in lines))
    assert stop == "denied"
    await driver.logged()
    await driver.key("escape")
    stop = await burst(driver, folder, *(line.replace("NAME", "a.pdf") for line in lines))
    assert stop == "exhausted"
    assert "hidden change true a.pdf=a" in await driver.log()
    assert "other" in await driver.log()


async def burst(driver: Driver, folder: Path, *lines: str) -> str:
    async def chunks() -> Any:
        yield "```jsonl\n" + "".join(line + "\n" for line in lines) + "```\n"

    policy = ax.Policy(risky="allow", uploads=(str(folder / "give" / "*.pdf"),))
    last: Any = None
    async for event in ax.execute(chunks(), driver.computer, policy=policy):
        last = event
    return str(last.stop)


async def test_a_chooser_that_closed_cannot_be_clicked(show: OpenPage, folder: Path) -> None:
    driver = await opened(show, folder, "Photo")
    option = await driver.find("option", "a.pdf")
    await driver.key("escape")
    with pytest.raises(TargetNotFound, match="not open any more"):
        await driver.computer.prepare(option.handle, "click", 0.2)
