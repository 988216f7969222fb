"""Cookies and local storage in a file, in Playwright's form (``storage_state``): read, checked, written. Secrets all.

No message quotes anything of them but where a file's form is wrong.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import msgspec

from axstream.computer.browser.launch import first_line, playwright_error
from axstream.computer.browser.options import Spell, as_keyword
from axstream.errors import ComputerError, UsageError

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

READ_LIMIT_S = 10.0  # each site that is not open is visited for it, without the network: some ms
MAX_BYTES = 100 << 20  # of a state; what a browser keeps for a site is less
FILE_MODE = 0o600  # it signs one in


class _Cookie(msgspec.Struct, rename="camel"):
    name: str
    value: str
    domain: str | None = None
    path: str | None = None
    url: str | None = None
    expires: float | None = None
    http_only: bool | None = None
    secure: bool | None = None
    same_site: str | None = None


class _Item(msgspec.Struct):
    name: str
    value: str


class _Origin(msgspec.Struct, rename="camel"):
    origin: str
    local_storage: list[_Item] = []


class _State(msgspec.Struct):
    cookies: list[_Cookie] = []
    origins: list[_Origin] = []


def read_state(source: object, spell: Spell = as_keyword) -> dict[str, Any]:
    """Return a storage state from a file or a dict. Raises UsageError that says what is wrong, with none of its values."""
    named = spell("storage_state")
    if isinstance(source, Mapping):
        state: Any = dict(source)
        where = named
    elif isinstance(source, str | os.PathLike):
        state = _load(Path(source), named)
        where = f"{named}: {os.fspath(source)}"
    else:
        raise UsageError(f"{named}: write a file's path, or the dict that storage_state() returned")
    if not isinstance(state, dict) or not ({"cookies", "origins"} & state.keys()):
        raise UsageError(f'{where} holds no storage state: an object with "cookies" and "origins" was expected')
    try:
        msgspec.convert(state, _State)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where} holds no storage state: {error}") from None
    return {"cookies": [], "origins": [], **state}


def _load(path: Path, named: str) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{named}: {path} is over {MAX_BYTES >> 20} MiB; that is no storage state")
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"{named}: {path} cannot be read: {why}; name a file that was saved before") from None
    except UnicodeDecodeError:
        raise UsageError(f"{named}: {path} is not UTF-8 text; name a file that was saved before") from None
    except (json.JSONDecodeError, RecursionError) as error:
        place = f", line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UsageError(f"{named}: {path}{place} is not JSON; name a file that was saved before") from None


async def state_of(context: BrowserContext) -> dict[str, Any]:
    """Return what a context keeps. Raises ComputerError where it cannot be read in time."""
    try:
        with anyio.fail_after(READ_LIMIT_S):
            state: Any = await context.storage_state()
    except TimeoutError:
        raise ComputerError(f"the storage state could not be read within {READ_LIMIT_S:g} s: a page hangs") from None
    except playwright_error() as error:
        raise ComputerError(f"the storage state could not be read: {first_line(error)}") from None
    return {**state}


async def keep_state(context: BrowserContext, path: str | os.PathLike[str]) -> dict[str, Any]:
    """Write what a context keeps to a file, and return it. Raises ComputerError; an older file then stands as it was."""
    state = await state_of(context)
    await anyio.to_thread.run_sync(write_state, state, path)
    return state


def check_place(path: str | os.PathLike[str], named: str) -> None:
    """Raise UsageError where no file could be written there, before there is anything to lose."""
    file = Path(path)
    folder = file.parent
    if file.is_dir():
        raise UsageError(f"{named}: {file} is a folder; name a file")
    if not folder.is_dir():
        raise UsageError(f"{named}: there is no folder {folder}; make it, or name a file elsewhere")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"{named}: nothing may be written into {folder}; name a file elsewhere")


def write_state(state: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a state, whole or not at all, readable by its owner only. Raises ComputerError where it cannot be."""
    file = Path(path)
    new: str | None = None
    try:
        descriptor, new = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:100]}.")  # made with mode 0600
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(state, stream, ensure_ascii=False, indent=1)
            stream.write("\n")
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(new, FILE_MODE)
        os.replace(new, file)
    except OSError as error:
        if new is not None:
            with contextlib.suppress(OSError):
                os.unlink(new)
        why = (error.strerror or str(error)).lower()
        raise ComputerError(f"the storage state could not be written to {file}: {why}") from error
