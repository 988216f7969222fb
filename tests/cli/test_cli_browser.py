"""The command on a real Chromium: effects before the next line is written, and an interrupt in the middle of a drag."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

from axstream.runtime.marks import COLOURS
from axstream.trace.reader import read_trace
from tests.cli.conftest import LIMIT_S, Cli, one_line
from tests.cli.test_cli_exec import fence, read_until, send, started

pytestmark = pytest.mark.browser

PAGE = b"""<!doctype html><title>Parcels</title>
<button id=go>Count</button><input aria-label=Name>
<button id=parcel style="position:absolute;left:50px;top:200px">Parcel</button>
<div role=group aria-label=Mailbox style="position:absolute;left:500px;top:200px;width:100px;height:100px"></div>
<script>
const tell = word => navigator.sendBeacon('/' + word)
go.onclick = () => tell('clicked')
document.querySelector('input').oninput = event => tell('typed')
addEventListener('mousedown', event => tell('down-' + event.target.id))
addEventListener('mouseup', () => tell('up'))
let slow = false
parcel.onmousedown = () => { slow = true }
addEventListener('mousemove', () => { if (slow) { const end = performance.now() + 400; while (performance.now() < end); } })
</script>"""


@contextmanager
def page() -> Iterator[tuple[str, queue.Queue[str]]]:
    """Serve the page; what it tells is in the queue."""
    told: queue.Queue[str] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE if self.path == "/" else b"")

        def do_POST(self) -> None:
            told.put(self.path[1:])
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/", told
        finally:
            server.shutdown()
            thread.join()


def wait_for(told: queue.Queue[str], word: str) -> None:
    while told.get(timeout=LIMIT_S) != word:
        pass


def test_the_page_shows_each_effect_before_the_next_line_is_written() -> None:
    """E1."""
    with page() as (url, told), started("--json", "--risky", "deny", "--computer", f"browser:{url}") as run:
        send(run, "```", '{"op":"click","target":{"ax":{"role":"button","title":"Count"}}}')
        wait_for(told, "clicked")
        assert read_until(run, "executed")["element"]["name"] == "Count"
        send(run, '{"op":"type","target":{"ax":{"role":"textbox","title":"Name"}},"text":"Ada"}')
        wait_for(told, "typed")
        send(run, '{"op":"done","status":"success"}')
        assert read_until(run, "ended")["stop"] == "done"
        assert run.wait(LIMIT_S) == 0


def test_an_interrupt_in_the_middle_of_a_drag_leaves_no_button_down(tmp_path: Path) -> None:
    """E5, A7: the signal goes to the whole process group, as a terminal's Ctrl-C does."""
    path = tmp_path / "run.jsonl"
    with page() as (url, told), started("--json", "--trace", str(path), "--computer", f"browser:{url}") as run:
        send(run, "```", '{"op":"drag","from":{"ax":{"title":"Parcel"}},"to":{"ax":{"title":"Mailbox"}}}')
        wait_for(told, "down-parcel")
        os.killpg(run.pid, signal.SIGINT)
        wait_for(told, "up")
        assert run.wait(LIMIT_S) == 130
    ended = [value for _, value in read_trace(path)][-1]
    assert (ended["event"], ended["stop"]) == ("ended", "cancelled")


def test_observe_and_exec_see_the_same_page(cli: Cli) -> None:
    """E8."""
    with page() as (url, _):
        seen = cli("observe", "--computer", f"browser:{url}")
        assert seen.returncode == 0
        assert 'button "Count"' in seen.stdout
        ran = cli("exec", "--computer", f"browser:{url}", stdin=fence('{"op":"observe"}'))
        assert ran.returncode == 0
        assert ran.stdout == seen.stdout


@pytest.mark.parametrize("command", ["observe", "exec"])
def test_a_browser_that_cannot_be_started_is_one_line(cli: Cli, command: str) -> None:
    done = cli(command, "--computer", "browser", "--executable", "/no/such/chromium")
    assert done.returncode in (2, 5)
    assert "/no/such/chromium" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_observe_writes_a_picture_with_marks(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "seen.png"
    with page() as (url, _):
        done = cli("observe", "--computer", f"browser:{url}", "--screenshot", str(file), "--marks")
        assert done.returncode == 0, done.stderr
        assert 'button "Parcel"' in done.stdout
        image = Image.open(file)
        assert (image.format, image.size) == ("PNG", (1280, 720))
        pixel = image.convert("RGB").getpixel((51, 198))  # of the label over the button's corner
        assert pixel == tuple(bytes.fromhex(COLOURS["button"][1:]))
        lost = cli("observe", "--computer", f"browser:{url}", "--screenshot", str(tmp_path / "none" / "seen.png"))
    assert lost.returncode == 2
    assert "no such file" in one_line(lost.stderr)
