"""Text into what has the focus: which way it goes in, and whether it landed (A1, Z18). Keys and pointers are below."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import Any

import anyio

from axstream.computer.base import Effect, TypeText
from axstream.computer.browser.choosing import Choosing
from axstream.computer.browser.inputs import Inputs
from axstream.computer.browser.keys import US_KEYBOARD, as_press
from axstream.computer.browser.listeners import hears_keys
from axstream.computer.browser.realm import Realm
from axstream.computer.browser.setting import Setting
from axstream.computer.browser.settle import after_act, before_question, tasks_run
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.errors import TargetNotActionable

KEYED = 240  # characters up to which each is its own key press, as a person's; about half a second's worth
CHUNK = 24  # characters in flight at once: what a cancellation may still let through
ADVANCE_TRIES = 5  # two frames each, for a full field to give the focus on
FOCUS_WAIT_S = 0.3  # for the focus that a click on the named element gives
_LEAVES = ("\n", "\t")
_PIECE = re.compile(r"\n|\t|[^\n\t]+")


def say_node(node: dict[str, Any] | None) -> str:
    """Name what has the focus, for a message."""
    if node is None:
        return "nothing has the focus"
    name = node.get("name") or node.get("placeholder") or node.get("description") or ""
    return f"the focus is on {node['role']}" + (f' "{name[:80]}"' if name else "")


async def focus_of(tab: Tab) -> tuple[dict[str, Any], Realm]:
    """Return what has the focus, and the realm that it lives in (a frame of another process has its own)."""
    realm: Realm = tab.main
    while True:
        focus = await tab.race(realm.call("focus"))
        owner = focus.get("remote")
        if owner is None:
            return focus, realm
        frame = await tab.race(tab.remote_realm(realm, owner))
        if frame is None:
            return {"node": None, "takes": None, "kind": "none"}, realm
        realm = frame.realm


async def page_takes_keys(tab: Tab, focus: dict[str, Any], realm: Realm) -> bool:
    """Tell whether letters that no field takes mean something to the page itself: it listens, and no control has them."""
    return not focus.get("deaf") and await tab.race(hears_keys(realm))


def pieces(text: str) -> list[str]:
    """Cut text into Enters, Tabs and what lies between them; CRLF is LF (Z18)."""
    return _PIECE.findall(text.replace("\r\n", "\n").replace("\r", "\n"))


def runs(text: str) -> list[tuple[bool, str]]:
    """Cut text into stretches that a US keyboard types and stretches that it does not."""
    found: list[tuple[bool, str]] = []
    for character in text:
        on_keyboard = character in US_KEYBOARD
        if found and found[-1][0] == on_keyboard:
            found[-1] = (on_keyboard, found[-1][1] + character)
        else:
            found.append((on_keyboard, character))
    return found


class Typist:
    """Types one text into one tab."""

    def __init__(self, tab: Tab, inputs: Inputs) -> None:
        self._tab = tab
        self._inputs = inputs
        self._sent = 0
        self._notes: list[str] = []

    async def type(self, command: TypeText) -> Effect:
        """Type, and say what landed. Raises TargetNotActionable naming what has the focus where it takes no text."""
        text = command.text.replace("\r\n", "\n").replace("\r", "\n")
        if command.handle is not None:
            await self._await_focus(command.handle)
        if command.clear:
            await self._clear(text)
        total = len(text)
        try:
            for before, piece in pairwise(["\n", *pieces(text)]):
                if piece in _LEAVES and before not in _LEAVES:
                    await tasks_run(self._tab)  # a page may take what it heard into account a task later
                await self._piece(piece)
        except DialogOpen:
            if self._sent < total:
                raise TargetNotActionable(
                    f"type: cut short by a dialog: {self._sent} of {total} characters were sent, and they stay; answer the dialog first"
                )
        except TargetNotActionable as error:
            if not self._sent:
                raise
            raise TargetNotActionable(f"{error}; {self._sent} of {total} characters were sent before it, and they stay")
        said = f"typed {total} character{'' if total == 1 else 's'}"
        return Effect(
            summary=("cleared, then " if command.clear and total else "cleared, " if command.clear else "") + said,
            notes=tuple(self._notes),
        )

    async def _await_focus(self, handle: str) -> None:
        deadline = time.monotonic() + FOCUS_WAIT_S
        while True:
            focus, realm = await focus_of(self._tab)
            state = await self._tab.race(realm.call("hasFocus", handle))
            if state["has"] or not state["alive"] or not state["editable"]:
                return
            if time.monotonic() >= deadline:
                raise TargetNotActionable(f"type: the field did not take the focus; {say_node(focus['node'])}")
            await anyio.sleep(0.02)

    async def _clear(self, text: str) -> None:
        focus, realm = await focus_of(self._tab)
        if focus["kind"] == "set":
            if not text:  # else what is typed takes its place
                self._notes += await Setting(self._tab, self._inputs).set("", realm)
            return
        if focus["kind"] not in ("field", "rich"):
            raise TargetNotActionable(f"type: {say_node(focus['node'])}, which holds no text to clear")
        await self._check(focus, realm)
        await self._tab.race(realm.call("armKey"))  # an editor may select in its own way, and its own text
        await self._inputs.press(as_press(("cmd",), "a"))
        await self._tab.race(realm.call("selectAll"))
        await self._inputs.press(as_press((), "delete"))
        if not text:
            left = await self._tab.race(realm.call("measure"))
            if left is not None and left["length"]:
                self._notes.append(f"the field still holds {left['length']} characters")

    async def _check(self, focus: dict[str, Any], realm: Realm) -> None:
        """Keys that no field takes are for the page itself, where it listens to them (Z18)."""
        if focus["takes"] is False and not await page_takes_keys(self._tab, focus, realm):
            raise TargetNotActionable(f"type: {say_node(focus['node'])}, which takes no text")

    async def _piece(self, piece: str) -> None:
        if piece == "\n":
            await self._inputs.press(as_press((), "enter"))
            self._sent += 1
            await after_act(self._tab)
            return
        if piece == "\t":
            await self._inputs.press(as_press((), "tab"))
            self._sent += 1
            return
        await before_question(self._tab)
        focus, realm = await focus_of(self._tab)
        await self._check(focus, realm)
        if focus["kind"] == "set":
            await self._set(piece, realm)
            return
        if focus["kind"] == "select":
            await self._choose(piece, realm)
            return
        before = await self._tab.race(realm.call("measure"))
        room = _room(before)
        if room is None or len(piece) <= room:
            await self._send(piece, focus["kind"])
            await self._verify(piece, before, realm)
            return
        await self._send(piece[:room], focus["kind"])
        after = before
        for _ in range(ADVANCE_TRIES):  # boxes for one digit each give the focus on when they are full
            await self._tab.race(realm.call("frames", 2))
            after = await self._tab.race(realm.call("measure"))
            if not room or after is None or not after["same"]:
                break
        if room and (after is None or not after["same"]):
            await self._piece(piece[room:])
            return
        await self._send(piece[room:], focus["kind"])
        await self._verify(piece, before, realm)

    async def _send(self, text: str, kind: str) -> None:
        at_once = len(text) > KEYED and not self._inputs.pace.character_s and kind in ("field", "rich")
        for on_keyboard, stretch in [(False, text)] if at_once else runs(text):
            for start in range(0, len(stretch), CHUNK if on_keyboard else len(stretch)):
                chunk = stretch[start : start + CHUNK] if on_keyboard else stretch
                await (self._inputs.type(chunk) if on_keyboard else self._inputs.insert(chunk))
                self._sent += len(chunk)

    async def _set(self, piece: str, realm: Realm) -> None:
        self._notes += await Setting(self._tab, self._inputs).set(piece.strip(), realm)
        self._sent += len(piece)

    async def _choose(self, piece: str, realm: Realm) -> None:
        """A native list takes the letters of an option."""
        meant = await self._tab.race(realm.call("optionTyped", piece))
        if "problem" in meant:
            raise TargetNotActionable(f"type: {meant['problem']}")
        effect = await Choosing(self._tab, self._inputs).choose(realm, meant["handle"], None)
        self._sent += len(piece)
        self._notes += (effect.summary, *effect.notes)

    async def _verify(self, piece: str, before: dict[str, Any] | None, realm: Realm) -> None:
        """Note where fewer characters landed than were sent; what a page makes of them is its own affair."""
        if before is None or (before["selected"] is None and "number" not in before):
            return
        after = await self._tab.race(realm.call("measure"))
        if after is None or not after["same"]:
            return
        if "number" in after:
            if after["number"] is None:
                self._notes.append("the field takes it as no number")
            elif not before["length"] and after["number"] != piece.strip():
                self._notes.append(f'the field holds "{after["number"]}"')
            return
        landed = after["length"] - before["length"] + before["selected"]
        sent = len(piece.encode("utf-16-le")) // 2  # what the page counts in
        if landed < sent:
            limit = f"; the field takes at most {after['max']}" if after.get("max", -1) >= 0 else ""
            self._notes.append(f"{max(landed, 0)} of {sent} characters landed{limit}")


def _room(measured: dict[str, Any] | None) -> int | None:
    """Return how many characters a field still takes, None where it has no limit."""
    if measured is None or measured["max"] < 0 or measured["selected"] is None:
        return None
    return max(int(measured["max"]) - int(measured["length"]) + int(measured["selected"]), 0)
