"""A page's file chooser as elements: what it wants, which files may be given, a field for a name, its buttons."""

from __future__ import annotations

from axstream.ax.node import Box, Left, Node, Surface, Tree
from axstream.computer.base import GivenFiles
from axstream.computer.browser.choosers import OpenChooser

PREFIX = "files-"
_WIDTH, _TOP, _ROW, _EDGE = 440.0, 20.0, 18.0, 20.0
_NAMES = {"file": "choose a file", "files": "choose files", "folder": "choose a folder"}
_ASKS = {
    "file": "the page asks for one file; click one to give it, or type its name and press enter; escape gives none",
    "files": "the page asks for files; click those to give and then Open, or type their names in double quotes and press "
    "enter; escape gives none",
    "folder": "the page asks for a folder with all that is in it; click one to give it, or type its name and press "
    "enter; escape gives none",
}
_NONE = "the page asks for a {what}, and the policy names none that may be uploaded; escape closes the chooser"


def part_of(chooser: OpenChooser, handle: str) -> str | None:
    """Return which part of this chooser a handle names (``field``, ``open``, ``cancel``, a number), None of another's."""
    prefix = f"{PREFIX}{chooser.number}-"
    return handle.removeprefix(prefix) if handle.startswith(prefix) else None


def offer(chooser: OpenChooser, files: GivenFiles | None) -> tuple[tuple[str, ...], int]:
    """Return the names of what may be given, the same for as long as the chooser is open, and how many there are more."""
    if files is None:
        return (), 0
    if chooser.offered is None:
        chooser.offered = files.listed(folders=chooser.wants == "folder")
    return chooser.offered.names, chooser.offered.more


def chooser_tree(
    chooser: OpenChooser, files: GivenFiles | None, size: tuple[float, float], title: str, url: str, document: str
) -> Tree:
    """Return the screen while a chooser stands over the page: the page's root, and the chooser."""
    width, height = size
    names, more = offer(chooser, files)
    left = max((width - _WIDTH) / 2, 0.0)
    root = Node(
        handle=document or f"{PREFIX}page",
        role="document",
        document=document.rpartition(".")[0],
        name=title,
        url=url,
        box=Box(0, 0, width, height),
    )
    nodes = [root]
    row = _TOP + _EDGE

    def add(part: str, role: str, name: str, x: float, w: float, **more: object) -> None:
        nodes.append(
            Node(
                handle=f"{PREFIX}{chooser.number}-{part}",
                role=role,
                name=name,
                document=root.document,
                parent=1 if len(nodes) > 1 else 0,
                box=Box(left + x, row, w, _ROW),
                **more,  # type: ignore[arg-type]  # states of a node, by their names
            )
        )

    add("box", "dialog", _NAMES[chooser.wants], 0, _WIDTH, modal=True, active=True)
    if chooser.accepts.strip():
        add("accepts", "text", f"the page takes: {chooser.accepts}", _EDGE, _WIDTH - 2 * _EDGE)
        row += _ROW
    for number, name in enumerate(names):
        marked = name in chooser.marked
        add(str(number), "option", name, _EDGE, _WIDTH - 2 * _EDGE, interactive=True, selected=marked)
        row += _ROW
    add(
        "field",
        "textbox",
        "File name",
        _EDGE,
        _WIDTH - 2 * _EDGE,
        value=chooser.text,
        interactive=True,
        editable=True,
        focused=True,
        submits="Open",
    )
    row += 2 * _ROW
    add("open", "button", "Open", _WIDTH - 200, 80, interactive=True)
    add("cancel", "button", "Cancel", _WIDTH - 100, 80, interactive=True)
    nodes[1] = _reaching(nodes[1], row + _ROW + _EDGE)
    what = "folder" if chooser.wants == "folder" else "file"
    return Tree(
        nodes=tuple(nodes),
        surface=Surface(width=width, height=height, title=title, url=url),
        notes=(_ASKS[chooser.wants] if names else _NONE.format(what=what),),
        more=(Left("in the folder", "type a name", elements=more),) if more else (),
    )


def _reaching(box: Node, bottom: float) -> Node:
    frame = box.box
    if frame is None:
        raise AssertionError("the chooser has a place")
    return Node(
        handle=box.handle,
        role=box.role,
        name=box.name,
        document=box.document,
        parent=box.parent,
        box=Box(frame.x, _TOP, frame.w, bottom - _TOP),
        modal=True,
        active=True,
    )
