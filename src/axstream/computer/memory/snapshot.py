"""The desktop as the resolver sees it: live elements made into nodes and trees. Nothing is changed here."""

from __future__ import annotations

from axstream.ax.node import Box, Node, Surface, Tree
from axstream.ax.roles import is_interactive
from axstream.computer.memory.desktop import Desktop
from axstream.computer.memory.layout import Layout
from axstream.computer.memory.live import TEXT_ROLES, WINDOW_ROLES, Live, tri


def tree_of(desktop: Desktop) -> Tree:
    """Return the whole screen as it is now, in document order."""
    layout = desktop.layout()
    focus = desktop.focused()
    active = _active(desktop)
    nodes: list[Node] = []
    index: dict[str, int] = {}
    for live in desktop.all():
        if live.handle not in layout.boxes:
            continue
        parent = index[live.parent.handle] if live.parent is not None else -1
        index[live.handle] = len(nodes)
        nodes.append(_node(desktop, live, layout, parent, focus, active))
    top = desktop.active()
    view = None if top is None else next((live for live in top.walk() if live.spec.browse), None)
    title = desktop.scene.title if top is None else top.name
    surface = Surface(
        width=desktop.scene.width,
        height=desktop.scene.height,
        title=title if view is None or not view.title else view.title,
        url="" if view is None else view.url,
    )
    notes = () if nodes else ("the screen is empty: the scene shows nothing now",)
    return Tree(nodes=tuple(nodes), surface=surface, notes=notes)


def node_of(desktop: Desktop, live: Live) -> Node:
    """Return one element as a node without a place in a tree; hidden ones too, without a box."""
    return _node(desktop, live, desktop.layout(), -1, desktop.focused(), _active(desktop))


def covering(desktop: Desktop, live: Live, layout: Layout) -> Live | None:
    """Return what lies over an element's middle; its own label and what is inside it do not count (Z17)."""
    part = layout.visible_part(live)
    if part is None:
        return None
    hit = layout.hit(*part.centre)
    if hit is None or live in hit.up():
        return None
    if live.id and any(one.spec.label_for == live.id for one in hit.up()):
        return None
    return hit


def document_of(desktop: Desktop, live: Live) -> str:
    """Name the page or window that an element lives in; after a navigation it is another (T2)."""
    for one in live.up():
        if one.spec.browse and one is not live:
            return f"{one.handle}/{one.page}"
        if one.role in WINDOW_ROLES and one.parent is None:
            return one.handle
    return "desktop"


def _active(desktop: Desktop) -> frozenset[str]:
    floating = desktop.floating()
    modal = desktop.modal()
    if modal is not None:
        floating = floating[floating.index(modal) :]
    top = [] if modal is not None else desktop.windows()[-1:]
    return frozenset(live.handle for live in (*top, *floating))


def _node(
    desktop: Desktop, live: Live, layout: Layout, parent: int, focus: Live | None, active: frozenset[str]
) -> Node:
    box: Box | None = layout.boxes.get(live.handle)
    expanded = tri(live.expanded)
    menu = live.popup_child
    if not expanded and menu is not None:
        expanded = tri(desktop.visible(menu))
    label = desktop.find(live.spec.label_for) if live.spec.label_for else None
    return Node(
        handle=live.handle,
        role=live.role,
        parent=parent,
        document=document_of(desktop, live),
        name=live.name,
        description=live.description,
        placeholder=live.placeholder,
        value="" if live.spec.password else live.value,
        box=box,
        onscreen=layout.visible_part(live) is not None,
        interactive=is_interactive(live.role) or bool(live.spec.on_click) or live.focusable,
        enabled=all(one.enabled for one in live.up()),
        focused=live is focus,
        editable=live.role in TEXT_ROLES and not live.readonly,
        multiline=live.spec.multiline,
        password=live.spec.password,
        readonly=live.readonly,
        required=live.required,
        selected=live.selected,
        checked=tri(live.checked),
        pressed=tri(live.pressed),
        expanded=expanded,
        covered=box is not None and covering(desktop, live, layout) is not None,
        active=live.handle in active,
        modal=live.modal,
        popup=live.spec.popup,
        label_for="" if label is None else label.handle,
        level=live.spec.level,
        url=live.url,
        submits=_submits(desktop, live),
    )


def _submits(desktop: Desktop, live: Live) -> str:
    """Name the button that Enter in a field clicks by the scene's ``on_enter`` (Z8)."""
    if live.role not in TEXT_ROLES:
        return ""
    reacting = next((one for one in live.up() if one.spec.on_enter), None)
    clicked = next((effect.click for effect in reacting.spec.on_enter if effect.click), None) if reacting else None
    button = desktop.find(clicked) if clicked else None
    return button.name if button is not None else ""
