"""What ``open`` means, and which input performs an act (A6, Z19, A2, N2). Nothing is performed here."""

from __future__ import annotations

import pytest

from axstream.computer.addresses import as_url
from axstream.computer.base import ClickAt, DragTo, MoveTo, OpenApp, OpenUrl, PressKeys, TypeText, Wheel
from axstream.errors import ActionDenied, ActionError, ActionUnsupported, TargetNotFound
from axstream.policy import judge
from axstream.policy.policy import DEFAULT_SCHEMES
from axstream.runtime.lower import lower, lower_open
from axstream.spec.actions import (
    BuiltinAct,
    Click,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.targets import PointTarget

APPS = ("Notes", "Mail", "Web Browser", "notes.app", "example.com")
HERE = PointTarget(1, 2)


def opened(target: str, *, apps: tuple[str, ...] = (), schemes: tuple[str, ...] = DEFAULT_SCHEMES) -> object:
    return lower_open(Open(target=target), apps, schemes=schemes, has_applications=bool(apps), opens_urls=True)


@pytest.mark.parametrize(
    ("target", "url"),
    [
        ("example.com", "https://example.com"),
        ("example.com.", "https://example.com."),
        ("EXAMPLE.com/Path?q=1#top", "https://EXAMPLE.com/Path?q=1#top"),
        ("example.com:8443/x", "https://example.com:8443/x"),
        ("  example.com  ", "https://example.com"),
        ("bücher.example", "https://bücher.example"),
        ("localhost", "http://localhost"),
        ("localhost.", "http://localhost."),
        ("localhost:3000", "http://localhost:3000"),
        ("localhost:3000/a", "http://localhost:3000/a"),
        ("LOCALHOST:3000", "http://LOCALHOST:3000"),
        ("app.localhost:3000", "http://app.localhost:3000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("127.8.9.1:80/x", "http://127.8.9.1:80/x"),
        ("192.0.2.7", "https://192.0.2.7"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("[2001:db8::1]", "https://[2001:db8::1]"),
        ("intranet:8080", "https://intranet:8080"),
        ("http://example.com", "http://example.com"),
        ("HTTPS://example.com", "HTTPS://example.com"),
        ("https://[::1]/", "https://[::1]/"),
        ("about:blank", "about:blank"),
        ("https://shop.example/find?q=red shoes", "https://shop.example/find?q=red%20shoes"),
        ("shop.example/a b", "https://shop.example/a%20b"),
    ],
)
def test_what_looks_like_an_address_is_one(target: str, url: str) -> None:
    """A6: loopback gets http, all others https; a space in a path is what a person would mean by it."""
    assert opened(target) == OpenUrl(url=url)


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "JavaScript:alert(1)",
        "javascript://example.com/%0aalert(1)",
        "data:text/html,<b>x</b>",
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "ftp://example.com",
        "view-source:https://example.com",
        "chrome://settings",
        "about:config",
        "about:blank#x",
        "vbscript:x",
        "user:secret@example.com",
    ],
)
def test_a_scheme_that_is_not_on_the_allow_list_is_denied(target: str) -> None:
    """A6: an allow-list; the message names what is allowed."""
    with pytest.raises(ActionDenied, match="about:blank"):
        opened(target)


def test_a_policy_may_allow_more_schemes() -> None:
    """A6."""
    more = (*DEFAULT_SCHEMES, "file", "data")
    assert opened("file:///srv/page.html", schemes=more) == OpenUrl(url="file:///srv/page.html")
    assert opened("data:text/html,hello world", schemes=more) == OpenUrl(url="data:text/html,hello%20world")


@pytest.mark.parametrize(
    "target",
    [
        "http://",
        "https:///path",
        "http:example.com",
        "http://[::1",
        "https://[nonsense]/",
        "https://ex℀mple.com",
        "https://example.com:99999",
        "https://example.com:port",
        "example.com:99999",
        "https://good.example\\@bad.example",
        "https://exa mple.com",
    ],
)
def test_a_malformed_address_is_a_failure_and_no_crash(target: str) -> None:
    """A6: what the model wrote wrong is told to it, whatever the URL reader thinks of it."""
    with pytest.raises(ActionError):
        opened(target)


@pytest.mark.parametrize("target", ["http://[::1", "https://ex℀mple.com/delete", "//[", "x://[/logout"])
def test_judging_a_malformed_address_is_no_crash(target: str) -> None:
    """R3."""
    assert isinstance(judge(Open(target=target), None, None, None), tuple)


def test_the_host_of_an_address_with_user_information_is_what_stands_behind_the_at() -> None:
    """A6, R5: the address is passed on as it is; nothing before the @ makes it loopback."""
    assert opened("https://localhost@example.com/") == OpenUrl(url="https://localhost@example.com/")


@pytest.mark.parametrize("target", ["3.14", "2024.12.24", "999.100.100.100", "1.2.3.400", "Notes", "My App: v2"])
def test_what_is_no_address_is_an_applications_name(target: str) -> None:
    """A6: numbers with dots are no host."""
    with pytest.raises(ActionUnsupported, match="no applications"):
        opened(target)


@pytest.mark.parametrize(
    "target", ["a\nb.example", "exam\tple.com", "https://example.com/\x00", "java\nscript:alert(1)"]
)
def test_control_characters_open_nothing(target: str) -> None:
    with pytest.raises(ActionError):
        opened(target)


def test_installed_names_go_before_addresses() -> None:
    """Z19: names, then host[:port], then schemes."""
    assert opened("example.com", apps=APPS) == OpenApp(name="example.com")
    assert opened("notes.app", apps=APPS) == OpenApp(name="notes.app")
    assert opened("mail.example", apps=APPS) == OpenUrl(url="https://mail.example")


def test_an_application_is_found_in_any_case_unless_two_differ_by_case_alone() -> None:
    """A6."""
    assert opened("nOTES", apps=APPS) == OpenApp(name="Notes")
    assert opened("web browser ", apps=APPS) == OpenApp(name="Web Browser")
    assert opened("mail", apps=("Mail", "mail")) == OpenApp(name="mail")
    with pytest.raises(TargetNotFound):
        opened("MAIL", apps=("Mail", "mail"))


def test_an_unknown_application_is_told_with_the_nearest_names() -> None:
    """A6."""
    with pytest.raises(TargetNotFound, match=r"nearest are: Notes"):
        opened("Note", apps=APPS)


def test_an_application_is_never_a_command_line() -> None:
    """A6: it never goes through a shell; only exact names leave this function."""
    for target in ("Notes; rm -rf x", "Notes && Mail", "$(Notes)", "../Notes", "Notes\n"):
        try:
            command = opened(target, apps=APPS)
        except ActionError:
            continue
        assert command == OpenApp(name="Notes")
        assert target.strip() == "Notes"


def test_without_anything_to_show_pages_with_an_address_is_unsupported() -> None:
    """A6."""
    with pytest.raises(ActionUnsupported, match="no web pages"):
        lower_open(Open(target="example.com"), ("Notes",), schemes=("https",), has_applications=True, opens_urls=False)


def test_as_url_says_none_for_words() -> None:
    assert as_url("just some words", DEFAULT_SCHEMES) is None


@pytest.mark.parametrize(
    ("act", "commands"),
    [
        (Click(target=HERE), (ClickAt(x=1, y=2, handle="h"),)),
        (DoubleClick(target=HERE), (ClickAt(x=1, y=2, count=2, handle="h"),)),
        (RightClick(target=HERE), (ClickAt(x=1, y=2, button="right", handle="h"),)),
        (Move(target=HERE), (MoveTo(x=1, y=2, handle="h"),)),
        (Drag(from_=HERE, to=PointTarget(3, 4)), (DragTo(x=1, y=2, to_x=3, to_y=4),)),
        (
            Type(text="a", clear=True, target=HERE),
            (ClickAt(x=1, y=2, handle="h"), TypeText(text="a", clear=True, handle="h")),
        ),
        (Scroll(direction="down", clicks=3), (Wheel(direction="down", clicks=3),)),
        (Key(keys=("ctrl", "shift", "s")), (PressKeys(modifiers=("ctrl", "shift"), key="s"),)),
        (Key(keys=("+",)), (PressKeys(modifiers=(), key="+"),)),
        (Open(target="x"), ()),
        (Wait(ms=1), ()),
        (WaitUntil(target=HERE), ()),
    ],
)
def test_every_act_becomes_its_input(act: BuiltinAct, commands: tuple[object, ...]) -> None:
    assert lower(act, (1, 2), (3, 4), "h") == commands


def test_typing_without_a_target_clicks_nothing() -> None:
    """N2."""
    assert lower(Type(text="a"), None, None, None) == (TypeText(text="a"),)


@pytest.mark.parametrize("target", ["javascript:1", "data:1", "file:80"])
def test_a_scheme_with_digits_behind_it_is_no_host_with_a_port(target: str) -> None:
    """A6."""
    with pytest.raises(ActionDenied):
        as_url(target, DEFAULT_SCHEMES)
