"""Bytes out of the process, at once: standard output without a buffer, a closed pipe told from a failure.

What is written is not known here.
"""

from __future__ import annotations

import errno
import os
import select
import sys

from axstream.errors import AxstreamError


class OutputClosed(AxstreamError):
    """Nobody reads any more: the other end of the pipe was closed."""


class OutputFailed(AxstreamError):
    """Standard output takes no more: a full disk, mostly."""


#: What a pipe that polls as writable takes without blocking; so a write can always be left for a signal.
PIECE = select.PIPE_BUF
#: How long a reader may stand still once a signal has come: long enough for one that is only slow.
PATIENCE_S = 1.0


class Output:
    """An unbuffered stream of bytes; each ``write`` has reached the operating system when it returns."""

    def __init__(self, fd: int = 1, encoding: str | None = None) -> None:
        self.interrupted = False  # set by a signal's handler: from then on nobody is waited for without end
        self._fd = fd
        self._encoding = encoding or getattr(sys.stdout, "encoding", None) or "utf-8"

    @property
    def unicode(self) -> bool:
        """Tell whether marks outside ASCII can be shown."""
        return self._encoding.lower().replace("-", "").startswith("utf")

    def write(self, data: bytes) -> None:
        """Write all of ``data``. Raises ``OutputClosed`` or ``OutputFailed``."""
        view = memoryview(data)
        try:
            while view:
                self._wait_writable()
                try:
                    view = view[os.write(self._fd, view[:PIECE]) :]
                except BlockingIOError:
                    continue
        except OSError as error:
            raise _told(error) from None

    def _wait_writable(self) -> None:
        while not select.select([], [self._fd], [], PATIENCE_S)[1]:
            if self.interrupted:
                raise OutputClosed("nobody reads standard output any more")

    def text(self, text: str) -> None:
        """Write text in the terminal's own encoding; what that lacks is written as an escape."""
        self.write(text.encode(self._encoding, "backslashreplace"))


def print_now(text: str) -> None:
    """Write a text to standard output and flush it. Raises OutputClosed or OutputFailed, where print would say nothing."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise _told(error) from None


def _told(error: OSError) -> AxstreamError:
    if error.errno in (errno.EPIPE, errno.EBADF):
        return OutputClosed("standard output is closed: nobody reads it any more")
    reason = (
        "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else os.strerror(error.errno or 0).lower()
    )
    return OutputFailed(f"cannot write to standard output: {reason}")
