"""What makes no sense is one line that says what to write, before anything runs; no message holds a credential."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from axstream.computer.browser import open_browser
from axstream.computer.browser.computer import BrowserComputer
from axstream.computer.browser.opening import Source
from axstream.computer.browser.options import PROXY_VARIABLE, as_keyword, origin_of, proxy_of
from axstream.errors import UsageError

SECRET = "hunter2"
RUNS: Any = object()  # stands for what is the caller's; nothing is asked of it here


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"viewport": "wide"}, "viewport: 'wide' is no size; write width and height in CSS pixels, like \"1280x720\""),
        ({"viewport": (0, 720)}, "viewport: (0, 720) is no size; write width and height in CSS pixels, like (1280, 720)"),
        ({"viewport": "99999x1"}, "each at most 10000"),
        ({"device_scale_factor": 0}, "device_scale_factor: 0 is no number over 0 and at most 8"),
        ({"device_scale_factor": float("nan")}, "nan is no number"),
        ({"device_scale_factor": True}, "True is no number"),
        ({"locale": "de_DE.UTF-8"}, "locale: 'de_DE.UTF-8' is no language tag; write it like de-DE"),
        ({"locale": "pt_BR"}, "write it like pt-BR"),
        ({"locale": ""}, "write it like de-DE"),
        ({"timezone": "Europe/Berlim"}, "timezone: 'Europe/Berlim' is no time zone; did you mean \"Europe/Berlin\""),
        ({"timezone": ""}, "write it like Europe/Berlin"),
        ({"user_agent": "a\nb"}, "cannot be a header's value"),
        ({"user_agent": " "}, "cannot be a header's value"),
        ({"color_scheme": "darc"}, "color_scheme: 'darc' is unknown; did you mean \"dark\"?"),
        ({"color_scheme": "blue-ish"}, 'known are "light", "dark" and "no-preference"'),
        ({"permissions": "camera"}, "permissions: write a list of names"),
        ({"permissions": ["camra"]}, "did you mean \"camera\"?"),
        ({"extra_http_headers": ["X: y"]}, "extra_http_headers: write a dict"),
        ({"extra_http_headers": {"X Y": "z"}}, "'X Y' is no header's name"),
        ({"extra_http_headers": {"X": f"{SECRET}\r\nY: z"}}, "the value of X cannot be sent"),
        ({"http_credentials": f"ada:{SECRET}"}, "http_credentials: write (user, password), or (user, password, origin)"),
        ({"http_credentials": ("ada", SECRET)}, "nobody is named that may get them"),
        ({"http_credentials": ("ada", SECRET, "example")}, "'example' is no origin"),
        ({"proxy": f"ada:{SECRET}@"}, "proxy: what was given is no address of a proxy"),
        ({"proxy": f"ftp://ada:{SECRET}@h:1"}, "proxy: 'ftp' is no scheme of a proxy"),
        ({"proxy": f"http://h:1/{SECRET}"}, "a proxy has a host and a port, and nothing behind them"),
        ({"proxy": f"socks5://ada:{SECRET}@h:1"}, "no user name and password to a SOCKS proxy"),
        ({"proxy": "http://h:99999"}, "no address of a proxy"),
        ({"cdp": f"ftp://{SECRET}"}, "cdp: what was given is no debugging address of a browser"),
        ({"cdp": f"http://ada:{SECRET}@127.0.0.1:1"}, "an http address has no user name and no query"),
        ({"cdp": ""}, "no debugging address"),
        ({"storage_state": 7}, "storage_state: write a file's path, or the dict"),
        ({"storage_state": {"cookie": SECRET}}, "holds no storage state"),
        ({"storage_state": {"cookies": [{"name": 1, "value": SECRET}]}}, "holds no storage state: Expected `str`"),
        ({"storage_state": "/no/such/state.json"}, "/no/such/state.json cannot be read: no such file or directory"),
        ({"save_storage": "/no/such/state.json"}, "save_storage: there is no folder /no/such"),
        # -- together --
        ({"page": RUNS, "context": RUNS}, "page= and context= exclude each other: name one"),
        ({"browser": RUNS, "cdp": "9222"}, "cdp= and browser= exclude each other: name one"),
        ({"page": RUNS, "headed": True}, "page= is the caller's own, as it is: leave out headed="),
        ({"page": RUNS, "viewport": (1, 1), "locale": "de"}, "leave out viewport= and locale="),
        ({"context": RUNS, "storage_state": {}}, "context= is the caller's own, as it is: leave out storage_state="),
        ({"browser": RUNS, "profile": "x"}, "browser= is the caller's own, and runs already: leave out profile="),
        ({"browser": RUNS, "executable": "x"}, "leave out executable="),
        ({"cdp": "9222", "profile": "x", "proxy": "h:1"}, "cdp= is a browser that runs already, as it is: leave out profile= and proxy="),
        ({"cdp": "9222", "downloads": "x"}, "leave out downloads="),
        ({"cdp": "9222", "permissions": ["camera"]}, "leave out permissions="),
        ({"cdp": "9222", "ignore_https_errors": True}, "leave out ignore_https_errors="),
        ({"profile": "x", "storage_state": {}}, "profile= keeps its own cookies and storage: leave out storage_state="),
    ],
)  # fmt: skip
def test_it_is_refused_in_one_line(named: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        BrowserComputer(**named)
    message = str(caught.value)
    assert said in message
    assert "\n" not in message
    assert SECRET not in message


def test_messages_are_spelled_as_the_caller_spells() -> None:
    def flag(name: str) -> str:
        return "--" + name.replace("_", "-")

    with pytest.raises(UsageError, match=r"^--device-scale-factor: 0 is"):
        open_browser(None, spell=flag, device_scale_factor=0)
    with pytest.raises(UsageError, match=r"^--cdp is a browser that runs already, as it is: leave out --locale$"):
        open_browser("cdp=9222", spell=flag, locale="de")
    with pytest.raises(UsageError, match=r"^--cdp: what was given is no debugging address"):
        open_browser("cdp=", spell=flag)


def test_no_picture_of_the_options_holds_a_credential() -> None:
    source = Source(
        spell=as_keyword,
        proxy=f"http://ada:{SECRET}@h:1",
        http_credentials=("ada", SECRET, "https://a.example"),
        extra_http_headers={"Authorization": SECRET},
        storage_state={"cookies": [], "origins": [{"origin": "https://a.example", "localStorage": [{"name": "t", "value": SECRET}]}]},
    )  # fmt: skip
    assert SECRET not in repr(source)
    assert SECRET not in str(source)
    assert "proxy" in repr(source)


def test_a_proxys_credentials_in_the_environment_have_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROXY_VARIABLE, SECRET)
    with pytest.raises(UsageError, match=f"^{PROXY_VARIABLE} is not of the form user:password$"):
        proxy_of("h:1")
    assert proxy_of("bob:x@h:1") == {"server": "http://h:1", "username": "bob", "password": "x"}  # the nearer one
    monkeypatch.delenv(PROXY_VARIABLE)
    assert proxy_of("[::1]:8080") == {"server": "http://[::1]:8080"}
    assert proxy_of("socks5://h:1") == {"server": "socks5://h:1"}


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("http://A.example:80/x?y", "http://a.example"),
        ("https://a.example:444/", "https://a.example:444"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("file:///x", None),
        ("http://a:b:c/", None),
    ],
)
def test_an_origin_is_scheme_host_and_unusual_port(address: str, origin: str | None) -> None:
    assert origin_of(address) == origin


def test_a_file_may_be_no_storage_state(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    for data, said in (
        (b'{"cookies": [\n}', "line 2, column 1 is not JSON"),
        (b"\xff", "is not UTF-8 text"),
        (b"[]", 'an object with "cookies" and "origins" was expected'),
        (b"[" * 100_000, "is not JSON"),
    ):
        file.write_bytes(data)
        with pytest.raises(UsageError, match=r"storage_state: .*state\.json") as caught:
            BrowserComputer(storage_state=file)
        assert said in str(caught.value)
    with pytest.raises(UsageError, match=r"save_storage: .* is a folder; name a file"):
        BrowserComputer(save_storage=tmp_path)


async def test_a_profile_is_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for place, said in ((file, "is no folder"), (file / "below", "cannot be a folder")):
        with pytest.raises(UsageError, match=said):
            await BrowserComputer(profile=place).__aenter__()
