"""The memory computer as the contract suite wants it: the standard scene, its report, changes behind its back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from axstream.computer.base import Computer
from axstream.computer.memory import (
    ButtonDown,
    ButtonUp,
    Clock,
    MemoryComputer,
    PointerMoved,
    RealClock,
    VirtualClock,
    load_scene,
)
from axstream.testing.contract import Mutation, Report

SCENE = Path(__file__).with_name("contract.json")
FIELDS = {"name": "Name", "notes": "Notes", "password": "Password", "city": "City", "serial": "Serial"}
CHECKS = {"subscribe": "Subscribe", "small": "Small", "large": "Large"}
DOM = {"up": "arrowup", "down": "arrowdown", "left": "arrowleft", "right": "arrowright"}


def as_dom(chord: str) -> str:
    """Spell a chord as DOM's ``event.key`` has it."""
    *held, key = chord.split("+") if len(chord) > 1 else [chord]
    return "+".join((*held, DOM.get(key, key)))


class MemoryFixture:
    """Real or virtual time; everything else is the same."""

    second_url: str | None = "https://contract.example/second"

    def __init__(self, *, virtual: bool, kind: type[MemoryComputer] = MemoryComputer) -> None:
        self.kind = kind
        self.clock: Clock = VirtualClock() if virtual else RealClock()
        self.computer: MemoryComputer | None = None

    @property
    def memory(self) -> MemoryComputer:
        assert self.computer is not None
        return self.computer

    async def open(self, *, slow: bool = False) -> Computer:
        pace = (400.0, 2.0) if slow else (0.0, 0.0)
        self.computer = self.kind(load_scene(SCENE), clock=self.clock, action_ms=pace[0], key_ms=pace[1])
        await self.computer.__aenter__()
        return self.computer

    async def report(self) -> Report:
        memory = self.memory
        records = memory.records
        here = memory.exists("name")
        moves, down = 0, False
        for received in memory.inputs:
            if isinstance(received, ButtonDown | ButtonUp) and received.button == "left":
                down = isinstance(received, ButtonDown)
            moves += down and isinstance(received, PointerMoved)
        values = {label: memory.value(key) for key, label in FIELDS.items()} if here else {}
        if here:
            values["Colour"] = memory.value("colour")
        return Report(
            clicks=memory.counts,
            doubles=Counter(records.get("doubles", ())),
            contexts=Counter(records.get("contexts", ())),
            hovers=Counter(records.get("hovers", ())),
            values=values,
            checked={label: memory.node(key).checked == "true" for key, label in CHECKS.items()} if here else {},
            submits=records.get("submits", ()),
            keys=tuple(map(as_dom, records.get("keys", ()))),
            drops=tuple((drop.split(">")[0], drop.split(">")[1]) for drop in records.get("drops", ())),
            scrolled={"Far list": memory.offset("far-list")[1]} if here else {},
            moves=moves,
            downs=sum(isinstance(received, ButtonDown) for received in memory.inputs),
            ups=sum(isinstance(received, ButtonUp) for received in memory.inputs),
            pressed=tuple(sorted(memory.pressed)),
        )

    async def mutate(self, what: Mutation) -> None:
        match what:
            case "move":
                self.memory.move("victim", 120, 0)
            case "remove":
                self.memory.remove("victim")
            case "replace":
                self.memory.replace("victim")
            case "rename":
                self.memory.rename("victim", "Survivor")
            case "blank":
                self.memory.remove("contract-window")

    async def pause(self, seconds: float) -> None:
        await self.clock.sleep(seconds)

    async def close(self) -> None:
        if self.computer is not None:
            await self.computer.__aexit__(None, None, None)
