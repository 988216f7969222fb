"""Downloads: into one folder, under safe names, told with name, size and place, or as failed."""

from __future__ import annotations

# ruff: noqa: ASYNC240 - the folders here are small and local
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from axstream.computer.base import OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.downloads import MAX_DOWNLOADS, reserve, safe_name
from axstream.errors import UsageError
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest.mark.parametrize(
    ("suggested", "safe"),
    [
        ("report.csv", "report.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\evil.bat", "evil.bat"),
        ("C:evil.txt", "C_evil.txt"),
        ("..", "download"),
        ("", "download"),
        (".bashrc", "bashrc"),
        ("a\nb\x00.txt", "a b .txt"),
        ("gpj.\u202eexe", "gpj.exe"),
        ("con.txt", "_con.txt"),
        ("console.txt", "console.txt"),
        ("/", "download"),
        ("Übersicht 2026 (final).tar.gz", "Übersicht 2026 (final).tar.gz"),
    ],
)
def test_a_suggested_name_becomes_one_that_stays_in_its_folder(suggested: str, safe: str) -> None:
    assert safe_name(suggested) == safe


def test_a_long_name_keeps_its_suffix() -> None:
    name = safe_name("ü" * 400 + ".pdf")
    assert name.endswith("ü.pdf")
    assert len(name.encode()) <= 180
    assert len(safe_name("a." + "b" * 400).encode()) <= 180


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("kept")
    (tmp_path / "a.txt").symlink_to(tmp_path / "elsewhere")
    names = [reserve(tmp_path, "a.txt").name, reserve(tmp_path, "a.txt").name, reserve(tmp_path, "b.tar.gz").name]
    assert names == ["a (1).txt", "a (2).txt", "b.tar.gz"]
    assert reserve(tmp_path, "b.tar.gz").name == "b (1).tar.gz"
    assert (tmp_path / "elsewhere").read_text() == "kept"


async def told(driver: Driver, words: str) -> str:
    """Return the first note with these words that an observation gives."""
    with anyio.fail_after(10):
        while True:
            found = [note for note in (await driver.computer.observe()).notes if words in note]
            if found:
                return found[0]


async def test_a_download_is_in_the_folder_when_its_act_ends(show: OpenPage, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    driver = await show("<a href='/give?name=sheet.csv'>Get</a>", downloads=folder)
    for name in ("sheet.csv", "sheet (1).csv"):
        effect = await driver.click("link", "Get")
        assert effect.notes == (f'downloaded "{name}" (2.0 kB) to {folder / name}',)
        assert (folder / name).read_bytes() == b"x" * 1000 + b"y" * 1000
    assert sorted(path.name for path in folder.iterdir()) == ["sheet (1).csv", "sheet.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new"]


async def test_a_download_that_begins_or_ends_late_is_told_later_and_once(
    show: OpenPage, site: Site, tmp_path: Path
) -> None:
    driver = await show(
        "<button onclick=\"fetch('/gate').then(() => { location = '/give?name=late.bin' })\">Later</button>"
        "<a href='/give?name=long.bin&gate=1'>Long</a>",
        downloads=tmp_path,
    )
    assert (await driver.click("button", "Later")).notes == ()
    site.gate.set()
    assert await told(driver, "late.bin") == f'downloaded "late.bin" (2.0 kB) to {tmp_path / "late.bin"}'
    site.gate.clear()
    effect = await driver.click("link", "Long")
    assert effect.notes == ('a download began: "long.bin"; its end will be told',)
    site.gate.set()
    assert await told(driver, "long.bin") == f'downloaded "long.bin" (2.0 kB) to {tmp_path / "long.bin"}'
    assert (await driver.computer.observe()).notes == ()


async def test_downloads_of_open_of_new_windows_and_of_scripts_are_kept(
    show: OpenPage, site: Site, tmp_path: Path
) -> None:
    driver = await show(
        "<title>Here</title><a href='/give?name=blank.bin' target=_blank>Blank</a>"
        "<button id=make>Make</button><script>$('make').onclick = () => { const a = document.createElement('a');"
        "a.download = 'made.txt'; a.href = URL.createObjectURL(new Blob(['made'])); a.click() }</script>",
        downloads=tmp_path,
    )
    effect = await driver.computer.perform(OpenUrl(url=f"{site.base}/give?name=opened.bin"))
    assert "a download" in effect.summary
    assert effect.notes == (f'downloaded "opened.bin" (2.0 kB) to {tmp_path / "opened.bin"}',)
    await driver.click("button", "Make")
    await driver.click("link", "Blank")
    with anyio.fail_after(10):
        while sorted(path.name for path in tmp_path.iterdir()) != ["blank.bin", "made.txt", "opened.bin"]:
            await driver.computer.observe()
    assert (tmp_path / "made.txt").read_text() == "made"
    assert (await driver.tree()).surface.title == "Here"


async def test_a_download_that_breaks_off_is_told_as_failed_and_leaves_nothing(show: OpenPage, tmp_path: Path) -> None:
    driver = await show("<a href='/give?name=broken.bin&cut=1'>Get</a>", downloads=tmp_path)
    effect = await driver.click("link", "Get")
    assert effect.notes == ('the download of "broken.bin" was cancelled, or its connection broke',)
    assert list(tmp_path.iterdir()) == []


async def test_more_downloads_than_anybody_wants_are_cancelled(show: OpenPage, tmp_path: Path) -> None:
    driver = await show("<a href='/give?name=a.bin'>Get</a>", downloads=tmp_path)
    tabs = driver.computer._tabs
    assert tabs is not None
    tabs.downloads._count = MAX_DOWNLOADS
    effect = await driver.click("link", "Get")
    assert effect.notes == ('the download of "a.bin" was cancelled: more than 100 in one run',)
    assert list(tmp_path.iterdir()) == []


async def test_without_a_folder_one_is_made_with_the_first_download_and_kept(show: OpenPage) -> None:
    driver = await show("<a href=/file>Get</a>")
    effect = await driver.click("link", "Get")
    place = Path(effect.notes[0].partition(" to ")[2])
    try:
        await driver.computer.__aexit__(None, None, None)
        assert place.read_text() == "data"
        assert place.parent.name.startswith("axstream-downloads-")
        assert place.parent.stat().st_mode & 0o077 == 0
    finally:
        shutil.rmtree(place.parent)


async def test_a_computer_is_left_in_the_middle_of_a_download(show: OpenPage, site: Site, tmp_path: Path) -> None:
    site.gate.clear()
    driver = await show("<a href='/give?name=long.bin&gate=1'>Long</a>", downloads=tmp_path)
    await driver.click("link", "Long")
    with anyio.fail_after(5):
        await driver.computer.__aexit__(None, None, None)
    site.gate.set()
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_cannot_be_is_a_usage_error(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"downloads: .*file/inner cannot be a folder"):
        async with BrowserComputer(browser=chromium, downloads=tmp_path / "file" / "inner"):
            raise AssertionError("it was entered")


async def test_downloads_of_the_callers_page_are_kept_too(chromium: Browser, site: Site, tmp_path: Path) -> None:
    context = await chromium.new_context()
    try:
        page = await context.new_page()
        await page.goto(site.base + site.add("<a href='/give?name=mine.bin'>Get</a>"))
        async with BrowserComputer(page=page, downloads=tmp_path) as computer:
            effect = await Driver(computer).click("link", "Get")
        assert effect.notes == (f'downloaded "mine.bin" (2.0 kB) to {tmp_path / "mine.bin"}',)
    finally:
        await context.close()
