"""The folder of a kept profile: made, and refused while another browser has it. What is in it is Chromium's."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from axstream.errors import ComputerError, UsageError

FOLDER_MODE = 0o700  # it signs one in
#: A link whose target reads ``host-pid``: how Chromium marks a folder that is in use, but for Windows.
LOCK = "SingletonLock"
IN_USE = "another browser has it open; close that one, or name another folder"


def prepare_profile(folder: str | os.PathLike[str], named: str) -> Path:
    """Return the folder, made for its owner only where it is new.

    Raises UsageError where there can be none, ComputerError while another browser has it: starting a second one would
    open a window in the first.
    """
    path = Path(folder).absolute()
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.mkdir(mode=FOLDER_MODE)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"{named}: {path} cannot be a folder: {why}; name another") from None
    if not path.is_dir():
        raise UsageError(f"{named}: {path} is no folder; name a folder, or one that is not there yet")
    if not os.access(path, os.W_OK | os.X_OK):
        raise UsageError(f"{named}: nothing may be written into {path}; name another folder")
    holder = holder_of(path)
    if holder is not None:
        raise ComputerError(f"{named}: {path}: {IN_USE} (process {holder})")
    return path


def holder_of(folder: Path) -> int | None:
    """Return the process that has a profile open on this machine, as far as its lock tells."""
    try:
        host, _, number = os.readlink(folder / LOCK).rpartition("-")
    except (OSError, ValueError):
        return None
    if host != socket.gethostname() or not number.isdigit():
        return None  # of another machine, or none: Chromium says so itself
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return None  # it ended without taking its lock away
    except PermissionError:
        pass
    return int(number)
