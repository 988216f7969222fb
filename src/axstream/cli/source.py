"""Standard input or a file as pieces of a stream, each as soon as it is there. Nothing is split or decoded here."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import anyio
import anyio.lowlevel

READ_BYTES = 1 << 16  # a pipe's whole capacity on Linux


async def pieces(fd: int) -> AsyncIterator[bytes]:
    """Yield what can be read, at once, until the end; a cancellation takes hold while nothing comes.

    Closing it closes the input, so that whoever still writes learns that nobody reads.
    """
    try:
        waits = True
        while True:
            if waits:
                try:
                    await anyio.wait_readable(fd)
                except PermissionError:  # a regular file: always readable, and no selector takes it
                    waits = False
            await anyio.lowlevel.checkpoint()
            try:
                data = os.read(fd, READ_BYTES)
            except BlockingIOError:
                continue
            if not data:
                return
            yield data
    finally:
        close_input(fd)


def close_input(fd: int) -> None:
    """Close a descriptor that ``open_input`` gave; number 0 goes on as an empty input, so that nothing else gets it."""
    if fd != 0:
        os.close(fd)
        return
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
