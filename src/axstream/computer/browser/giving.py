"""Input while a file chooser stands over the page: it gives files that may be given, closes the chooser, or fails (Z16).

Which files may be given is decided by the policy, behind ``GivenFiles``; what it does not name is never handed over.
"""

from __future__ import annotations

import contextlib
import os
import re

from axstream.computer.base import ClickAt, Command, Effect, GivenFiles, MoveTo, PressKeys, TypeText
from axstream.computer.browser.choosers import OpenChooser
from axstream.computer.browser.dialogs import node_at
from axstream.computer.browser.filebox import chooser_tree, offer, part_of
from axstream.computer.browser.inputs import Inputs
from axstream.computer.browser.launch import playwright_error
from axstream.computer.browser.settle import after_act
from axstream.computer.browser.tab import DialogOpen, Tab
from axstream.errors import ActionDenied, Disconnected, TargetNotActionable, TargetNotFound

_QUOTED = re.compile(r'"([^"]+)"')
_CANCELLED = "function () { this.dispatchEvent(new Event('cancel', { bubbles: true })); }"


class Giving:
    """Answers the file chooser of one tab."""

    def __init__(self, tab: Tab, inputs: Inputs, chooser: OpenChooser, files: GivenFiles | None) -> None:
        self._tab = tab
        self._inputs = inputs
        self._chooser = chooser
        self._files = files

    async def answer(self, command: Command) -> Effect:
        """Take a command as a person's input to the chooser.

        Raises ActionDenied for files that the policy does not name, TargetNotActionable for input that it does not take.
        """
        match command:
            case ClickAt(button="left"):
                return await self._click(command)
            case MoveTo():
                return Effect(summary="moved the pointer")
            case PressKeys(modifiers=(), key="enter"):
                return await self._give(self._typed())
            case PressKeys(modifiers=(), key="escape"):
                return await self._cancel()
            case PressKeys(modifiers=(), key=key):
                return self._edit(key)
            case TypeText():
                return await self._type(command)
            case _:
                raise TargetNotActionable(
                    "a file chooser is open; click a file, type a file name and press enter, or press escape first"
                )

    async def _click(self, command: ClickAt) -> Effect:
        tab, chooser = self._tab, self._chooser
        part = part_of(chooser, command.handle) if command.handle is not None else None
        if part is None:
            tree = chooser_tree(chooser, self._files, tab.size, "", "", "")
            under = node_at(tree, command.x, command.y)
            part = part_of(chooser, under.handle) if under is not None else None
        match part:
            case "open":
                return await self._give(self._typed())
            case "cancel":
                return await self._cancel()
            case "field":
                return Effect(summary="clicked the file name's field")
            case str() if part.isdecimal():
                return await self._pick(offer(chooser, self._files)[0][int(part)], twice=command.count > 1)
            case _:
                raise TargetNotActionable(
                    "a file chooser is open; the page cannot be clicked until a file is chosen, or Cancel clicked"
                )

    async def _pick(self, name: str, *, twice: bool) -> Effect:
        chooser = self._chooser
        if chooser.wants != "files":
            return await self._give([name])
        if name in chooser.marked and not twice:
            chooser.marked = [other for other in chooser.marked if other != name]
            return Effect(summary=f"took the mark off {_say(name)}")
        chooser.marked = [*chooser.marked, *([] if name in chooser.marked else [name])]
        return await self._give(self._typed()) if twice else Effect(summary=f"marked {_say(name)}; Open gives it")

    def _edit(self, key: str) -> Effect:
        chooser = self._chooser
        if key == "backspace":
            chooser.text = chooser.text[:-1]
        elif key == "space":
            chooser.text += " "
        elif len(key) == 1:
            chooser.text += key
        else:
            raise TargetNotActionable(
                f"key: {key} does nothing known in a file chooser; type a file name, then press enter, or press escape"
            )
        return Effect(summary="typed in the file name")

    async def _type(self, command: TypeText) -> Effect:
        text = command.text.replace("\r\n", "\n").replace("\r", "\n")
        line, enter, _rest = text.partition("\n")
        self._chooser.text = line if command.clear else self._chooser.text + line
        if enter:
            return await self._give(self._typed())
        return Effect(summary=f"typed {len(line)} characters in the file name")

    def _typed(self) -> list[str]:
        """Return the names that are marked and those that are typed: one, or several in double quotes."""
        text = self._chooser.text.strip()
        quoted = _QUOTED.findall(text)
        typed = quoted if quoted else [text] if text else []
        return [*self._chooser.marked, *typed]

    # -- answering ---------------------------------------------------------------------------------------------------

    async def _give(self, names: list[str]) -> Effect:
        tab, chooser = self._tab, self._chooser
        if not names:
            raise TargetNotActionable("no file is named; click a file or type its name, or press escape to give none")
        if self._files is None:
            chooser.text = ""
            raise ActionDenied("no file may be uploaded here, and nothing was chosen; press escape")
        if len(names) > 1 and chooser.wants != "files":
            raise TargetNotActionable(f"the page takes one {chooser.wants} only, and {len(names)} are named; name one")
        try:
            paths = [self._files.find(name, folders=chooser.wants == "folder") for name in names]
        except ActionDenied:
            chooser.text = ""  # the next name does not go on from this one
            raise
        paths = list(dict.fromkeys(paths))
        tab.mark_act()
        try:
            await self._inputs.send(
                chooser.session.send("DOM.setFileInputFiles", {"files": paths, "backendNodeId": chooser.field})
            )
        except DialogOpen:  # the page heard of the files, and asks something
            pass
        except playwright_error() as error:
            tab.choosers.close()
            raise TargetNotFound("the page took its file field away; nothing was chosen") from error
        return await self._done("gave the page " + ", ".join(_say(os.path.basename(path)) for path in paths))

    async def _cancel(self) -> Effect:
        chooser = self._chooser
        self._tab.mark_act()
        with contextlib.suppress(DialogOpen, playwright_error()):  # the field went away: nobody hears of it
            node = await chooser.session.send("DOM.resolveNode", {"backendNodeId": chooser.field})
            await self._inputs.send(
                chooser.session.send(
                    "Runtime.callFunctionOn",
                    {"objectId": node["object"]["objectId"], "functionDeclaration": _CANCELLED},
                )
            )
        return await self._done("closed the file chooser; nothing was chosen")

    async def _done(self, summary: str) -> Effect:
        tab = self._tab
        if tab.choosers.open is self._chooser:
            tab.choosers.close()
        with contextlib.suppress(DialogOpen, Disconnected):
            await after_act(tab)
        return Effect(summary=summary)


def _say(name: str) -> str:
    return f'"{name}"'
