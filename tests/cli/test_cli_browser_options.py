"""Whose browser and what it is like, from the command line: each option reaches the page or is one line and exit 2 or 5."""

from __future__ import annotations

import asyncio
import base64
import json
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from axstream.cli.arguments import PEERS, make_parser
from axstream.cli.opening import spell
from axstream.computer.browser.launch import find_chromium, start_driver
from tests.cli.conftest import Cli, one_line
from tests.cli.test_cli_exec import fence
from tests.computer.browser.own_chromium import own_chromium

SECRET = "hunter2"
SAYS = b"""<!doctype html><title>Says</title><p id=said></p><button id=go>Keep</button><script>
const seen = localStorage.seen ?? "never";
localStorage.seen = "before";
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
said.textContent = [seen, innerWidth, innerHeight, devicePixelRatio, navigator.language, zone, navigator.userAgent, dark].join(" | ");
go.onclick = () => fetch("/pressed");
</script>"""
INSIDE = b"<!doctype html><title>Inside</title><p>you are in"


class Page:
    """A page on loopback and what was asked of its server: address and headers."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/"
        self.asked: list[tuple[str, dict[str, str]]] = []

    def sent(self, path: str) -> dict[str, str]:
        return next(headers for asked, headers in self.asked if asked == path)


@contextmanager
def page() -> Iterator[Page]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            made.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            inside = self.path.endswith("/vault")
            known = self.headers.get("Authorization") == "Basic " + base64.b64encode(b"ada:hunter2").decode()
            body = b"" if inside and not known else INSIDE if inside else SAYS
            self.send_response(401 if inside and not known else 200)
            if inside and not known:
                self.send_header("WWW-Authenticate", 'Basic realm="vault"')
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = Page(server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.browser
def test_the_page_and_its_server_see_what_was_chosen(cli: Cli) -> None:
    options = ["--viewport", "500x400", "--device-scale-factor", "2", "--locale", "de-DE", "--timezone", "Asia/Tokyo"]
    options += ["--color-scheme", "dark", "--user-agent", "Reader/1 (x)", "--extra-http-header", "X-Team: blue: green"]
    with page() as shown:
        seen = cli("observe", "--computer", f"browser:{shown.url}", *options)
        assert seen.returncode == 0, seen.stderr
        assert "never | 500 | 400 | 2 | de-DE | Asia/Tokyo | Reader/1 (x) | dark" in seen.stdout
        assert shown.sent("/")["x-team"] == "blue: green"
        assert shown.sent("/")["accept-language"] == "de-DE"


@pytest.mark.browser
def test_a_profile_is_kept_over_two_runs(cli: Cli, tmp_path: Path) -> None:
    with page() as shown:
        for seen in ("never", "before"):
            ran = cli(
                "exec", "--computer", f"browser:{shown.url}", "--profile", str(tmp_path / "kept"),
                stdin=fence('{"op":"observe"}'),
            )  # fmt: skip
            assert ran.returncode == 0, ran.stderr
            assert f"{seen} | 1280" in ran.stdout


@pytest.mark.browser
def test_storage_goes_out_at_the_end_and_comes_in_at_the_next_start(cli: Cli, tmp_path: Path) -> None:
    """Whichever way the first one ended."""
    file = tmp_path / "state.json"
    with page() as shown:
        computer = ("--computer", f"browser:{shown.url}")
        failed = cli("exec", *computer, "--save-storage", str(file), stdin=fence('{"op":"done","status":"failure"}'))
        assert failed.returncode == 1
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_text("utf-8"))["origins"][0]["localStorage"] == [
            {"name": "seen", "value": "before"}
        ]
        seen = cli("observe", *computer, "--storage-state", str(file))
        assert "before | 1280" in seen.stdout


@pytest.mark.browser
def test_a_password_comes_from_the_environment_and_is_in_no_output(cli: Cli, tmp_path: Path) -> None:
    """R6."""
    trace = tmp_path / "run.jsonl"
    with page() as shown:
        words = ("exec", "--json", "--computer", f"browser:{shown.url}vault", "--trace", str(trace))
        stream = fence('{"op":"observe"}')
        ran = cli(*words, "--http-credentials", "VAULT", stdin=stream, env={"VAULT": f"ada:{SECRET}"})
        assert ran.returncode == 0, ran.stderr
        assert "Inside" in ran.stdout
        assert SECRET not in ran.stdout + ran.stderr + trace.read_text("utf-8")
        elsewhere = f"VAULT@{shown.url.replace('127.0.0.1', 'localhost')}"
        refused = cli(*words, "--http-credentials", elsewhere, stdin=stream, env={"VAULT": f"ada:{SECRET}"})
        assert refused.returncode == 5
        assert "asks for a user name and password" in refused.stderr.splitlines()[-1]
        assert SECRET not in refused.stderr


@pytest.mark.browser
def test_requests_go_through_the_proxy(cli: Cli) -> None:
    with page() as relay:
        address = relay.url.removesuffix("/")
        seen = cli("observe", "--computer", "browser:http://shop.example/", "--proxy", address)
        assert seen.returncode == 0, seen.stderr
        assert "http://shop.example/" in [asked for asked, _ in relay.asked]


@pytest.mark.browser
def test_a_browser_that_runs_is_driven_and_lives_on(cli: Cli, tmp_path: Path) -> None:
    async def found() -> str:
        driver = await start_driver()
        try:
            return find_chromium(None, driver.chromium.executable_path)
        finally:
            await driver.stop()

    with page() as shown, own_chromium(asyncio.run(found()), tmp_path / "person") as running:
        tab = running.open(shown.url)
        before = running.tabs()
        press = '{"op":"click","target":{"ax":{"role":"button","title":"Keep"}}}'
        for address in (f"cdp={running.address}", f"cdp={running.port}"):
            ran = cli(
                "exec", "--computer", f"browser:{address}", "--risky", "deny", stdin=fence(press, '{"op":"observe"}')
            )
            assert ran.returncode == 0, ran.stderr
            assert shown.url in ran.stdout
        assert [asked for asked, _ in shown.asked].count("/pressed") == 2
        assert running.tabs() == before
        assert before[tab] == shown.url
        taken = cli("observe", "--computer", "browser", "--profile", str(tmp_path / "person"))
        assert taken.returncode == 5
        assert "another browser has it open; close that one, or name another folder" in one_line(taken.stderr)
        assert running.tabs() == before
    gone = cli("observe", "--computer", f"browser:cdp={running.address}")
    assert gone.returncode == 5
    assert f"nothing listens at {running.address}; start the browser with --remote-debugging" in one_line(gone.stderr)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("memory --locale de", 'the computer "memory" has no option --locale; leave it out, or use the browser'),
        ("memory --extra-http-header X:y", 'no option --extra-http-header'),
        ("memory --ignore-https-errors", "no option --ignore-https-errors"),
        ("browser:cdp=9222 --profile x --locale de", "browser:cdp is a browser that runs already, as it is: leave out --profile and --locale"),
        ("browser:cdp=9222 --headed", "leave out --headed"),
        ("browser:cdp=9222 --storage-state x", "leave out --storage-state"),
        ("browser:cdp=9222 --downloads x", "leave out --downloads"),
        ("browser:cdp=", "browser:cdp: what was given is no debugging address of a browser; write it like"),
        ("browser --profile x --storage-state y", "--profile keeps its own cookies and storage: leave out --storage-state"),
        ("browser --viewport 9", "--viewport: '9' is no size"),
        ("browser --device-scale-factor 9", "--device-scale-factor: 9.0 is no number over 0 and at most 8"),
        ("browser --device-scale-factor x", "'x' is not a number over 0"),
        ("browser --timezone Europe/Berlim", 'did you mean "Europe/Berlin"'),
        ("browser --color-scheme drk", 'did you mean "dark"?'),
        ("browser --permissions camra", 'did you mean "camera"?'),
        ("browser --permissions ,", "give at least one name"),
        ("browser --storage-state /no/such.json", "/no/such.json cannot be read"),
        ("browser --save-storage /no/such/state.json", "--save-storage: there is no folder /no/such"),
        (f"browser --extra-http-header {SECRET}", "write it like 'X-Team: blue'"),
        ("browser --extra-http-header X:a --extra-http-header x:b", "x is given twice"),
        (f"browser --http-credentials ada:{SECRET}", "name an environment variable that holds user:password"),
        ("browser --http-credentials NOT_SET_AT_ALL", "the environment variable NOT_SET_AT_ALL is not set"),
        ("browser --http-credentials AUTH_BAD", "AUTH_BAD is not of the form user:password"),
        ("browser --http-credentials AUTH_GOOD", "--http-credentials: nobody is named that may get them"),
        (f"browser --proxy ftp://ada:{SECRET}@h:1", "--proxy: 'ftp' is no scheme of a proxy"),
        ("browser --cdp 9222", "there is no option '--cdp'; did you mean --computer browser:cdp=ADDRESS?"),
        ("browser --user-data-dir x", "did you mean --profile?"),
        ("browser --viewport-size=1,2", "did you mean --viewport?"),
        ("browser --proflie x", "did you mean --profile or --proxy?"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_one_line(cli: Cli, words: str, said: str) -> None:
    environment = {"AUTH_BAD": SECRET, "AUTH_GOOD": f"ada:{SECRET}"}
    done = cli("observe", "--computer", *words.split(), env=environment)
    assert done.returncode == 2
    line = one_line(done.stderr)
    assert said in line
    assert SECRET not in line
    assert done.stdout == ""


def test_what_peers_call_it_leads_to_an_option_that_is_there() -> None:
    known = {option for action in make_parser("observe")._actions for option in action.option_strings}
    assert {ours.split(" ")[0] for ours in PEERS.values()} <= known
    assert not PEERS.keys() & known


def test_options_are_spelled_in_messages_as_they_are_typed() -> None:
    from axstream.computer.browser.opening import Named

    known = {option for action in make_parser("run")._actions for option in action.option_strings}
    not_typed = {"page", "context", "browser", "cdp"}  # a caller's own objects; an address behind browser:cdp=
    assert {spell(name) for name in Named.__annotations__ if name not in not_typed} <= known


@pytest.mark.parametrize("command", ["run", "exec", "observe"])
def test_the_help_teaches_whose_browser_it_may_be(cli: Cli, command: str) -> None:
    text = cli(command, "--help").stdout
    for words in ("browser:cdp=ADDRESS", "--remote-debugging-port=9222", "--profile DIR", "--save-storage FILE"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 100
