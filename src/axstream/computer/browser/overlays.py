"""What stands over the page of a tab and takes its input: a script dialog, or a file chooser. Answers are elsewhere."""

from __future__ import annotations

from axstream.ax.node import Tree
from axstream.computer.base import GivenFiles
from axstream.computer.browser import dialogs, filebox
from axstream.computer.browser.tab import Tab


def overlay(tab: Tab, files: GivenFiles | None) -> Tree | None:
    """Return the screen with what stands over the page, None where nothing does. A script dialog stands over a chooser."""
    if tab.dialog is not None:
        return dialogs.dialog_tree(tab.dialog, tab.size, tab.title, tab.url, tab.document)
    if tab.choosers.open is not None and not tab.failing:
        return filebox.chooser_tree(tab.choosers.open, files, tab.size, tab.title, tab.url, tab.document)
    return None


def is_part(handle: str) -> bool:
    """Tell whether a handle is that of a part of something over a page, open or not."""
    return handle.startswith((dialogs.PREFIX, filebox.PREFIX))
