"""Strategies for what is written into: an editor with styles, a terminal, text to select."""

from __future__ import annotations

import re

from campaigns.miniwob.acts import click, key, write
from campaigns.miniwob.screen import Screen
from campaigns.miniwob.strategies.lists import submit
from campaigns.miniwob.strategies.pointing import Strategy

_CHORDS = {"bold": "b", "italics": "i", "underlined": "u"}


def style(seen: Screen) -> Strategy:
    """Select a word or all of the text of an editor by its keys, and give it a style by its chord."""
    asked = re.search(r"the style (\w+)", seen.said)
    word = re.search(r"give the text (.+?) the (?:style|color)", seen.said)
    editor = next((line for line in seen.all() if "multiline" in line.states), None)
    if not asked or editor is None:
        return
    lines = [click(editor), key("cmd", "a")]
    if word:
        at = editor.name.index(word[1])
        lines = [click(editor), key("cmd", "home"), *[key("right")] * at, *[key("shift", "right")] * len(word[1])]
    yield [*lines, key("cmd", _CHORDS[asked[1]]), *submit(seen)]


def terminal(seen: Screen) -> Strategy:
    """List the files, then delete the one with the ending that is asked for."""
    ending = re.search(r"the extension (\.\w+)", seen.said)
    field = seen.one("textbox")
    before = seen.said
    if field is None:
        return
    seen = yield [click(field), write("ls\n")]
    listed = seen.said[len(before.rstrip("█ ")) :].replace("user$", " ").replace("█", " ").split()
    for name in listed:
        if name != "ls" and (name.endswith(ending[1]) if ending else "." not in name):
            yield [write(f"rm {name}\n")]
            return


def highlight(seen: Screen) -> Strategy:
    """Nothing yet."""
    yield []
