"""Finding and starting Chromium, the errors that name the fix, and what is left behind (nothing)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from axstream.computer.browser import launch, open_browser
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.launch import EXECUTABLE_VARIABLE, Chromium, find_chromium
from axstream.errors import ComputerError, UsageError
from axstream.testing.suite import CHECKS
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site
from tests.computer.browser.scene_fixture import BrowserFixture

BOUND_S = 30.0


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_one_named_goes_first_then_the_environment_then_playwrights_then_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, env, bundled = (program(tmp_path, name) for name in ("named", "env", "bundled"))
    found = program(tmp_path, "chromium")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(EXECUTABLE_VARIABLE, env)
    assert find_chromium(named, bundled) == named
    assert find_chromium(None, bundled) == env
    monkeypatch.delenv(EXECUTABLE_VARIABLE)
    assert find_chromium(None, bundled) == bundled
    assert find_chromium(None, str(tmp_path / "not there")) == found


def test_without_any_the_error_names_the_fixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(EXECUTABLE_VARIABLE, raising=False)
    with pytest.raises(ComputerError) as caught:
        find_chromium(None, None)
    message = str(caught.value)
    for fix in ("playwright install chromium", "apt-get install chromium", "--executable"):
        assert fix in message
    assert "\n" not in message
    with pytest.raises(UsageError, match="--executable: /not/there"):
        find_chromium("/not/there", None)


async def test_what_does_not_start_says_so_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "chromium"
    path.write_text("#!/bin/sh\necho 'error while loading shared libraries: libnss3.so: cannot open' >&2\nexit 127\n")
    path.chmod(0o755)
    with pytest.raises(ComputerError, match=r"libnss3\.so is missing") as caught:
        await Chromium.start(executable=str(path))
    assert "\n" not in str(caught.value)


async def test_a_page_that_cannot_be_loaded_names_address_and_cause() -> None:
    with pytest.raises(ComputerError, match=r"^http://127\.0\.0\.1:9/x could not be loaded: net::ERR_\w+$"):
        await open_browser("http://127.0.0.1:9/x").__aenter__()
    with pytest.raises(UsageError, match='"not an address"'):
        await open_browser("not an address").__aenter__()


async def test_arguments_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(UsageError, match="page="):
        BrowserComputer(page=object(), headed=True)


async def test_a_kept_profile_keeps_and_names_come_without_the_flags_too(tmp_path: Path, site: Site) -> None:
    """Names by the library are those of the browser where the flag is not there."""
    html = (
        "<title>Kept</title><label>Mail <input></label><a href=/x><img alt=Home></a><button aria-label=Close>x</button>"
        "<h2>Head <i>line</i></h2><input type=checkbox id=c><label for=c>Agree</label><nav aria-label=Main></nav>"
        "<script>localStorage.seen = 1 + +(localStorage.seen || 0); said(localStorage.seen)</script>"
    )
    path = site.base + site.add(html)
    for turn in ("1", "2"):
        async with BrowserComputer(url=path, profile=tmp_path / "profile") as computer:
            driver = Driver(computer)
            await driver.logged(turn)
            blink = [(node.role, node.name) for node in (await driver.tree()).nodes]
            await computer.active_tab.main.evaluate("axs.blink = false")
            assert [(node.role, node.name) for node in (await driver.tree()).nodes] == blink


PLAIN = ("everything_is_there_under_its_name", "states_are_told", "what_is_covered_names_what_covers_it")


@pytest.mark.parametrize("flags", [(), launch.FLAGS[:1]], ids=["none", "names only"])
async def test_a_browser_of_the_callers_without_our_flags_serves_too(
    flags: tuple[str, ...], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names by the library; or the browser's own, once it was asked to keep them."""
    monkeypatch.setattr(launch, "FLAGS", flags)
    running = await Chromium.start()
    try:
        assert running.browser is not None
        for check in CHECKS:
            if check.__name__ in PLAIN:
                await check(BrowserFixture(running.browser, site))
    finally:
        await running.stop()


def test_importing_axstream_loads_no_playwright() -> None:
    code = "import sys, axstream, axstream.computer.browser; sys.exit('playwright' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=BOUND_S).returncode == 0


SCRIPT = """
import asyncio, sys
from axstream.computer.base import DragTo
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.inputs import Pace

async def main():
    async with BrowserComputer(url=sys.argv[1], pace=Pace(drag_s=20.0)) as computer:
        print("up", flush=True)
        await computer.perform(DragTo(x=10, y=10, to_x=300, to_y=300))

try:
    asyncio.run(main())
except KeyboardInterrupt:
    sys.exit(130)
"""
HELD = """<p>x<script>const tell = (w) => navigator.sendBeacon ? fetch('/told/' + w, {keepalive: true}) : 0;
onpointerdown = () => tell('down'); onpointerup = () => tell('up')</script>"""


@contextmanager
def dragging(site: Site) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of a drag, in a process group of its own."""
    site.asked.clear()
    url = site.base + site.add(HELD)
    command = [sys.executable, "-c", SCRIPT, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            wait_for(lambda: "/told/down" in site.asked)
            yield process
        finally:
            process.kill()


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + BOUND_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def descendants(pid: int) -> set[int]:
    """All processes below one, however they are grouped."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def alive(pids: set[int]) -> set[int]:
    left = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            left.add(pid)
    return left


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
def test_an_interrupt_of_the_whole_group_releases_the_button_first(site: Site) -> None:
    """E5: Ctrl-C in a terminal reaches every process of the foreground group."""
    with dragging(site) as process:
        below = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(BOUND_S) == 130
        wait_for(lambda: "/told/up" in site.asked)
        wait_for(lambda: not alive(below))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
def test_a_killed_process_leaves_no_browser_behind(site: Site) -> None:
    with dragging(site) as process:
        below = descendants(process.pid)
        assert len(below) > 2
        process.kill()
        process.wait(BOUND_S)
        wait_for(lambda: not alive(below))
