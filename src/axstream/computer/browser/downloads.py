"""What pages download: kept in one folder under safe names, and told. Which tab it came from is known elsewhere."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import msgspec

from axstream.ax.quote import quote, visible
from axstream.computer.browser.launch import first_line, playwright_error
from axstream.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import Download

DONE_LIMIT_S = 1.0  # an act waits so long for what it downloaded; what takes longer is told when it is there
MAX_DOWNLOADS = 100  # of one run; a page that goes on and on does not fill the disk
LEAVE_LIMIT_S = 2.0  # for downloads that are cut off when the browser is left
_NAME_BYTES = 180  # of UTF-8; file systems take 255, and a number may come behind
_SUFFIX_CHARACTERS = 20  # a longer one is no suffix
_BAD = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.I)  # names that Windows takes for devices


def safe_name(suggested: str) -> str:
    """Return a file name without a path, control or invisible characters, leading dots; never empty."""
    name = visible(suggested.replace("\\", "/").rpartition("/")[2])
    name = _BAD.sub("_", name).strip(" .")
    if _DEVICES.match(name):
        name = f"_{name}"
    stem, suffix = split_name(name)
    while len((stem + suffix).encode()) > _NAME_BYTES:
        stem = stem[:-1]
    return stem + suffix or "download"


def split_name(name: str) -> tuple[str, str]:
    """Return the stem and the suffix of a file name; ``.tar.gz`` and its like are one suffix."""
    stem, dot, suffix = name.rpartition(".")
    if not (dot and stem) or len(suffix) > _SUFFIX_CHARACTERS:
        return name, ""
    inner, tar, _ = stem.rpartition(".tar")
    if tar and inner and stem.endswith(".tar"):
        return inner, f".tar.{suffix}"
    return stem, f".{suffix}"


def reserve(folder: Path, name: str) -> Path:
    """Make an empty file of that name, or with `` (1)`` and so on where one is there; nothing is ever overwritten."""
    stem, suffix = split_name(name)
    number = 0
    while True:
        path = folder / (f"{stem} ({number}){suffix}" if number else name)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except FileExistsError:
            number += 1
        else:
            return path


class _Kept(msgspec.Struct, kw_only=True):
    name: str
    ended: str = ""  # how it ended, in a line; empty while it runs
    begun_told: bool = False


class Downloads:
    """The downloads of one computer. ``folder`` is where they go; None makes one for the run, with the first of them."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._wanted = Path(folder).absolute() if folder is not None else None
        self._folder: Path | None = None
        self._kept: list[_Kept] = []
        self._count = 0
        self._running: dict[asyncio.Task[None], Download] = {}

    def prepare(self) -> None:
        """Make the folder that was asked for. Raises UsageError where it cannot be, saying why."""
        if self._wanted is None:
            return
        try:
            self._wanted.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise UsageError(f"downloads: {self._wanted} cannot be a folder: {why}; name another") from error
        if not os.access(self._wanted, os.W_OK | os.X_OK):
            raise UsageError(f"downloads: nothing may be written into {self._wanted}; name another folder")

    def begin(self, download: Download) -> None:
        """Take a download in; it is saved when it is there."""
        kept = _Kept(name=safe_name(download.suggested_filename))
        self._kept.append(kept)
        self._count += 1
        task = asyncio.ensure_future(self._save(download, kept))
        self._running[task] = download
        task.add_done_callback(lambda done: self._running.pop(done, None))

    async def finish(self) -> None:
        """Wait for what is running and was not told of yet, a moment."""
        if any(not kept.ended and not kept.begun_told for kept in self._kept):
            await asyncio.wait(set(self._running), timeout=DONE_LIMIT_S)

    def take_news(self) -> tuple[str, ...]:
        """Return what began and what ended since this was asked last; what ended meanwhile is told once."""
        news = []
        for kept in self._kept:
            if kept.ended:
                news.append(kept.ended)
            elif not kept.begun_told:
                kept.begun_told = True
                news.append(f"a download began: {quote(kept.name)}; its end will be told")
        self._kept = [kept for kept in self._kept if not kept.ended]
        return tuple(news)

    async def leave(self) -> None:
        """Cut off what is running; what is saved stays."""
        running = dict(self._running)
        with anyio.move_on_after(LEAVE_LIMIT_S):
            for download in running.values():
                try:
                    await download.cancel()
                except playwright_error():
                    pass  # the browser is gone already
        for task in running:
            task.cancel()

    async def _save(self, download: Download, kept: _Kept) -> None:
        said = quote(kept.name)
        path: Path | None = None
        try:
            if self._count > MAX_DOWNLOADS:
                await download.cancel()
                kept.ended = f"the download of {said} was cancelled: more than {MAX_DOWNLOADS} in one run"
                return
            failure = await download.failure()
            if failure is not None:
                kept.ended = f"the download of {said} " + (
                    "was cancelled, or its connection broke" if failure == "canceled" else f"failed: {failure}"
                )
                return
            path = reserve(self._place(), kept.name)
            await download.save_as(path)
            kept.ended = f"downloaded {quote(path.name)} ({_size(path.stat().st_size)}) to {path}"
        except (OSError, playwright_error()) as error:
            if path is not None:
                path.unlink(missing_ok=True)
            why = (error.strerror or str(error)) if isinstance(error, OSError) else first_line(error)
            kept.ended = f"the download of {said} failed: {why}"

    def _place(self) -> Path:
        if self._folder is None:
            self._folder = self._wanted or Path(tempfile.mkdtemp(prefix="axstream-downloads-"))
        return self._folder


def _size(count: int) -> str:
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"
