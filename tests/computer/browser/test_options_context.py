"""Each option of a context is seen by the page that it is made for, or by the server; what is secret goes to no other."""

from __future__ import annotations

import base64
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from axstream.computer.base import OpenUrl
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.options import PROXY_VARIABLE
from axstream.errors import AxstreamError, ComputerError
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.gallery import Site

if TYPE_CHECKING:
    from playwright.async_api import Browser

SAYS = """<title>Says</title><script>
const is = (words) => matchMedia(words).matches;
window.tells = async () => ({
  viewport: [innerWidth, innerHeight], ratio: devicePixelRatio, languages: navigator.languages, agent: navigator.userAgent,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(),
  scheme: is("(prefers-color-scheme: dark)") ? "dark" : "light",
  states: Object.fromEntries(await Promise.all(["geolocation", "notifications", "clipboard-read"].map(
    async (name) => [name, (await navigator.permissions.query({ name })).state]))),
});
</script>"""


async def tells(computer: BrowserComputer) -> dict[str, Any]:
    said: dict[str, Any] = await computer.page.evaluate("tells()")
    return said


async def test_the_page_sees_what_was_chosen(show: OpenPage) -> None:
    driver = await show(
        SAYS,
        viewport=(900, 1400),
        device_scale_factor=2,
        locale="de-DE",
        timezone="Asia/Tokyo",
        user_agent="Mozilla/5.0 (Example) Reader/1",
        color_scheme="dark",
        permissions=["clipboard-read", "notifications"],
    )
    said = await tells(driver.computer)
    assert said == {
        "viewport": [900, 1400],
        "ratio": 2,
        "languages": ["de-DE"],
        "agent": "Mozilla/5.0 (Example) Reader/1",
        "zone": "Asia/Tokyo",
        "number": "1.234,5",
        "scheme": "dark",
        "states": {"geolocation": "denied", "notifications": "granted", "clipboard-read": "granted"},
    }


async def test_without_choices_the_page_sees_the_defaults_and_all_is_denied(show: OpenPage) -> None:
    said = await tells((await show(SAYS)).computer)
    assert (said["viewport"], said["ratio"], said["scheme"]) == ([1280, 720], 1, "light")
    assert set(said["states"].values()) == {"denied"}


@pytest.mark.parametrize("ratio", [0.5, 2, 3])
async def test_clicks_land_and_pictures_are_logical_whatever_the_ratio(show: OpenPage, ratio: float) -> None:
    button = "<button style='position:absolute;left:501px;top:301px;width:9px;height:9px' aria-label=Dot onclick=said('hit')></button>"
    driver = await show(button, device_scale_factor=ratio, viewport="600x400")
    await driver.click("button", "Dot")
    await driver.logged("hit")
    assert await driver.computer.surface() == (600, 400)
    picture = await driver.computer.screenshot()
    assert struct.unpack(">II", picture[16:24]) == (600, 400)  # of a PNG: its width and height


@pytest.mark.parametrize("text", ["640x480", " 640 X 480 ", "640×480", "640,480"])
async def test_a_viewport_may_be_written(show: OpenPage, text: str) -> None:
    assert (await tells((await show(SAYS, viewport=text)).computer))["viewport"] == [640, 480]


async def sent(driver: Any) -> dict[str, str]:
    lines = [node.name or "" for node in (await driver.tree()).nodes]
    return dict(line.split(": ", 1) for line in lines if ": " in line)


async def test_the_server_sees_headers_language_and_agent(chromium: Browser, site: Site) -> None:
    async with BrowserComputer(
        browser=chromium,
        url=f"{site.base}/headers",
        extra_http_headers={"X-Team": "blue"},
        locale="fr-CA",
        user_agent="Reader/2",
    ) as computer:
        text = await computer.page.inner_text("body")
    assert "x-team: blue" in text
    assert "accept-language: fr-CA" in text
    assert "user-agent: Reader/2" in text


@pytest.mark.parametrize("scheme", ["Basic", "Digest"])
async def test_a_password_is_given_to_its_origin_and_to_no_other(chromium: Browser, site: Site, scheme: str) -> None:
    async with BrowserComputer(
        browser=chromium, url=f"{site.base}/auth?scheme={scheme}", http_credentials=("ada", "s3cret")
    ) as computer:
        assert (await computer.observe()).surface.title == "Inside"
        with pytest.raises(AxstreamError, match="asks for a user name and password"):
            await computer.perform(OpenUrl(url=f"{site.other}/auth?scheme={scheme}"))
    async with BrowserComputer(
        browser=chromium, url=f"{site.other}/auth", http_credentials=("ada", "s3cret", site.other)
    ) as computer:
        assert (await computer.observe()).surface.title == "Inside"
    with pytest.raises(ComputerError, match="asks for a user name and password"):
        async with BrowserComputer(
            browser=chromium, url=f"{site.base}/auth", http_credentials=("ada", "s3cret", site.other)
        ):
            pytest.fail("it came in")


async def test_a_certificate_that_nobody_vouches_for_is_accepted_where_that_was_said(
    chromium: Browser, vouchless: Site
) -> None:
    url = vouchless.base + vouchless.add("<title>Signed by itself</title>")
    with pytest.raises(ComputerError, match="certificate"):
        async with BrowserComputer(browser=chromium, url=url):
            pytest.fail("it came in")
    async with BrowserComputer(browser=chromium, url=url, ignore_https_errors=True) as computer:
        assert (await computer.observe()).surface.title == "Signed by itself"


async def test_what_was_granted_is_not_denied(chromium: Browser, site: Site) -> None:
    html = "<title>Paste</title><button onclick='navigator.clipboard.readText().then(t => said(`read`), e => said(e.name))'>Paste</button>"
    url = site.base + site.add(html)
    for granted, heard in ((["clipboard-read"], "read"), ([], "NotAllowedError")):
        async with BrowserComputer(browser=chromium, url=url, permissions=granted) as computer:
            await computer.page.click("button")
            await computer.page.wait_for_function("log.length > 0")
            assert await computer.page.evaluate("log") == [heard]


# -- proxies -----------------------------------------------------------------------------------------------------


class Relay:
    """A proxy on loopback that answers everything itself, and keeps what it was asked."""

    def __init__(self, port: int) -> None:
        self.address = f"127.0.0.1:{port}"
        self.asked: list[tuple[str, str]] = []  # address, credentials


@contextmanager
def relay(*, wants: str = "") -> Iterator[Relay]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            given = self.headers.get("Proxy-Authorization", "").removeprefix("Basic ")
            made.asked.append((self.path, base64.b64decode(given).decode()))
            allowed = not wants or made.asked[-1][1] == wants
            body = b"<title>Relayed</title><p>by the proxy"
            self.send_response(200 if allowed else 407)
            if not allowed:
                self.send_header("Proxy-Authenticate", 'Basic realm="relay"')
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = Relay(server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()


async def test_requests_go_through_the_proxy(chromium: Browser) -> None:
    with relay() as proxy:
        async with BrowserComputer(browser=chromium, url="http://shop.example/", proxy=proxy.address) as computer:
            assert (await computer.observe()).surface.title == "Relayed"
        assert ("http://shop.example/", "") in proxy.asked


@pytest.mark.parametrize("where", ["address", "environment"])
async def test_a_proxy_gets_its_credentials(chromium: Browser, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    with relay(wants="ada:p@ss word") as proxy:
        address = f"http://ada:p%40ss%20word@{proxy.address}"
        if where == "environment":
            monkeypatch.setenv(PROXY_VARIABLE, "ada:p@ss word")
            address = f"http://{proxy.address}"
        async with BrowserComputer(browser=chromium, url="http://shop.example/", proxy=address) as computer:
            assert (await computer.observe()).surface.title == "Relayed"
        assert ("http://shop.example/", "ada:p@ss word") in proxy.asked


async def test_a_proxy_that_is_not_there_is_one_line_without_its_password(chromium: Browser) -> None:
    with pytest.raises(ComputerError, match="ERR_PROXY_CONNECTION_FAILED") as caught:
        await BrowserComputer(
            browser=chromium, url="http://shop.example/", proxy="http://ada:s3cret@127.0.0.1:9"
        ).__aenter__()
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
