"""A Chromium as a person runs one: a process of the test's own with a debugging port, which nothing of ours started."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START_S = 60.0
STOP_S = 20.0
ASK_S = 10.0


class OwnChromium:
    """Where it listens, and what it says of itself over plain HTTP: no debugger is attached for that."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._process = process

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, path: str, *, method: str = "GET") -> Any:
        request = urllib.request.Request(f"{self.address}{path}", method=method)
        with urllib.request.urlopen(request, timeout=ASK_S) as answer:
            body = answer.read()
        try:
            return json.loads(body)
        except ValueError:
            return body.decode()

    def open(self, url: str) -> str:
        """Open a tab in front of the others, as a person would, and return its id."""
        tab: str = self.ask(f"/json/new?{url}", method="PUT")["id"]
        return tab

    def show(self, tab: str) -> None:
        """Bring a tab to the front."""
        self.ask(f"/json/activate/{tab}")

    def close(self, tab: str) -> None:
        self.ask(f"/json/close/{tab}")

    def tabs(self) -> dict[str, str]:
        """Return the addresses of the open tabs by id."""
        return {tab["id"]: tab["url"] for tab in self.ask("/json/list") if tab["type"] == "page"}


@contextmanager
def own_chromium(executable: str, profile: Path) -> Iterator[OwnChromium]:
    """Run a browser until the context is left; its window shows an empty page."""
    words = [executable, "--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0"]
    words += [f"--user-data-dir={profile}", "--disable-dev-shm-usage", "about:blank"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield OwnChromium(_port(profile / "DevToolsActivePort", process), process)
    finally:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_S)


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + START_S
    while True:
        try:
            first = file.read_text("utf-8").split("\n")[0]
            if first:
                return int(first)
        except FileNotFoundError:
            pass
        assert process.poll() is None, "the browser ended"
        assert time.monotonic() < deadline, "the browser said no port"
        time.sleep(0.05)
