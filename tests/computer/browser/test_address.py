"""What a text in an address bar means (A6, Z16)."""

from __future__ import annotations

import pytest

from axstream.computer.browser.address import as_address, scheme_of


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.com", "https://example.com"),
        ("example.com:8080/x?y", "https://example.com:8080/x?y"),
        ("localhost", "http://localhost"),
        ("localhost:3000/a", "http://localhost:3000/a"),
        ("app.localhost:3000", "http://app.localhost:3000"),
        ("127.0.0.1:80", "http://127.0.0.1:80"),
        ("[::1]:80/x", "http://[::1]:80/x"),
        ("10.0.0.1", "https://10.0.0.1"),
        ("http://a.example/x y", "http://a.example/x%20y"),
        ("HTTP://a.example/", "HTTP://a.example/"),
        (" https://a.example ", "https://a.example"),
        ("https://", None),
        ("box:8000", "https://box:8000"),
        ("about:blank", "about:blank"),
        ("weather tokyo", None),
        ("weather", None),
        ("javascript:alert(1)", None),
        ("javascript:1", None),
        ("data:text/html,x", None),
        ("file:///etc/passwd", None),
        ("", None),
    ],
)
def test_an_address_is_told_from_words(text: str, url: str | None) -> None:
    assert as_address(text) == url


def test_a_scheme_is_told_from_a_port() -> None:
    assert scheme_of("javascript:1") == "javascript"
    assert scheme_of("https://x.example") is None
    assert scheme_of("https://") is None
    assert scheme_of("localhost:80") is None
