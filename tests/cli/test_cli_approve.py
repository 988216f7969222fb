"""Asking on the controlling terminal (R2, R4): a real pseudo-terminal, with standard input as the model's stream."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from axstream.ax.node import Node
from axstream.cli.approve import element
from tests.cli.conftest import LIMIT_S, command, environment
from tests.cli.test_cli_exec import DELETE, DONE, OPEN, fence


class Terminal:
    """The person's side of a pseudo-terminal."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.seen = ""

    def read_until(self, words: str) -> None:
        while words not in self.seen:
            ready, _, _ = select.select([self.fd], [], [], LIMIT_S)
            assert ready, f"no {words!r} in {self.seen!r}"
            try:
                data = os.read(self.fd, 4096)
            except OSError:  # the other side is closed
                data = b""
            assert data, f"no {words!r} in {self.seen!r}"
            self.seen += data.decode("utf-8", "replace")

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())


@contextmanager
def on_terminal(*words: str, stream: str, early: str = "") -> Iterator[tuple[subprocess.Popen[bytes], Terminal]]:
    """Start ``exec`` with a controlling terminal, its stream from a pipe."""
    master, slave = pty.openpty()
    os.write(master, early.encode())

    def control() -> None:
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    run = subprocess.Popen(
        command("exec", "--computer", "memory", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=slave,
        env=environment(TERM="xterm"),
        start_new_session=True,
        preexec_fn=control,
    )
    os.close(slave)
    with run:
        try:
            assert run.stdin is not None
            run.stdin.write(stream.encode())
            run.stdin.close()
            yield run, Terminal(master)
        finally:
            run.kill()
            os.close(master)


STREAM = fence(OPEN, DELETE, DONE)


@pytest.mark.parametrize(
    ("answer", "code"), [("y\n", 0), ("YES\n", 0), ("n\n", 4), ("\n", 4), ("maybe\n", 4), ("\x04", 4)]
)
def test_only_a_clear_yes_lets_it_through(answer: str, code: int) -> None:
    with on_terminal(stream=STREAM) as (run, terminal):
        terminal.read_until("Allow it? [y/N]")
        terminal.type(answer)
        terminal.read_until("allowed" if code == 0 else "denied")
        terminal.read_until("1 burst")
        assert run.wait(LIMIT_S) == code


def test_the_question_shows_the_act_the_element_and_why() -> None:
    with on_terminal(stream=STREAM) as (run, terminal):
        terminal.read_until("Allow it? [y/N] (no answer in 60 s is a no)")
        assert "Risky act" in terminal.seen
        assert 'line 3: click button "Delete"' in terminal.seen
        assert 'on button "Delete"' in terminal.seen
        assert "because " in terminal.seen
        terminal.type("n\n")
        assert run.wait(LIMIT_S) == 4


def test_no_answer_in_time_is_a_no() -> None:
    """R2."""
    with on_terminal("--ask-timeout", "0.2", stream=STREAM) as (run, terminal):
        terminal.read_until("nobody answered within")
        terminal.read_until("1 burst")
        assert run.wait(LIMIT_S) == 4


def test_the_text_to_be_typed_is_shown_escaped() -> None:
    line = (
        '{"op":"type","text":"\\u202esecret\\n","risk":"risky","target":{"ax":{"role":"textbox","title":"Note text"}}}'
    )
    with on_terminal(stream=fence(OPEN, line, DONE)) as (run, terminal):
        terminal.read_until("Allow it?")
        assert 'types the text "\\u202esecret\\n"' in terminal.seen
        assert 'on textbox "Note text"' in terminal.seen
        terminal.type("y\n")
        assert run.wait(LIMIT_S) == 0


def test_ctrl_c_at_the_question_ends_the_run() -> None:
    with on_terminal(stream=STREAM) as (run, terminal):
        terminal.read_until("Allow it?")
        terminal.type("\x03")
        assert run.wait(LIMIT_S) == 130


def test_what_was_typed_before_the_question_answers_nothing() -> None:
    with on_terminal("--ask-timeout", "1", stream=STREAM, early="y\n") as (run, terminal):
        terminal.read_until("nobody answered within")
        assert run.wait(LIMIT_S) == 4


def test_an_elements_words_cannot_act_on_the_terminal() -> None:
    node = Node(handle="1", role="link\x1b[2J", name="a\r\n\x1b[1A", url="https://x.example/\u202e", form_action="\x07")
    said = element(node)
    assert said.isprintable()
    assert said == 'link\\x1b[2J "a\\r\\n\\x1b[1A", leads to https://x.example/\\u202e, sends to \\x07'
