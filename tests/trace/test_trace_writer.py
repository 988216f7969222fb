"""Writing the record (X1): what stays on disk, what is refused, what a full disk does."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from axstream.errors import TraceError, UsageError
from axstream.trace.events import Ended, Note
from axstream.trace.reader import read_trace
from axstream.trace.writer import TraceWriter


def texts(path: Path) -> list[str]:
    return [value.get("text", value["event"]) for _, value in read_trace(path)]


def test_each_event_is_on_disk_when_write_returns(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with TraceWriter(path) as trace:
        for number in range(3):
            trace.write(number, Note(text=str(number)))
            assert texts(path) == [str(n) for n in range(number + 1)]


def test_a_killed_writer_leaves_a_readable_record(tmp_path: Path) -> None:
    """X1."""
    path = tmp_path / "run.jsonl"
    code = (
        "import os, signal, sys\n"
        "from axstream.trace.events import Note\n"
        "from axstream.trace.writer import TraceWriter\n"
        "trace = TraceWriter(sys.argv[1])\n"
        "for n in range(50): trace.write(n, Note(text=str(n)))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert texts(path) == [str(n) for n in range(50)]


def test_an_older_trace_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    for word in ("first", "second"):
        with TraceWriter(path) as trace:
            trace.write(0, Note(text=word))
    assert texts(path) == ["second"]


def test_an_older_trace_of_one_long_torn_line_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"event":"started","t":0.0,"task":"' + "x" * 100_000)
    TraceWriter(path).close()
    assert path.read_bytes() == b""


@pytest.mark.parametrize("content", ["# My notes\n", '{"windows": []}\n', "[1, 2]\n", "x", '{"event":1,"t":0}\n'])
def test_a_file_that_is_no_trace_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.md"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"notes\.md exists and is not a trace.*another name"):
        TraceWriter(path)
    assert path.read_text() == content


def test_two_writers_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with TraceWriter(path) as first:
        first.write(0, Note(text="kept"))
        with pytest.raises(UsageError, match="another run is writing"):
            TraceWriter(path)
    assert texts(path) == ["kept"]


def test_a_missing_directory_is_named_with_the_fix(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the directory .*nowhere does not exist; make it first \(mkdir -p") as caught:
        TraceWriter(tmp_path / "nowhere" / "run.jsonl")
    assert "\n" not in str(caught.value)


def test_a_directory_or_a_file_in_the_place_of_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="it is a directory; give a file name"):
        TraceWriter(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is not a directory"):
        TraceWriter(tmp_path / "file" / "run.jsonl")


def test_no_permission_is_named_with_the_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("axstream.trace.writer.os.open", refuse)  # root, as in CI, may write everywhere
    with pytest.raises(UsageError, match="permission denied; give --trace a place that you may write to"):
        TraceWriter(tmp_path / "run.jsonl")


def test_a_read_only_place_is_named() -> None:
    with pytest.raises(UsageError, match=r"^cannot open the trace /proc/self/run\.jsonl: "):
        TraceWriter("/proc/self/run.jsonl")


def test_a_full_disk_is_one_clear_line_and_the_writer_takes_no_more() -> None:
    trace = TraceWriter("/dev/full")
    with pytest.raises(
        TraceError, match="cannot write the trace /dev/full: the disk is full; free some space"
    ) as first:
        trace.write(0, Note(text="lost"))
    with pytest.raises(TraceError) as second:
        trace.write(1, Note(text="lost too"))
    assert second.value is first.value
    trace.close()


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_a_line_that_did_not_fit_is_taken_back(tmp_path: Path) -> None:
    """A disk that fills in the middle of a line leaves whole lines."""
    path = tmp_path / "run.jsonl"
    with TraceWriter(path) as trace:
        trace.write(0, Note(text="whole"))
        with file_size_limit(200), pytest.raises(TraceError, match="file too large"):
            trace.write(1, Note(text="x" * 1000))
    assert path.read_bytes().endswith(b"}\n")
    assert texts(path) == ["whole"]


def test_a_closed_writer_says_so(tmp_path: Path) -> None:
    trace = TraceWriter(tmp_path / "run.jsonl")
    trace.close()
    trace.close()
    with pytest.raises(TraceError, match="is closed"):
        trace.write(0, Note(text="late"))


def test_a_pipe_gets_the_lines_as_they_happen(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with TraceWriter(path) as trace:
        trace.write(0, Ended(stop="done", status="success", reason=None))
        assert json.loads(os.read(reader, 1 << 16))["event"] == "ended"
    os.close(reader)
