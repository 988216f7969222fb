"""Makes sure that there is a Chromium to drive: one that is there, else Playwright's own, else Debian's package."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys

from axstream.computer.browser.launch import find_chromium, start_driver
from axstream.errors import AxstreamError

DOWNLOAD_LIMIT_S = 600


async def _look() -> str:
    driver = await start_driver()
    try:
        return find_chromium(None, driver.chromium.executable_path)
    finally:
        await driver.stop()


def chromium_path() -> str | None:
    """Return the Chromium that axstream would start, None where there is none."""
    try:
        return asyncio.run(_look())
    except AxstreamError:
        return None


def _say(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


def _run(*command: str) -> bool:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DOWNLOAD_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        _say(f"{' '.join(command)}: {error}")
        return False
    if done.returncode:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip(" {}")]
        told = next((line for line in lines if "rror" in line), lines[-1] if lines else "no message")
        _say(f"{' '.join(command)} failed: {told[:200]}")
    return done.returncode == 0


def _playwright() -> bool:
    _say("no Chromium here: asking for Playwright's own")
    return _run(sys.executable, "-m", "playwright", "install", "chromium")


def _debian() -> bool:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    _say("no Chromium here: installing Debian's package")
    environment = "DEBIAN_FRONTEND=noninteractive"
    return _run("env", environment, "apt-get", "-q", "update") and _run(
        "env", environment, "apt-get", "-q", "install", "-y", "--no-install-recommends", "chromium", "fonts-noto-core"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefer", choices=("playwright", "debian"), default="playwright")
    parser.add_argument("--optional", action="store_true", help="no Chromium is no failure")
    options = parser.parse_args()
    if chromium_path():
        return 0
    ways = [_playwright, _debian] if options.prefer == "playwright" else [_debian, _playwright]
    for way in ways:
        if way() and chromium_path():
            return 0
    _say("no Chromium could be had: install one (apt-get install chromium), or: playwright install chromium")
    return 0 if options.optional else 1


if __name__ == "__main__":
    sys.exit(main())
