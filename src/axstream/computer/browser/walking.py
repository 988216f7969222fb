"""From walks of the realms of a tab to one tree. Nothing is waited for, ranked or acted on here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec

from axstream.ax.node import Box, Left, Node, Surface, Tree
from axstream.ax.titles import needles
from axstream.computer.browser.closed import Unsure, adopt_closed
from axstream.computer.browser.realm import DocumentLeft, Realm, RealmGone
from axstream.computer.browser.tab import RemoteFrame, Tab
from axstream.spec.targets import Ax

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
    at: float
    more: list[Left]
    unsure: Unsure | None = None


class Find(msgspec.Struct):
    """What a walk looks for: titles, each as a list of words (its own, those of what it is within)."""

    words: tuple[tuple[str, ...], ...] = ()
    within: tuple[tuple[str, ...], ...] = ()


class Look(msgspec.Struct, frozen=True):
    """How much of a page is walked: what is on the screen (``view``), what may be meant (``find``), else all of it.

    ``cover`` marks what is covered; it costs a hit test an element. ``handles`` are of ids, and walked in any case.
    """

    view: bool = False
    find: Find | None = None
    cover: bool = False
    handles: tuple[str, ...] = ()


SCREEN = Look(view=True, cover=True)


def looking_for(ax: Ax, known: Sequence[str], *, whole: bool) -> Look:
    """Return how to look for a target: by the words of its titles and the handles of its ids (``ax.narrowing``).

    A role alone, and an id of which no handle is known, narrow nothing.
    """
    steps = [ax]
    while steps[-1].within is not None:
        steps.append(steps[-1].within)
    ids = sum(step.id is not None for step in steps)
    if whole or (ax.title is None and ax.id is None) or len(known) < ids:
        return Look(handles=tuple(known))
    return Look(
        handles=tuple(known),
        find=Find(
            words=needles(ax.title) if ax.title is not None else (),
            within=tuple(form for step in steps[1:] if step.title is not None for form in needles(step.title)),
        ),
    )


_DECODER = msgspec.json.Decoder(Walk)


async def _walk(realm: Realm, look: Look, origin: Origin | None = None) -> Walk:
    options: dict[str, object] = {"ms": WALK_MS, "nodes": WALK_NODES, **msgspec.to_builtins(look)}
    if origin is not None:
        options |= {"inner": True, "origin": msgspec.to_builtins(origin)}
    walk = _DECODER.decode(await realm.call("walkRested", options))
    if walk.unsure is not None and await adopt_closed(realm, walk.unsure):
        walk = _DECODER.decode(await realm.call("walkRested", options))
    return walk


async def walk_tab(tab: Tab, look: Look) -> Tree:
    """Return the tree of a tab as it is now, or the part of it that ``look`` asks for."""
    walk = await tab.race(_walk(tab.main, look))
    tab.title, tab.url = walk.title, walk.url
    tab.size = (walk.width, walk.height)
    if walk.nodes:
        tab.document = walk.nodes[0].handle
    grafted = await _graft(tab, tab.main, walk, look, MAX_REMOTE_DEPTH)
    nodes, notes, more = grafted.nodes, [*walk.notes, *grafted.notes], _added([*walk.more, *grafted.more])
    if len(nodes) == 1 and not notes and look.find is None and not more:
        notes.append(_why_empty(walk))
    return Tree(
        nodes=tuple(nodes),
        surface=Surface(width=walk.width, height=walk.height, title=walk.title, url=walk.url),
        notes=tuple(notes),
        more=more,
        complete=walk.complete and grafted.complete,
        began=grafted.began,
        at=grafted.at,
    )


def _added(more: list[Left]) -> tuple[Left, ...]:
    """Put what documents left out in one region together."""
    regions: dict[str, Left] = {}
    for left in more:
        known = regions.get(left.region)
        if known is not None:
            left = Left(left.region, left.how, left.elements + known.elements, left.texts + known.texts)
        regions[left.region] = left
    return tuple(regions.values())


def _why_empty(walk: Walk) -> str:
    where = "a blank page (about:blank)" if walk.url == "about:blank" else "the page"
    return f"{where} shows no text and nothing to act on; `open` a URL, or wait until it has loaded"


class _Grafted(msgspec.Struct):
    """A walk with the frames of other processes in it."""

    nodes: list[Node]
    notes: list[str]
    more: list[Left]
    complete: bool
    began: float
    at: float


async def _graft(tab: Tab, realm: Realm, walk: Walk, look: Look, depth: int) -> _Grafted:
    """Put the nodes of frames of other processes behind their elements; the rest is what the frames add to the walk."""
    result = _Grafted(walk.nodes, [], [], True, walk.at, walk.at)
    if not walk.remote:
        return result
    found = await asyncio.gather(*(_frame(tab, realm, slot, look, depth) for slot in walk.remote))
    inserted: list[tuple[int, list[Node]]] = []
    for slot, inner in zip(walk.remote, found, strict=True):
        if inner is None:
            result.notes.append(f"the frame {walk.nodes[slot.index].name or slot.handle} could not be read")
            result.complete = False
            continue
        result.notes += inner.notes
        result.more += inner.more
        result.complete = result.complete and inner.complete
        result.began = min(result.began, inner.began)
        result.at = max(result.at, inner.at)
        inserted.append((slot.index, inner.nodes))
    for index, nodes in reversed(inserted):
        result.nodes = _splice(result.nodes, index, nodes)
    return result


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


async def _frame(tab: Tab, parent: Realm, slot: RemoteSlot, look: Look, depth: int) -> _Grafted | None:
    if depth == 0:
        return None
    frame = await tab.race(tab.remote_realm(parent, slot.handle))
    if frame is None:
        return None
    try:
        walk = await tab.race(_walk(frame.realm, look, slot.origin))
    except (DocumentLeft, RealmGone):
        return None
    tab.worlds[walk.world] = frame
    inner = await _graft(tab, frame.realm, walk, look, depth - 1)
    return _Grafted(
        nodes=inner.nodes,
        notes=walk.notes + inner.notes,
        more=walk.more + inner.more,
        complete=walk.complete and inner.complete,
        began=inner.began,
        at=inner.at,
    )


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
