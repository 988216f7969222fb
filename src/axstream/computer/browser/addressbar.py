"""The address bar that Chromium has and a page does not see: a small stand-in, exact for what it takes (Z16)."""

from __future__ import annotations

from axstream.ax.node import Node
from axstream.computer.base import Effect
from axstream.computer.browser.address import as_address, scheme_of
from axstream.errors import ActionUnsupported

HANDLE = "chrome-address"
NAME = "Address and search bar"


class AddressBar:
    """Where the focus is after Ctrl+L, until Enter, Escape or a click. What stands in it is selected at first."""

    def __init__(self) -> None:
        self.focused = False
        self.text = ""
        self._selected = False

    def focus(self, url: str) -> None:
        """Put the focus here, the page's address selected."""
        self.focused = True
        self.text = "" if url == "about:blank" else url
        self._selected = True

    def leave(self) -> None:
        """Give the focus back to the page."""
        self.focused = False

    def node(self) -> Node:
        """Return the bar as an element, as ``focus()`` reports it."""
        return Node(
            handle=HANDLE,
            role="textbox",
            name=NAME,
            value=self.text,
            interactive=True,
            editable=True,
            focused=True,
            onscreen=False,
        )

    def put(self, text: str) -> None:
        """Type text (no LF, no TAB) at the end, or over what is selected."""
        self.text = text if self._selected else self.text + text
        self._selected = False

    def clear(self) -> None:
        """Empty the bar."""
        self.text, self._selected = "", False

    def key(self, modifiers: tuple[str, ...], key: str) -> Effect | None:
        """Take a key; None for Enter, which navigates. Raises ActionUnsupported for what the stand-in cannot do."""
        if not modifiers and key == "enter":
            return None
        if not modifiers and key == "escape":
            self.leave()
            return Effect(summary="left the address bar")
        if modifiers in (("ctrl",), ("cmd",)) and key == "a":
            self._selected = True
            return Effect(summary="selected the address")
        if not modifiers and key in ("backspace", "delete"):
            self.text = "" if self._selected else self.text[:-1] if key == "backspace" else self.text
            self._selected = False
            return Effect(summary="deleted in the address bar")
        if not modifiers and (key == "space" or len(key) == 1):
            self.put(" " if key == "space" else key)
            return Effect(summary="typed in the address bar")
        raise ActionUnsupported(
            f"key: {'+'.join((*modifiers, key))} does nothing known in the address bar; type an address and Enter, or use `open` with the URL"
        )

    def address(self) -> str:
        """Return the URL that Enter goes to. Raises ActionUnsupported, naming ``open``, where it is no address."""
        url = as_address(self.text)
        if url is not None:
            return url
        scheme = scheme_of(self.text)
        if scheme is not None:
            raise ActionUnsupported(f"type: the address bar does not take {scheme}: addresses here; use `open`")
        raise ActionUnsupported(
            f'type: "{self.text[:80]}" is no address, and this browser has no search engine set; use `open` with the URL to go to'
        )
