"""The verdict on one act, from what the page received and how things stood: the ground truth of the package's docstring."""

from __future__ import annotations

from typing import Literal

import msgspec

from campaigns.drift.draws import Naming

Verdict = Literal["right", "rightly refused", "wrongly refused", "wrong hit", "lost"]


class Control(msgspec.Struct, frozen=True, array_like=True):
    """A control on the page: its key, its name, the text of its row, whether it is enabled."""

    key: str
    name: str
    row: str
    enabled: bool


class Facts(msgspec.Struct, frozen=True):
    """How things stood at a moment: all controls shown; of the one meant whether it is seen, and in its old node."""

    standing: list[Control]
    covered: bool
    visible: bool
    same: bool
    node: str | None = None  # what the node that showed it is called now, None where it left the page

    def of(self, key: str) -> Control | None:
        return next((control for control in self.standing if control.key == key), None)


class Hit(msgspec.Struct, frozen=True):
    """One thing that the page received; ``key`` is None where no control did."""

    type: str
    key: str | None
    at: str
    facts: Facts | None = None
    same: bool = False  # it came to the node that showed the element meant when it was observed


class Told(msgspec.Struct, frozen=True):
    """What one document received during an act, and how things stand after it."""

    hits: list[Hit]
    now: Facts


class Case(msgspec.Struct, frozen=True):
    """What was meant by one act, as it was observed; ``role`` and how it was named."""

    meant: Control
    role: str
    roles: dict[str, str]  # by name: what role a control of that name has
    naming: Naming
    observed: list[Control]
    twice: bool = False  # a double click
    parted: bool = False  # the drift may disable the element, or bring it off the screen, and its double not (T5)


_POINTED = frozenset({"press", "click", "dblclick", "contextmenu"})


HALF_DONE = "the press was received"  # what a failure says where only a part of the act was delivered


def judge(case: Case, told: Told, elsewhere: list[Hit], *, performed: bool, said: str) -> tuple[Verdict, str]:
    """Return the verdict and, where it is no good one, why.

    ``elsewhere`` is what other documents received, ``said`` the failure's message where the act was not performed.
    """
    pointed = [hit for hit in told.hits if hit.type in _POINTED]
    presses = [hit for hit in pointed if hit.type == "press"]
    for hit in elsewhere:
        if hit.type in _POINTED:
            return "wrong hit", f"{hit.type} on {hit.at} of another document"
    as_meant = {case.meant.key} | {press.key for press in presses if _is_twin(case, press)}
    for hit in pointed:
        if hit.key is not None and hit.key not in as_meant:
            other = told.now.of(hit.key) or next((c for c in case.observed if c.key == hit.key), None)
            return "wrong hit", f"{hit.type} on {other}"
    for press in presses:
        if press.key is None:
            return "wrong hit", f"press on {press.at}, which is no control"
        then = press.facts.of(press.key) if press.facts else None
        if then is None or (then.name, then.row) != (case.meant.name, case.meant.row):
            return "wrong hit", f"press on what was {then} by then"
        if press.facts and press.facts.covered:
            return "wrong hit", "press through a cover"
    if performed:
        return ("right", "") if presses else ("lost", "performed, and no press was received")
    if presses and HALF_DONE not in said:
        return "lost", "refused, and the press was received"
    if presses and case.twice:
        return "rightly refused", ""
    return ("wrongly refused", _known_by(case, told.now)) if _known(case, told.now) else ("rightly refused", "")


def _is_twin(case: Case, press: Hit) -> bool:
    """Tell whether a press came to a double of the element meant that stands for it.

    That is one in its old node, or one that is left where the element is gone or renamed, which nobody can tell from it;
    or, where no id was given, the one that is enabled and on the screen (T5).
    """
    control = press.facts.of(press.key) if press.facts and press.key else None
    if press.facts is None or control is None or (control.name, control.row) != (case.meant.name, case.meant.row):
        return False
    meant = press.facts.of(case.meant.key)
    if meant is None or (meant.name, meant.row) != (case.meant.name, case.meant.row):
        return True
    return press.same or (case.naming in ("title", "within") and case.parted)


def _known(case: Case, now: Facts) -> bool:
    """Tell whether a person would have known the element as things stand now."""
    control = now.of(case.meant.key)
    if control is None or now.covered or not now.visible or not control.enabled:
        return False
    if (control.name, control.row) != (case.meant.name, case.meant.row):
        return False
    renamed = now.node is not None and now.node != case.meant.name  # its node is called something else: stale (Z2)
    apart = _alone(case, now.standing, row=True) and _alone(case, case.observed, row=True)
    by_id = now.same or (apart and not renamed)
    match case.naming:
        case "id":
            return by_id
        case "title":
            return _alone(case, now.standing, row=False)
        case "within":
            return _alone(case, now.standing, row=True)
        case "both":
            return by_id or _alone(case, now.standing, row=False)


def _known_by(case: Case, now: Facts) -> str:
    return "in the same node" if now.same else "in another node"


def _alone(case: Case, standing: list[Control], *, row: bool) -> bool:
    """Tell whether nothing else of that role has the name (and the row's text)."""
    alike = [
        control
        for control in standing
        if control.name == case.meant.name
        and case.roles.get(control.name, case.role) == case.role
        and (not row or control.row == case.meant.row)
    ]
    return len(alike) == 1
