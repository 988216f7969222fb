"""A page's script dialog as elements, and its answer (Z16). It is shown and answered by input, never by itself."""

from __future__ import annotations

import msgspec

from axstream.ax.node import Box, Node, Surface, Tree
from axstream.computer.browser.tab import OpenDialog

_WIDTH, _HEIGHT, _TOP = 440.0, 180.0, 40.0
_NAMES = {"alert": "alert", "confirm": "confirm", "prompt": "prompt", "beforeunload": "leave this page?"}
_LEAVING = "Changes that you made may not be saved. OK leaves the page, Cancel stays."
PREFIX = "dialog-"


def handle_of(dialog: OpenDialog, part: str) -> str:
    """Return the handle of a part of a dialog: ``box``, ``text``, ``field``, ``ok`` or ``cancel``."""
    return f"{PREFIX}{dialog.number}-{part}"


def part_of(dialog: OpenDialog, handle: str) -> str | None:
    """Return which part of this dialog a handle names, None where it is another's."""
    prefix = f"{PREFIX}{dialog.number}-"
    return handle.removeprefix(prefix) if handle.startswith(prefix) else None


def dialog_nodes(dialog: OpenDialog, width: float, parent: int, document: str) -> list[Node]:
    """Return the dialog, its message, field and buttons, in the middle of the top of the viewport."""
    left = max((width - _WIDTH) / 2, 0.0)
    first = parent + 1

    def node(part: str, role: str, name: str, box: Box, *, at: int, interactive: bool = True) -> Node:
        return Node(
            handle=handle_of(dialog, part),
            role=role,
            name=name,
            box=box,
            parent=at,
            document=document,
            interactive=interactive,
        )

    box = node(
        "box",
        "alertdialog",
        _NAMES.get(dialog.kind, dialog.kind),
        Box(left, _TOP, _WIDTH, _HEIGHT),
        at=parent,
        interactive=False,
    )
    nodes = [_with(box, modal=True, active=True)]
    message = dialog.message if dialog.kind != "beforeunload" else _LEAVING
    if message.strip():
        nodes.append(
            node(
                "text",
                "text",
                " ".join(message.split()),
                Box(left + 20, _TOP + 20, _WIDTH - 40, 50),
                at=first,
                interactive=False,
            )
        )
    if dialog.kind == "prompt":
        field = node("field", "textbox", "answer", Box(left + 20, _TOP + 80, _WIDTH - 40, 30), at=first)
        nodes.append(_with(field, value=dialog.text, editable=True, focused=True, submits="OK"))
    if dialog.kind != "alert":
        nodes.append(node("cancel", "button", "Cancel", Box(left + _WIDTH - 100, _TOP + 130, 80, 30), at=first))
    ok = node("ok", "button", "OK", Box(left + _WIDTH - 200, _TOP + 130, 80, 30), at=first)
    nodes.append(ok if dialog.kind == "prompt" else _with(ok, focused=True))
    return nodes


def _with(node: Node, **changes: object) -> Node:
    return msgspec.structs.replace(node, **changes)


def dialog_tree(dialog: OpenDialog, size: tuple[float, float], title: str, url: str, document: str) -> Tree:
    """Return the screen while a dialog blocks the page: the page's root, and the dialog over it."""
    width, height = size
    root = Node(
        handle=document or f"{PREFIX}page",
        document=document.rpartition(".")[0],
        role="document",
        name=title,
        url=url,
        box=Box(0, 0, width, height),
    )
    return Tree(
        nodes=(root, *dialog_nodes(dialog, width, 0, root.document)),
        surface=Surface(width=width, height=height, title=title, url=url),
        notes=("a script dialog blocks the page; nothing of the page can be read or used until it is answered",),
    )


def node_at(tree: Tree, x: float, y: float) -> Node | None:
    """Return the innermost part of a dialog at a point."""
    found = None
    for node in tree.nodes[1:]:
        if node.box is not None and node.box.contains(x, y):
            found = node
    return found
