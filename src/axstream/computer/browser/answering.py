"""Input while a script dialog is open: it answers the dialog or fails saying so; nothing reaches the page (Z16)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from axstream.computer.base import ClickAt, Command, Effect, MoveTo, PressKeys, TypeText
from axstream.computer.browser.dialogs import dialog_tree, node_at, part_of
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.settle import after_act
from axstream.computer.browser.tab import DialogOpen, OpenDialog, Tab
from axstream.errors import Disconnected, TargetNotActionable

RESUME_LIMIT_S = 1.0  # for the input that the dialog held up to arrive


class Answering:
    """Answers the dialog of one tab."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab

    async def answer(self, command: Command) -> Effect:
        """Take a command as a person's input to the dialog. Raises TargetNotActionable for what it does not take."""
        dialog = self._tab.dialog
        if dialog is None:
            raise AssertionError("no dialog is open")
        match command:
            case ClickAt(button="left"):
                return await self._click(dialog, command)
            case MoveTo():
                return Effect(summary="moved the pointer")
            case PressKeys(modifiers=(), key="enter"):
                return await self._close(dialog, accept=True)
            case PressKeys(modifiers=(), key="escape"):
                return await self._close(dialog, accept=False)
            case PressKeys(modifiers=(), key="space") if dialog.kind != "prompt":
                return await self._close(dialog, accept=True)
            case PressKeys(modifiers=(), key=key) if dialog.kind == "prompt":
                return self._edit(dialog, key)
            case TypeText() if dialog.kind == "prompt":
                return await self._type(dialog, command)
            case _:
                raise TargetNotActionable(
                    f'a {dialog.kind} dialog is open ("{dialog.message[:80]}"); answer it first: click its OK'
                    + (" or Cancel" if dialog.kind != "alert" else "")
                )

    async def _click(self, dialog: OpenDialog, command: ClickAt) -> Effect:
        tab = self._tab
        part = part_of(dialog, command.handle) if command.handle is not None else None
        if part is None:
            under = node_at(dialog_tree(dialog, tab.size, "", "", ""), command.x, command.y)
            part = part_of(dialog, under.handle) if under is not None else None
        if part in ("ok", "cancel"):
            return await self._close(dialog, accept=part == "ok")
        if part == "field":
            return Effect(summary="clicked the dialog's field")
        raise TargetNotActionable(
            f'a {dialog.kind} dialog is open ("{dialog.message[:80]}"); the page cannot be clicked until it is answered'
        )

    def _edit(self, dialog: OpenDialog, key: str) -> Effect:
        if key == "backspace":
            dialog.text = dialog.text[:-1]
        elif key == "space":
            dialog.text += " "
        elif len(key) == 1:
            dialog.text += key
        else:
            raise TargetNotActionable(
                f"key: {key} does nothing known in a prompt; type its answer, then press enter or escape"
            )
        return Effect(summary="typed in the prompt")

    async def _type(self, dialog: OpenDialog, command: TypeText) -> Effect:
        text = command.text.replace("\r\n", "\n").replace("\r", "\n")
        untouched = dialog.text == dialog.dialog.default_value
        line, enter, _rest = text.partition("\n")
        dialog.text = line if command.clear or untouched else dialog.text + line  # a prompt's default is selected
        if enter:
            return await self._close(dialog, accept=True)
        return Effect(summary=f"typed {len(line)} characters in the prompt")

    async def _close(self, dialog: OpenDialog, *, accept: bool) -> Effect:
        tab = self._tab
        tab.mark_act()
        blocked = set(tab.blocked)
        answer: Any = (
            dialog.dialog.accept(dialog.text if dialog.kind == "prompt" else "") if accept else dialog.dialog.dismiss()
        )
        with contextlib.suppress(playwright_error()):  # answered by something else meanwhile
            await asyncio.wait_for(answer, RESUME_LIMIT_S * 5)
        if tab.dialog is dialog:
            tab.dialog = None
        await self._resume(blocked)
        with contextlib.suppress(DialogOpen, Disconnected):
            await after_act(tab)
        return Effect(summary=f"answered the {dialog.kind} with {'OK' if accept else 'Cancel'}")

    async def _resume(self, blocked: set[asyncio.Future[Any]]) -> None:
        """Wait for the input that the dialog held up, unless another dialog holds it again."""
        deadline = time.monotonic() + RESUME_LIMIT_S
        while blocked and self._tab.dialog is None and not self._tab.closed and time.monotonic() < deadline:
            done, blocked = await asyncio.wait(blocked, timeout=0.02)
            del done
