"""Finding, starting and stopping a Chromium through Playwright; the one place that imports it. No page is driven here."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from axstream.computer.browser.profile import IN_USE
from axstream.errors import ComputerError, UsageError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

EXECUTABLE_VARIABLE = "AXSTREAM_CHROMIUM"
LAUNCH_LIMIT_S = 60.0  # a cold start on a busy machine; a warm one takes under a second
STOP_LIMIT_S = 10.0  # then the driver's pipe is closed all the same, which ends the browser
#: What is looked for on PATH, in this order.
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
#: Besides what Playwright gives: the browser's own names and roles in pages; and its accessibility tree kept, since
#: without that each name builds a whole tree (measured on 900 elements: 4,400 ms for all names, with it 5 ms).
FLAGS = ("--enable-blink-features=ComputedAccessibilityInfo", "--force-renderer-accessibility=basic")
FIXES = (
    "install one with `playwright install chromium` or `apt-get install chromium`, "
    f"or name one with `--executable PATH` or {EXECUTABLE_VARIABLE}"
)
_SANDBOX = re.compile(r"sandbox|zygote|namespace", re.I)
#: What Chromium says of a profile that another browser has; the last where it gave the wish to that one.
_TAKEN = ("ProcessSingleton", "profile appears to be in use", "Opening in existing browser session")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def first_line(error: BaseException) -> str:
    """Return the line of a Playwright error that says what went wrong, without colours and call log."""
    lines = [line.strip() for line in _ANSI.sub("", str(error)).splitlines()]
    line = next((line for line in lines if line and not line.startswith("=")), type(error).__name__)
    return re.sub(r"^(?:[\w.]+: )?(?:Error: )?", "", line).strip() or line


def find_chromium(executable: str | os.PathLike[str] | None, bundled: str | None) -> str:
    """Return the browser to start: the one named, the environment's, Playwright's own download, one on PATH.

    Raises UsageError for a named one that is not there, ComputerError naming the fixes where there is none at all.
    """
    for source, named in (("--executable", executable), (EXECUTABLE_VARIABLE, os.environ.get(EXECUTABLE_VARIABLE))):
        if not named:
            continue
        path = shutil.which(os.fspath(named))
        if path is None:
            raise UsageError(f"{source}: {os.fspath(named)} is no program that can be run; {FIXES}")
        return path
    if bundled and Path(bundled).is_file():
        return bundled
    for program in PROGRAMS:
        path = shutil.which(program)
        if path is not None:
            return path
    raise ComputerError(f"no Chromium was found; {FIXES}")


async def start_driver() -> Playwright:
    """Start Playwright's driver, out of reach of a terminal's Ctrl-C.

    Raises UsageError where the ``browser`` extra is not installed.
    """
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise UsageError(
            f"the browser computer needs Playwright ({error}); install it with `pip install 'axstream-runtime[browser]'`"
        ) from error
    async with _own_session():
        playwright: Playwright = await async_playwright().start()
    return playwright


@asynccontextmanager
async def _own_session() -> AsyncIterator[None]:
    """Have the driver started meanwhile lead a session of its own.

    A SIGINT from the terminal goes to the whole foreground group; the driver would die of it, and what is pressed in
    the page could not be released any more (E5). Playwright has no option for it, so the running loop (this one, only
    for the start) is asked to start its next process in a new session. The driver ends the browser when our end of
    its pipe closes, however we die.
    """
    loop = asyncio.get_running_loop()
    original: Callable[..., Any] = loop.subprocess_exec
    if sys.platform == "win32" or not hasattr(loop, "__dict__"):
        yield
        return

    async def detached(*args: Any, **options: Any) -> Any:
        return await original(*args, **{**options, "start_new_session": True})

    loop.__dict__["subprocess_exec"] = detached
    try:
        yield
    finally:
        loop.__dict__.pop("subprocess_exec", None)


class Chromium:
    """One running browser and the driver that holds it. Made by ``Chromium.start``, ended by ``stop``."""

    def __init__(self, driver: Playwright, browser: Browser | None, context: BrowserContext | None) -> None:
        self._driver = driver
        self.browser = browser
        #: The one context of a kept profile; None where contexts are made by the browser.
        self.context = context

    @property
    def running(self) -> Browser:
        """The browser, where contexts are made by it."""
        if self.browser is None:
            raise AssertionError("a kept profile has one context, which is there")
        return self.browser

    @classmethod
    async def start(
        cls,
        *,
        headed: bool = False,
        executable: str | os.PathLike[str] | None = None,
        profile: str | os.PathLike[str] | None = None,
        context_options: dict[str, Any] | None = None,
    ) -> Chromium:
        """Start a browser, with a kept ``profile`` folder where one is given. Nothing is left running if it fails.

        Raises UsageError or ComputerError, one line, with the fix.
        """
        driver = await start_driver()
        try:
            path = find_chromium(executable, driver.chromium.executable_path)
            return await cls._launch(driver, path, headed, profile, context_options or {})
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stop_driver(driver)
            raise

    @classmethod
    def attached(cls, driver: Playwright, browser: Browser) -> Chromium:
        """Return what holds the connection to a browser that runs; ``stop`` ends the connection only."""
        return cls(driver, browser, None)

    @classmethod
    async def _launch(
        cls,
        driver: Playwright,
        path: str,
        headed: bool,
        profile: str | os.PathLike[str] | None,
        context_options: dict[str, Any],
    ) -> Chromium:
        from playwright.async_api import Error

        if (
            headed
            and sys.platform.startswith("linux")
            and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
        ):
            raise UsageError(
                "--headed: there is no display (DISPLAY is not set); leave it out, or run under `xvfb-run`"
            )
        # Chromium's own sandbox cannot be used as root; elsewhere it is tried first.
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        last: Error | None = None
        for sandbox in (False,) if is_root else (True, False):
            options: dict[str, Any] = {
                "executable_path": path,
                "headless": not headed,
                "args": list(FLAGS),
                "chromium_sandbox": sandbox,
                "handle_sigint": False,
                "handle_sigterm": False,
                "handle_sighup": False,
                "timeout": LAUNCH_LIMIT_S * 1000,
            }
            try:
                if profile is None:
                    return cls(driver, await driver.chromium.launch(**options), None)
                folder = os.fspath(profile)
                kept = await driver.chromium.launch_persistent_context(folder, **options, **context_options)
                return cls(driver, None, kept)
            except Error as error:
                last = error
                if not (sandbox and _SANDBOX.search(str(error))):
                    break
        raise ComputerError(
            f"{path} could not be started: {_cause(last)}; check it with `{path} --version`, or {FIXES}"
        )

    async def stop(self) -> None:
        """End the browser and its driver; bounded, and silent where they are gone already."""
        await stop_driver(self._driver, self.context or self.browser)


def _cause(error: BaseException | None) -> str:
    text = _ANSI.sub("", str(error))
    missing = re.search(r"error while loading shared libraries: ([^\s:]+)", text)
    if missing:
        return f"the library {missing.group(1)} is missing"
    if any(words in text for words in _TAKEN):
        return f"the profile: {IN_USE}"
    return first_line(error) if error is not None else "no reason was given"


async def stop_driver(driver: Playwright, target: Browser | BrowserContext | None = None) -> None:
    """Close what is given and end the driver; bounded, and silent where they are gone already."""
    from playwright.async_api import Error

    if target is not None:
        with anyio.move_on_after(STOP_LIMIT_S):
            try:
                await target.close()
            except Error:
                pass  # it is gone already
    with anyio.move_on_after(STOP_LIMIT_S):
        try:
            await driver.stop()
        except Error:
            pass


def playwright_error() -> type[Exception]:
    """Return Playwright's own error class; only called where Playwright is in use already."""
    from playwright.async_api import Error

    error: type[Exception] = Error
    return error
