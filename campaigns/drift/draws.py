"""What is drawn from the seed: a scene, the acts on it, and the drift against each. Nothing runs here."""

from __future__ import annotations

from random import Random
from typing import Literal

import msgspec

Where = Literal["page", "shadow", "frame", "far"]
When = Literal["now", "timer", "frames", "move", "down"]
Naming = Literal["id", "title", "within", "both"]

PEOPLE = [
    "Ada",
    "Bruno",
    "Chidi",
    "Dalia",
    "Emre",
    "Farah",
    "Goran",
    "Hana",
    "Ilse",
    "Jorge",
    "Kofi",
    "Leyla",
    "Mateo",
    "Nadia",
    "Otto",
    "Priya",
]
FAMILIES = ["Lopez", "Novak", "Okafor", "Sato", "Weber", "Yilmaz", "Zhang", "Moreau"]
TOOLS = [
    "Archive",
    "Paste",
    "Undo",
    "Crop",
    "Filter",
    "Invite",
    "Refresh",
    "Sharpen",
    "Translate",
    "Bookmark",
    "Zoom",
    "Quit",
]
FIELDS = ["City", "Street", "Phone", "Company", "Nickname", "Hobby"]

#: The role of each control of a row, and its name; one that is "" has none.
KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "toolbar": (("button", "*"),),
    "links": (("link", "*"),),
    "tabs": (("tab", "*"),),
    "menu": (("menuitem", "*"),),
    "form": (("textbox", "*"),),
    "table": (("button", "Edit"), ("button", "Delete")),
    "list": (("button", "Open"), ("button", "Remove")),
    "cards": (("button", "Buy"), ("link", "Details")),
    "divs": (("button", "Edit"), ("button", "Delete")),
    "icons": (("button", ""),),
    "checks": (("checkbox", "Done"),),
    "virtual": (("button", "Delete"),),
}
FLAT = frozenset({"toolbar", "links", "tabs", "menu", "form"})
#: Kinds whose rows have a role, so that a row can be named by its text (N3).
ROWS = frozenset({"table", "list", "cards", "checks", "virtual"})

#: Drifts, with how often they come; those below the line take away what a person could know.
OPS: dict[str, int] = {
    "shift": 8, "banner": 8, "reorder": 10, "remount": 8, "replaceOne": 8, "insert": 10, "tick": 6, "removeOthers": 4,
    "disableBriefly": 4, "coverBriefly": 4, "hideBriefly": 3, "scroll": 6, "resize": 5, "animate": 4, "jitter": 4,
    "swap": 4, "duplicate": 4,
    "rename": 4, "recycle": 5, "remove": 4, "disable": 2, "cover": 2,
}  # fmt: skip
MODED = frozenset({"reorder", "insert", "recycle", "duplicate", "remove", "removeOthers"})
#: Drifts that may disable an element, or bring it off the screen, while they leave a double of it.
PARTING = frozenset({"disable", "disableBriefly", "scroll", "hideBriefly"})
ACTS_PER_SCENE = 6  # fewer where one is refused: a model would look again
LATEST_MS = 60.0  # when drift by timer or frames comes at the latest: within what an act takes


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """One drift, as the page takes it."""

    op: str
    when: When
    seed: int
    mode: str = ""
    ms: float = 0.0


class Draw(msgspec.Struct, frozen=True):
    """One act on a scene: which of the controls, how it is named, what is done, and the drift against it."""

    which: float  # where among the controls shown, 0..1
    naming: Naming
    act: Literal["click", "double_click", "right_click"]
    plans: tuple[Plan, ...]


class Item(msgspec.Struct, frozen=True):
    """One row of the data: its text, what in it changes, the names of its controls."""

    text: str
    vol: str
    controls: tuple[str, ...]


class Scene(msgspec.Struct, frozen=True):
    """What is shown, and the acts on it."""

    number: int
    kind: str
    where: Where
    items: tuple[Item, ...]
    draws: tuple[Draw, ...]


def draw_scene(seed: int, number: int) -> Scene:
    """Return the scene of that number; the same seed and number give the same."""
    random = Random(f"{seed}/{number}")
    kind = random.choice(list(KINDS))
    where: Where = random.choices(("page", "shadow", "frame", "far"), (6, 2, 2, 2))[0]
    return Scene(number, kind, where, _items(random, kind), tuple(_draw(random, kind) for _ in range(ACTS_PER_SCENE)))


def _items(random: Random, kind: str) -> tuple[Item, ...]:
    if kind in FLAT:
        names = random.sample(FIELDS if kind == "form" else TOOLS, random.randint(3, 6))
        return tuple(Item("", "", (name,)) for name in names)
    many = 30 if kind == "virtual" else random.randint(2, 9)
    people = [f"{first} {last}" for first in PEOPLE for last in FAMILIES]
    names = tuple(name for _, name in KINDS[kind])
    return tuple(Item(text, f"{random.randint(1, 59)} min ago", names) for text in random.sample(people, many))


def _draw(random: Random, kind: str) -> Draw:
    namings: list[Naming] = ["id"]
    if kind in FLAT:
        namings += ["title", "both"]
    elif kind in ROWS:
        namings += ["within", "within", "both"]
    act = random.choices(("click", "double_click", "right_click"), (90, 5, 5))[0]
    plans = [_plan(random)]
    if random.random() < 0.25:
        plans.append(_plan(random))
    return Draw(random.random(), random.choice(namings), act, tuple(plans))  # type: ignore[arg-type]


def _plan(random: Random) -> Plan:
    op = random.choices(list(OPS), list(OPS.values()))[0]
    when: When = random.choices(("now", "timer", "frames", "move", "down"), (40, 30, 15, 10, 5))[0]
    mode = random.choice(("keyed", "index", "fresh")) if op in MODED else ""
    return Plan(op, when, random.randrange(2**31), mode, random.random() * LATEST_MS)
