"""A memory desktop, an executor and virtual time for tests of the runtime; what happened is kept as events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import anyio.lowlevel

from axstream.ax.ids import IdBook
from axstream.ax.outline import outline
from axstream.computer.memory import MemoryComputer, VirtualClock, parse_scene
from axstream.models.base import Chunk
from axstream.policy import Policy
from axstream.runtime.burst import BurstResult, Limits
from axstream.runtime.executor import Executor
from axstream.trace.events import Denied, Discarded, Executed, Failed, Held, RunEvent

FORM: dict[str, Any] = {
    "screen": [
        {
            "role": "window",
            "name": "Form",
            "children": [
                {"role": "textbox", "id": "name", "name": "Name"},
                {"role": "textbox", "id": "note", "name": "Note", "multiline": True},
                {"role": "button", "id": "save", "name": "Save", "on_click": [{"count": "save"}]},
                {"role": "button", "id": "delete", "name": "Delete", "on_click": [{"count": "delete"}]},
                {"role": "button", "id": "twin1", "name": "Twin", "on_click": [{"count": "twin1"}]},
                {"role": "button", "id": "twin2", "name": "Twin", "on_click": [{"count": "twin2"}]},
                {"role": "button", "id": "off", "name": "Off", "enabled": False},
                {
                    "role": "button",
                    "id": "later",
                    "name": "Later",
                    "appears_after_ms": 800,
                    "on_click": [{"count": "later"}],
                },
                {"role": "img", "id": "card", "name": "Card", "draggable": True},
                {"role": "group", "id": "slot", "name": "Slot", "on_drop": {"*": [{"count": "drop"}]}},
            ],
        }
    ]
}

Step = str | bytes | Chunk | Callable[[], object] | Exception


class Stage:
    """One computer and one executor; ``play`` performs a burst, ``events`` is all that was said."""

    def __init__(self, scene: dict[str, Any] | None = None, *, risky: str = "allow", **options: Any) -> None:
        self.clock: VirtualClock = options.pop("clock", None) or VirtualClock()
        scene = FORM if scene is None else scene
        memory_options = {key: options.pop(key) for key in ("action_ms", "key_ms") if key in options}
        self.computer = MemoryComputer(parse_scene(json.dumps(scene), "scene"), clock=self.clock, **memory_options)
        self.book = IdBook()
        self.events: list[tuple[float, RunEvent]] = []
        policy = options.pop("policy", None) or Policy(risky=risky)  # type: ignore[arg-type]
        self.closed = 0
        self.opened = False
        self.executor = Executor(
            self.computer,
            policy=policy,
            book=self.book,
            emit=lambda seconds, event: self.events.append((seconds, event)),
            clock=self.clock.now,
            sleep=self.clock.sleep,
            **options,
        )

    async def open(self) -> None:
        if not self.opened:
            self.opened = True
            await self.computer.__aenter__()

    async def see(self) -> str:
        """Observe, so that ids are issued."""
        await self.open()
        return outline(await self.computer.observe(), self.book).text

    def id_of(self, key: str) -> str:
        found = self.book.id_of(self.computer.node(key).handle)
        assert found is not None, f"{key} has no id"
        return found

    async def source(self, steps: Sequence[Step]) -> AsyncIterator[str | bytes | Chunk]:
        try:
            for step in steps:
                if isinstance(step, Exception):
                    raise step
                if callable(step):
                    done = step()
                    if hasattr(done, "__await__"):
                        await done
                    continue
                yield step
        finally:
            self.closed += 1

    async def play(self, *steps: Step, limits: Limits | None = None) -> BurstResult:
        await self.open()
        return await self.executor.run_burst(self.source(steps), limits=limits or Limits())

    async def settled(self) -> None:
        """Wait, inside a stream, until all lines committed so far are dealt with."""
        while True:
            committed = sum(type(event).__name__ == "Committed" for _, event in self.events)
            ended = sum(isinstance(event, Executed | Failed | Denied | Discarded | Held) for _, event in self.events)
            if ended >= committed:
                return
            await self.clock.sleep(0.01)

    def ends(self) -> dict[int, str]:
        """How each line ended: ``executed``, ``failed:CLASS``, ``denied`` or ``discarded``."""
        ends: dict[int, str] = {}
        for _, event in self.events:
            match event:
                case Executed(line=line):
                    ends[line] = "executed"
                case Failed(line=line, error=error):
                    ends[line] = f"failed:{error}"
                case Denied(line=line):
                    ends[line] = "denied"
                case Discarded(line=line):
                    ends[line] = "discarded"
                case _:
                    continue
        return ends

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for _, event in self.events if isinstance(event, kind)]


async def until(condition: Callable[[], object]) -> None:
    """Let other tasks run until something is so; bounded by the test's own time limit."""
    while not condition():
        await anyio.lowlevel.checkpoint()


def lines(*actions: dict[str, Any] | str, fence: str = "```jsonl\n", close: str = "```\n") -> str:
    body = "".join((a if isinstance(a, str) else json.dumps(a, ensure_ascii=False)) + "\n" for a in actions)
    return fence + body + close


def click(title: str, **more: Any) -> dict[str, Any]:
    return {"op": "click", "target": {"ax": {"role": "button", "title": title}}, **more}


def into(title: str, text: str, **more: Any) -> dict[str, Any]:
    return {"op": "type", "target": {"ax": {"role": "textbox", "title": title}}, "text": text, **more}


DONE = {"op": "done", "status": "success"}
OBSERVE = {"op": "observe"}
