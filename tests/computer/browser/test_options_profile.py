"""A profile keeps what a browser knows from one run to the next, for its owner only, and for one browser at a time."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.profile import LOCK, holder_of
from axstream.errors import ComputerError, Unsupported
from tests.computer.browser.gallery import Site

SAYS = """<title>Kept</title><script>localStorage.seen = 1 + +(localStorage.seen || 0);
document.cookie = "seen=" + localStorage.seen + "; max-age=900"</script>"""


async def test_a_profile_keeps_over_two_runs_with_the_options_of_each(site: Site, tmp_path: Path) -> None:
    url = site.base + site.add(SAYS)
    profile = tmp_path / "a" / "profile"
    for turn, zone in (("1", "Asia/Tokyo"), ("2", "America/Lima")):
        async with BrowserComputer(url=url, profile=profile, timezone=zone, viewport="500x400") as computer:
            said = await computer.page.evaluate(
                "[localStorage.seen, document.cookie, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth]"
            )
            assert said == [turn, f"seen={turn}", zone, 500]
            with pytest.raises(Unsupported, match="one context"):
                _ = computer.browser
    assert stat.S_IMODE(profile.stat().st_mode) == 0o700


async def test_a_profile_in_use_is_one_clear_line_and_its_browser_goes_on(site: Site, tmp_path: Path) -> None:
    url = site.base + site.add("<title>Here</title>")
    async with BrowserComputer(url=url, profile=tmp_path / "profile") as computer:
        with pytest.raises(ComputerError) as caught:
            await BrowserComputer(url=url, profile=tmp_path / "profile").__aenter__()
        assert "another browser has it open; close that one, or name another folder" in str(caught.value)
        assert str(tmp_path / "profile") in str(caught.value)
        assert "\n" not in str(caught.value)
        assert (await computer.observe()).surface.title == "Here"


async def test_where_the_lock_tells_nothing_chromium_does(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.base + site.add("<title>Here</title>")
    async with BrowserComputer(url=url, profile=tmp_path) as computer:
        monkeypatch.setattr("axstream.computer.browser.profile.holder_of", lambda _: None)
        with pytest.raises(ComputerError, match="the profile: another browser has it open") as caught:
            await BrowserComputer(url=url, profile=tmp_path).__aenter__()
        assert "\n" not in str(caught.value)
        assert (await computer.observe()).surface.title == "Here"


def test_a_lock_that_was_left_behind_or_is_of_another_machine_holds_nobody_up(tmp_path: Path) -> None:
    assert holder_of(tmp_path) is None
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(30)
    for said, holder in (
        (f"{socket.gethostname()}-{ended.pid}", None),
        (f"elsewhere-{os.getpid()}", None),
        ("nonsense", None),
        (f"{socket.gethostname()}-{os.getpid()}", os.getpid()),
    ):
        (tmp_path / LOCK).symlink_to(said)
        assert holder_of(tmp_path) == holder
        (tmp_path / LOCK).unlink()
