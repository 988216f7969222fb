"""What must hold in a scene beyond its types: ids, roles, references, chords, templates. It reads no file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from axstream.ax.roles import CANONICAL_ROLES, canonical_role, nearest_roles
from axstream.computer.memory.effects import CHILDREN, FIELDS, NAMES, TEMPLATE, WORDS
from axstream.computer.memory.scene import VERBS, Effect, Effects, Element, Scene
from axstream.errors import UsageError
from axstream.spec.keys import KeyProblem, canonical_keys
from axstream.spec.wording import list_words, nearest

Place = tuple[str | int, ...]

#: Verbs whose text is a selector.
SELECTORS = ("show", "hide", "toggle", "modal", "choose", "select", "focus", "select_text", "click", "remove")
#: What an element does by itself; ``Element.on_key`` and ``on_drop`` are dicts of the like.
REACTIONS = ("on_click", "on_double_click", "on_right_click", "on_hover", "on_input", "on_enter", "on_load")


class Fault(NamedTuple):
    """What is wrong, and where in the scene."""

    place: Place
    message: str


def check_scene(scene: Scene) -> None:
    """Raise ``UsageError`` for a scene that cannot work, naming the path of the first mistake."""
    fault = next(wrong_in(scene), None)
    if fault is not None:
        raise UsageError(f"the scene at {spell_path(fault.place)}: {fault.message}")


def spell_path(place: Place) -> str:
    """Spell a place: ``$.screen[0].on_key["cmd+n"]``."""
    spelled = "$"
    for step in place:
        if isinstance(step, int):
            spelled += f"[{step}]"
        else:
            spelled += f".{step}" if step.replace("_", "a").isalnum() else f'["{step}"]'
    return spelled


def wrong_in(scene: Scene) -> Iterator[Fault]:
    """Yield what is wrong in a scene, in the order of the file as far as that is known."""
    yield from _Checker(scene).faults()


class _Checker:
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.ids: set[str] = set()
        self.apps = [app.name for app in scene.apps]
        self.browses = False
        self.doubled: list[Fault] = []
        for index, root in enumerate(scene.screen):
            self._collect(root, ("screen", index), self.ids)
        fixed = set(self.ids)
        for index, page in enumerate(scene.pages):
            own = set(fixed)  # two pages may use one id: they are never there together
            for place, root in enumerate(page.children):
                self._collect(root, ("pages", index, "children", place), own)
            self.ids |= own

    def faults(self) -> Iterator[Fault]:
        scene = self.scene
        yield from self.doubled
        if not (scene.width > 0 and scene.height > 0):
            yield Fault(("width",), "the screen must be wider and higher than 0")
        roots = [root.id for root in scene.screen if root.id]
        for index, app in enumerate(scene.apps):
            if app.window not in roots:
                yield Fault(("apps", index, "window"), _unknown("window", app.window, roots))
            yield from self._effects(app.on_open, ("apps", index, "on_open"))
        for index, root in enumerate(scene.screen):
            yield from self._element(root, ("screen", index))
        for index, page in enumerate(scene.pages):
            place: Place = ("pages", index)
            if not page.url.strip():
                yield Fault((*place, "url"), "a page needs a URL")
            yield from self._template(page.title, (*place, "title"))
            yield from self._keys(page.on_key, (*place, "on_key"))
            for child, element in enumerate(page.children):
                yield from self._element(element, (*place, "children", child))
        if scene.search and "{}" not in scene.search:
            yield Fault(("search",), "a search URL holds {} where the words go")
        yield from self._keys(scene.on_key, ("on_key",))

    def _collect(self, element: Element, place: Place, ids: set[str]) -> None:
        if element.id:
            if element.id in ids and "${" not in element.id:  # those get numbers of their own
                self.doubled.append(Fault((*place, "id"), f'the id "{element.id}" is used twice'))
            if "." in element.id or element.id in WORDS:
                self.doubled.append(
                    Fault((*place, "id"), f'"{element.id}" cannot be an id: it has a meaning of its own')
                )
            ids.add(element.id)
        self.browses = self.browses or element.browse
        for name, effects in _reactions(element):
            for index, effect in enumerate(effects):
                if effect.append is not None:
                    self._collect(effect.append.item, (*place, *name, index, "append", "item"), ids)
        for index, child in enumerate(element.children):
            self._collect(child, (*place, "children", index), ids)

    def _element(self, element: Element, place: Place) -> Iterator[Fault]:
        if element.role not in CANONICAL_ROLES:
            known = canonical_role(element.role)
            near = [known] if known in CANONICAL_ROLES else list(nearest_roles(element.role))
            yield Fault((*place, "role"), f'the role "{element.role}" is unknown; the nearest is {list_words(near)}')
        if element.box is not None and min(element.box[2:]) <= 0:
            yield Fault((*place, "box"), "a box is left, top, width, height, and it is wider and higher than 0")
        if element.options and element.role != "combobox":
            yield Fault((*place, "options"), f"only a combobox has options, and this is a {element.role}")
        if element.appears_after_ms < 0:
            yield Fault((*place, "appears_after_ms"), "nothing appears before the start")
        for name in ("label_for", "controls"):
            target = getattr(element, name)
            if target and target not in self.ids:
                yield Fault((*place, name), _unknown("id", target, self.ids))
        for name in ("name", "description", "placeholder", "value"):
            yield from self._template(getattr(element, name), (*place, name))
        for name in REACTIONS:
            yield from self._effects(getattr(element, name), (*place, name))
        yield from self._keys(element.on_key, (*place, "on_key"))
        for source, effects in element.on_drop.items():
            if source != "*" and source not in self.ids:
                yield Fault((*place, "on_drop", source), _unknown("id", source, self.ids))
            yield from self._effects(effects, (*place, "on_drop", source))
        for index, child in enumerate(element.children):
            yield from self._element(child, (*place, "children", index))

    def _keys(self, keys: dict[str, Effects], place: Place) -> Iterator[Fault]:
        for chord, effects in keys.items():
            pressed = ("*",) if chord == "*" else canonical_keys(chord)
            if isinstance(pressed, KeyProblem):
                yield Fault((*place, chord), pressed.message)
            yield from self._effects(effects, (*place, chord))

    def _effects(self, effects: Effects, place: Place) -> Iterator[Fault]:
        for index, effect in enumerate(effects):
            yield from self._effect(effect, (*place, index))

    def _effect(self, effect: Effect, place: Place) -> Iterator[Fault]:
        verbs = [verb for verb in VERBS if getattr(effect, verb) is not None]
        if len(verbs) != 1:
            said = f"this one has {list_words(verbs, 'and')}" if verbs else f"it is one of {list_words(VERBS)}"
            yield Fault(place, f"an effect has exactly one verb; {said}")
            return
        verb = verbs[0]
        if effect.after_ms < 0:
            yield Fault((*place, "after_ms"), "an effect cannot come before its cause")
        if effect.at is not None and verb != "show":
            yield Fault((*place, "at"), 'only "show" has a place')
        if verb in SELECTORS:
            yield from self._selector(getattr(effect, verb), (*place, verb))
        if verb in ("navigate", "back") and not self.browses:
            yield Fault((*place, verb), 'no element of the scene shows pages: give one "browse": true')
        if effect.open is not None and "${" not in effect.open:
            names = [name.casefold() for name in self.apps]
            if effect.open.casefold() not in names:
                yield Fault((*place, "open"), _unknown("application", effect.open, self.apps))
        if effect.set is not None:
            yield from self._selector(effect.set.id, (*place, "set", "id"))
            for name in ("name", "description", "placeholder", "value"):
                yield from self._template(getattr(effect.set, name) or "", (*place, "set", name))
        if effect.move is not None:
            yield from self._selector(effect.move.id, (*place, "move", "id"))
            if effect.move.ms < 0 or (effect.move.repeat and not effect.move.ms):
                yield Fault((*place, "move", "ms"), "a motion that repeats takes longer than 0 ms")
        if effect.append is not None:
            yield from self._selector(effect.append.to, (*place, "append", "to"))
            yield from self._element(effect.append.item, (*place, "append", "item"))
        if effect.record is not None:
            yield from self._template(effect.record.text, (*place, "record", "text"))
        for name in ("navigate", "count", "note"):
            yield from self._template(getattr(effect, name) or "", (*place, name))

    def _selector(self, selector: str, place: Place) -> Iterator[Fault]:
        fault = self._wrong_selector(selector)
        if fault:
            yield Fault(place, fault)

    def _wrong_selector(self, selector: str) -> str:
        base, dot, child = selector.partition(".")
        if base not in self.ids and base not in WORDS:
            return _unknown("id", base, (*self.ids, *WORDS))
        if dot and child not in CHILDREN:
            return f'"{selector}": behind the dot stands {list_words(CHILDREN)}'
        return ""

    def _template(self, text: str, place: Place) -> Iterator[Fault]:
        for match in TEMPLATE.finditer(text):
            selector, _, field = match[1].rpartition(".")
            if match[1] in NAMES:
                continue
            if field not in FIELDS:
                hint = f"it ends in {list_words(FIELDS)}, or is {list_words(NAMES)}"
                yield Fault(place, f'"{match[0]}" says nothing: {hint}')
            elif fault := self._wrong_selector(selector):
                yield Fault(place, fault)


def _reactions(element: Element) -> Iterator[tuple[Place, Effects]]:
    for name in REACTIONS:
        yield (name,), getattr(element, name)
    for name in ("on_key", "on_drop"):
        for key, effects in getattr(element, name).items():
            yield (name, key), effects


def _unknown(what: str, given: str, known: Iterable[str]) -> str:
    names = sorted(set(known) - {""})
    near = nearest(given, names)
    hint = f"the nearest is {list_words(near)}" if near else f"known are {list_words(names[:12], 'and') or 'none'}"
    return f'the {what} "{given}" is unknown; {hint}'
