"""Write the record of a run as it happens (X1): one JSON line an event. What the events mean is not known here.

A new file is created. An existing one is replaced where it is empty or a trace; anything else is left alone and
refused, so that a slip of the hand never costs a document. A pipe or a device is written to as it is.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from pathlib import Path

import msgspec

from axstream.errors import TraceError, UsageError
from axstream.spec.catalogue import Catalogue
from axstream.trace.encode import to_line
from axstream.trace.events import RunEvent

#: How much of an existing file is looked at: a trace says what it is within its first line, and few first lines
#: are longer; where one is, its beginning decides.
_PEEK = 1 << 16


class TraceWriter:
    """An open record. Every line goes to the operating system before ``write`` returns: a killed run keeps it.

    Raises ``UsageError`` on opening where the path cannot serve, ``TraceError`` from ``write`` where a line could
    not be written whole; what was written of it is taken back, so the record stays readable up to the last event.
    After that it takes no more lines.
    """

    def __init__(self, path: str | os.PathLike[str], *, catalogue: Catalogue | None = None) -> None:
        self.path = Path(path)
        self.broken: TraceError | None = None
        self._catalogue = catalogue if catalogue is not None else Catalogue()
        self._fd = _open(self.path)
        self._regular = stat.S_ISREG(os.fstat(self._fd).st_mode)
        self._size = 0

    def write(self, t: float, event: RunEvent) -> None:
        """Append one event, ``t`` seconds after the start."""
        if self.broken is not None:
            raise self.broken
        if self._fd < 0:
            raise TraceError(f"the trace {self.path} is closed")
        line = to_line(t, event, self._catalogue, raw=True)
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            self.broken = TraceError(f"cannot write the trace {self.path}: {_reason(error)}")
            self._take_back()
            raise self.broken from error
        self._size += len(line)

    def close(self) -> None:
        """Close the file; calling it again does nothing."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _take_back(self) -> None:
        if self._regular:
            try:
                os.ftruncate(self._fd, self._size)
            except OSError:
                pass  # the reader drops a torn last line (X1)


def _open(path: Path) -> int:
    flags = os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOCTTY
    try:
        special = not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        special = False
    try:
        fd = os.open(path, flags | (os.O_WRONLY if special else os.O_RDWR), 0o666)
    except OSError as error:
        raise UsageError(f"cannot open the trace {path}: {_opening_reason(path, error)}") from error
    if special:
        return fd
    try:
        _claim(fd, path)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _claim(fd: int, path: Path) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another run is writing the trace {path}: give --trace another name") from None
    except OSError:
        pass  # a file system without locks: two runs on one file are then the caller's care
    beginning = os.pread(fd, _PEEK, 0)
    if beginning and not is_trace(beginning):
        raise UsageError(f"{path} exists and is not a trace, so it is left as it is: give --trace another name")
    os.ftruncate(fd, 0)


def is_trace(beginning: bytes) -> bool:
    """Tell whether a file that begins so is a record that this module wrote."""
    line, newline, _ = beginning.partition(b"\n")
    if not newline:
        return line.startswith(b'{"event":"') and b'"t":' in line
    try:
        first = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return False
    return isinstance(first, dict) and isinstance(first.get("event"), str) and "t" in first


def _opening_reason(path: Path, error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return f"the directory {path.parent} does not exist; make it first (mkdir -p {path.parent})"
    if error.errno == errno.ENOTDIR:
        return f"{path.parent} is not a directory"
    if error.errno == errno.EISDIR:
        return "it is a directory; give a file name"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{os.strerror(error.errno).lower()}; give --trace a place that you may write to"
    return _reason(error)


def _reason(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disk is full; free some space or give --trace another place"
    return (os.strerror(error.errno) if error.errno else str(error)).lower()
