"""From a live tree to what the record and a caller see of it: the observation event. Nothing is walked here."""

from __future__ import annotations

from axstream.ax.ids import IdBook
from axstream.ax.node import Tree
from axstream.ax.outline import Outline
from axstream.trace.events import Element, Observation


def observation_event(
    tree: Tree, seen: Outline, book: IdBook, *, burst: int, seconds: float, changes: str | None = None
) -> Observation:
    """Return the event for one observation: the outline, each element that has an id in it, what was sent in its place."""
    shown = set(seen.ids)
    elements = []
    for node in tree.nodes:
        number = book.id_of(node.handle)
        if number in shown:
            box = node.box
            elements.append(
                Element(
                    role=node.role,
                    name=node.name,
                    id=number,
                    description=node.description,
                    box=(box.x, box.y, box.w, box.h) if box is not None else None,
                )
            )
    return Observation(
        burst=burst,
        outline=seen.text,
        width=tree.surface.width,
        height=tree.surface.height,
        title=tree.surface.title,
        url=tree.surface.url,
        ms=round(seconds * 1000, 3),
        elements=tuple(elements),
        changes=changes,
    )
