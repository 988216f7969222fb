"""From walks of the realms of a tab to one tree. Nothing is waited for, ranked or acted on here."""

from __future__ import annotations

import asyncio

import msgspec

from axstream.ax.node import Box, Node, Surface, Tree
from axstream.computer.browser.closed import Unsure, adopt_closed
from axstream.computer.browser.realm import DocumentLeft, Realm, RealmGone
from axstream.computer.browser.tab import RemoteFrame, Tab

WALK_NODES = 20_000  # about half a second of walking; a page with more says that it was cut
WALK_MS = 1500.0  # longer would hold an act up more than it helps
MAX_REMOTE_DEPTH = 4  # frames of other processes inside each other; advertisements nest two deep


class Origin(msgspec.Struct, omit_defaults=True):
    """Where a realm's client coordinates lie in the viewport, and what of it can be seen (left, top, right, bottom)."""

    x: float
    y: float
    s: float
    clip: tuple[float, float, float, float]


class RemoteSlot(msgspec.Struct):
    """A frame of another process in a walk: the index of its element, its handle, where its inside lies."""

    index: int
    handle: str
    origin: Origin


class Walk(msgspec.Struct):
    """What one walk of one realm returned."""

    world: str
    nodes: list[Node]
    remote: list[RemoteSlot]
    notes: list[str]
    title: str
    url: str
    width: float
    height: float
    complete: bool
    unsure: Unsure | None = None


_DECODER = msgspec.json.Decoder(Walk)


async def _walk(realm: Realm, *, cover: bool, origin: Origin | None = None) -> Walk:
    options: dict[str, object] = {"ms": WALK_MS, "nodes": WALK_NODES, "cover": cover}
    if origin is not None:
        options |= {"inner": True, "origin": msgspec.to_builtins(origin)}
    walk = _DECODER.decode(await realm.call("walk", options))
    if walk.unsure is not None and await adopt_closed(realm, walk.unsure):
        walk = _DECODER.decode(await realm.call("walk", options))
    return walk


async def walk_tab(tab: Tab, *, cover: bool) -> Tree:
    """Return the tree of a tab as it is now. ``cover`` marks what is covered (it costs a hit test an element)."""
    walk = await tab.race(_walk(tab.main, cover=cover))
    tab.title, tab.url = walk.title, walk.url
    tab.size = (walk.width, walk.height)
    if walk.nodes:
        tab.document = walk.nodes[0].handle
    nodes, notes, complete = walk.nodes, list(walk.notes), walk.complete
    if walk.remote:
        nodes, more, whole = await _graft(tab, tab.main, walk, cover, MAX_REMOTE_DEPTH)
        notes += more
        complete = complete and whole
    if len(nodes) == 1 and not notes:
        notes.append(_why_empty(walk))
    return Tree(
        nodes=tuple(nodes),
        surface=Surface(width=walk.width, height=walk.height, title=walk.title, url=walk.url),
        notes=tuple(notes),
        complete=complete,
    )


def _why_empty(walk: Walk) -> str:
    where = "a blank page (about:blank)" if walk.url == "about:blank" else "the page"
    return f"{where} shows no text and nothing to act on; `open` a URL, or wait until it has loaded"


async def _graft(tab: Tab, realm: Realm, walk: Walk, cover: bool, depth: int) -> tuple[list[Node], list[str], bool]:
    """Put the nodes of frames of other processes behind their elements. Returns nodes, notes, whether it is whole."""
    found = await asyncio.gather(*(_frame(tab, realm, slot, cover, depth) for slot in walk.remote))
    nodes = list(walk.nodes)
    notes: list[str] = []
    whole = True
    inserted: list[tuple[int, list[Node]]] = []
    for slot, inner in zip(walk.remote, found, strict=True):
        if inner is None:
            notes.append(f"the frame {walk.nodes[slot.index].name or slot.handle} could not be read")
            whole = False
            continue
        inner_nodes, inner_notes, inner_whole = inner
        notes += inner_notes
        whole = whole and inner_whole
        inserted.append((slot.index, inner_nodes))
    for index, inner_nodes in reversed(inserted):
        nodes = _splice(nodes, index, inner_nodes)
    return nodes, notes, whole


def _splice(nodes: list[Node], index: int, inner: list[Node]) -> list[Node]:
    """Put ``inner`` (roots at -1) right behind the element at ``index``, as its children."""
    shift = len(inner)
    moved = [
        msgspec.structs.replace(node, parent=node.parent + shift) if node.parent > index else node
        for node in nodes[index + 1 :]
    ]
    placed = [
        msgspec.structs.replace(node, parent=index if node.parent < 0 else node.parent + index + 1, active=False)
        for node in inner
    ]
    return [*nodes[: index + 1], *placed, *moved]


async def _frame(
    tab: Tab, parent: Realm, slot: RemoteSlot, cover: bool, depth: int
) -> tuple[list[Node], list[str], bool] | None:
    if depth == 0:
        return None
    frame = await tab.race(tab.remote_realm(parent, slot.handle))
    if frame is None:
        return None
    try:
        walk = await tab.race(_walk(frame.realm, cover=cover, origin=slot.origin))
    except (DocumentLeft, RealmGone):
        return None
    tab.worlds[walk.world] = frame
    if not walk.remote:
        return walk.nodes, walk.notes, walk.complete
    nodes, notes, whole = await _graft(tab, frame.realm, walk, cover, depth - 1)
    return nodes, walk.notes + notes, walk.complete and whole


def world_of(handle: str) -> str:
    """Return the world that a handle was made in."""
    return handle.partition(".")[0]


async def place_of(tab: Tab, frame: RemoteFrame) -> Origin | None:
    """Return where a frame of another process lies in the viewport now, None where its element is gone."""
    inside = await tab.race(frame.parent.call("frameInside", frame.owner))
    if inside is None:
        return None
    own = Origin(inside["x"], inside["y"], inside["s"], tuple(inside["clip"]))
    outer = next((other for other in tab.worlds.values() if other.realm is frame.parent), None)
    if outer is None:
        return own
    base = await place_of(tab, outer)
    if base is None:
        return None
    left, top, right, bottom = (
        base.x + base.s * own.clip[0],
        base.y + base.s * own.clip[1],
        base.x + base.s * own.clip[2],
        base.y + base.s * own.clip[3],
    )
    clip = (max(left, base.clip[0]), max(top, base.clip[1]), min(right, base.clip[2]), min(bottom, base.clip[3]))
    return Origin(base.x + base.s * own.x, base.y + base.s * own.y, base.s * own.s, clip)


def shifted(node: Node, origin: Origin) -> Node:
    """Return a node of a frame of another process with its box in viewport pixels."""
    if node.box is None:
        return node
    box = node.box
    return msgspec.structs.replace(
        node, box=Box(origin.x + origin.s * box.x, origin.y + origin.s * box.y, origin.s * box.w, origin.s * box.h)
    )
