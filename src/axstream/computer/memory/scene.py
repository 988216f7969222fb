"""The scene file's format as frozen Structs: what a memory computer shows and how it answers. Nothing is read here.

The JSON Schema in the documentation is made from these classes. See ``docs/scenes.md``.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from axstream.ax.roles import CANONICAL_ROLES

Tri = bool | Literal["mixed"]


class _Strict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class SetState(_Strict, frozen=True, kw_only=True):
    """New states of one element; what is not named stays. Texts may hold ``${...}``."""

    id: str
    name: str | None = None
    description: str | None = None
    placeholder: str | None = None
    value: str | None = None
    enabled: bool | None = None
    checked: Tri | None = None
    pressed: Tri | None = None
    expanded: bool | None = None
    selected: bool | None = None
    readonly: bool | None = None
    required: bool | None = None


class Shift(_Strict, frozen=True, kw_only=True):
    """Move an element by pixels: at once, or over ``ms``; with ``repeat`` from the start again, for ever."""

    id: str
    by: tuple[float, float]
    ms: float = 0
    repeat: bool = False


class Append(_Strict, frozen=True, kw_only=True):
    """Put a new element into a container, as its last child, or its first."""

    to: str
    item: Element
    first: bool = False


class Record(_Strict, frozen=True, kw_only=True):
    """Append a text to a list that tests read as ``computer.records[to]``."""

    to: str
    text: str


class Effect(_Strict, frozen=True, kw_only=True):
    """One thing that happens: exactly one verb, at once or ``after_ms``.

    Where an id is wanted, these stand too: ``self``, ``parent``, ``window``, ``item`` (the appended item), ``focused``,
    ``source`` (what was dropped), each with ``.selected`` or ``.shown`` behind it for that child.
    """

    show: str | None = None
    hide: str | None = None
    toggle: str | None = None
    modal: str | None = None  # show it, and while it is shown nothing else receives input
    choose: str | None = None  # show it and hide its siblings
    select: str | None = None  # mark it as selected, and its siblings not
    focus: str | None = None
    select_text: str | None = None  # give a field the focus, with all its text selected
    click: str | None = None  # as if a person had clicked it
    remove: str | None = None
    set: SetState | None = None
    move: Shift | None = None
    append: Append | None = None
    open: str | None = None  # an application
    navigate: str | None = None  # a URL, a host, or words to search for
    back: bool | None = None
    count: str | None = None  # computer.counts[it] += 1
    record: Record | None = None
    note: str | None = None  # a note on the act's effect
    after_ms: float = 0
    at: Literal["pointer"] | None = None  # with show: where the pointer is


VERBS = tuple(name for name in Effect.__struct_fields__ if name not in ("after_ms", "at"))

Effects = tuple[Effect, ...]


class Element(_Strict, frozen=True, kw_only=True):
    """One element. ``box`` is left, top, width, height inside its parent; without it the parent lines it up."""

    role: str
    id: str = ""
    name: str = ""
    description: str = ""
    placeholder: str = ""
    value: str = ""
    box: tuple[float, float, float, float] | None = None
    row: bool = False  # line the children up side by side instead of one below the other
    shown: bool = True
    appears_after_ms: float = 0  # since the start, its page's load, or its appending
    enabled: bool = True
    focusable: bool | None = None  # by default as its role has it
    autofocus: bool = False  # takes the focus when what it is in is shown
    readonly: bool = False
    required: bool = False
    password: bool = False
    multiline: bool = False
    checked: Tri | None = None
    pressed: Tri | None = None
    expanded: bool | None = None
    selected: bool = False
    level: int = 0
    url: str = ""  # where a link leads; the first page of an element that browses
    label_for: str = ""  # the id of the control that this text labels
    controls: str = ""  # the id of the panel that a tab chooses
    options: tuple[str, ...] = ()  # of a combobox, in place of a listbox child
    popup: bool = False  # floats; a click elsewhere or Escape closes it
    modal: bool = False
    browse: bool = False  # a document that shows the scene's pages
    draggable: bool = False
    scrolls: bool = False
    content: tuple[float, float] | None = None  # size of what scrolls, by default as large as the children need
    passes_clicks: bool = False  # the pointer goes through it
    on_click: Effects = ()
    on_double_click: Effects = ()
    on_right_click: Effects = ()
    on_hover: Effects = ()
    on_input: Effects = ()  # its value was changed by typing, or an option was chosen
    on_enter: Effects = ()  # Enter in a field, or in a form's field
    on_load: Effects = ()  # of an element that browses: a page was loaded
    on_key: dict[str, Effects] = {}  # chords such as "cmd+n"; "*" is any other key
    on_drop: dict[str, Effects] = {}  # ids of what may be dropped on it; "*" is anything draggable
    children: tuple[Element, ...] = ()


class App(_Strict, frozen=True, kw_only=True):
    """An installed application: ``open`` with its name shows and raises its window."""

    name: str
    window: str
    on_open: Effects = ()


class Page(_Strict, frozen=True, kw_only=True):
    """What a URL shows in the element that browses. ``url`` may hold ``*``; the first page that fits is shown."""

    url: str
    title: str = ""
    loads_after_ms: float = 0
    on_key: dict[str, Effects] = {}
    children: tuple[Element, ...] = ()


class Scene(_Strict, frozen=True, kw_only=True):
    """A whole desktop. ``action_ms`` and ``key_ms`` are how long a pointer act and a key take."""

    schema: str = msgspec.field(default="", name="$schema")
    title: str = "Desktop"
    width: float = 1280
    height: float = 800
    action_ms: float = 0
    key_ms: float = 0
    apps: tuple[App, ...] = ()
    screen: tuple[Element, ...] = ()  # windows, and what lies behind them
    pages: tuple[Page, ...] = ()
    search: str = ""  # a URL with {} for words that are no address
    on_key: dict[str, Effects] = {}


def scene_schema() -> dict[str, Any]:
    """Return the JSON Schema of a scene file, made from the classes above, the roles and the verbs."""
    schema = msgspec.json.schema(Scene)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "axstream memory scene"
    schema["$defs"]["Element"]["properties"]["role"]["enum"] = sorted(CANONICAL_ROLES)
    schema["$defs"]["Effect"]["oneOf"] = [
        {"properties": {verb: {"not": {"type": "null"}}}, "required": [verb]} for verb in VERBS
    ]
    return schema
