"""A small site on loopback whose pages are written beside the tests that visit them, and which say what they received."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

#: What each page can say with: ``said("Save was clicked")``, or ``listen(id, "keydown", ...)``.
PRELUDE = """<!doctype html><meta charset=utf-8><style>body{font:14px sans-serif}</style><script>
window.log = [];
const said = (...words) => window.log.push(words.map(String).join(" "));
const $ = (id) => document.getElementById(id);
</script>"""


GATE_LIMIT_S = 20.0


class Site:
    """Serves pages by number, and a few paths of its own: ``/slow?ms=``, ``/file`` and ``/give`` (downloads), ``/auth`` (401), ``/headers`` (what was sent), ``/nothing`` (204)."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._pages: dict[str, str] = {}
        self.port = server.server_port
        self.base = f"http://127.0.0.1:{self.port}"
        self.other = f"http://localhost:{self.port}"  # another site, and so another process
        self.asked: list[str] = []
        self.gate = threading.Event()  # what waits at ``/gate`` goes on when the test sets it

    def add(self, html: str, *, bare: bool = False) -> str:
        """Take a page in, and return its path. ``BASE`` and ``OTHER`` in it become the two addresses of this site."""
        path = f"/page{len(self._pages) + 1}"
        html = html.replace("BASE", self.base).replace("OTHER", self.other)
        self._pages[path] = html if bare else PRELUDE + html
        return path

    def body(self, path: str) -> str | None:
        return self._pages.get(path)


class _Handler(BaseHTTPRequestHandler):
    site: Site
    folder: Path

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.site.asked.append(self.path)
        if parts.path == "/slow":
            time.sleep(float(parse_qs(parts.query)["ms"][0]) / 1000)
            return self._answer(200, PRELUDE + "<title>Slow</title><p>slow answer")
        if parts.path == "/give":
            return self._give({key: values[0] for key, values in parse_qs(parts.query).items()})
        if parts.path == "/headers":
            sent = "".join(f"<p>{escape(name.lower())}: {escape(value)}" for name, value in self.headers.items())
            return self._answer(200, f"{PRELUDE}<title>Headers</title>{sent}")
        if parts.path == "/auth" and self.headers.get("Authorization") is None:
            scheme = parse_qs(parts.query).get("scheme", ["Basic"])[0]
            nonce = ', nonce="0123456789abcdef", qop="auth"' if scheme == "Digest" else ""
            self.send_response(401)
            self.send_header("WWW-Authenticate", f'{scheme} realm="The vault"{nonce}')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        if parts.path == "/auth":
            return self._answer(200, PRELUDE + "<title>Inside</title><p>you are in")
        if parts.path == "/gate":
            self.site.gate.wait(GATE_LIMIT_S)
        if parts.path in ("/nothing", "/gate"):
            return self._answer(204, "")
        if parts.path == "/file":
            return self._answer(200, "data", attachment="report.csv")
        html = self.site.body(parts.path)
        if html is not None:
            return self._answer(200, html)
        file = self.folder / parts.path.lstrip("/")
        if file.is_file():
            return self._answer(
                200, file.read_text("utf-8"), kind="text/javascript" if file.suffix == ".js" else "text/html"
            )
        return self._answer(404, "not here")

    def _give(self, asked: dict[str, str]) -> None:
        """Send a download: ``name``, in two halves, the second behind the ``gate``, or left out with ``cut``."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", f'attachment; filename="{asked["name"]}"')
        self.send_header("Content-Length", "2000")
        self.end_headers()
        try:
            self.wfile.write(b"x" * 1000)
            self.wfile.flush()
            if "gate" in asked:
                self.site.gate.wait(GATE_LIMIT_S)
            if "cut" in asked:
                self.connection.shutdown(socket.SHUT_RDWR)
            else:
                self.wfile.write(b"y" * 1000)
        except OSError:
            pass  # the browser did not want it any more

    def _answer(self, status: int, body: str, *, kind: str = "text/html", attachment: str = "") -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        if attachment:
            self.send_header("Content-Disposition", f'attachment; filename="{attachment}"')
        self.end_headers()
        try:
            self.wfile.write(data)
        except ConnectionError:
            pass  # the browser did not want it any more


@contextmanager
def open_site(folder: Path, *, certificate: Path | None = None) -> Iterator[Site]:
    """Serve until the context is left; with a ``certificate`` (a PEM file with its key) by TLS."""

    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Handler.site = Site(server)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Handler.site.base = Handler.site.base.replace("http:", "https:")
    Handler.folder = folder
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield Handler.site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
