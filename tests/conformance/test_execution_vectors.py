"""Runs ``conformance/execution`` on the memory desktop in virtual time."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from axstream.computer.memory import ButtonDown, ButtonUp, KeyDown, KeyUp, UrlOpened
from axstream.errors import StreamBroken
from axstream.models.base import Chunk
from axstream.policy import ApprovalRequest, Policy
from axstream.runtime.burst import BurstResult, Limits
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import Committed, Denied, Discarded, Executed, Failed, Held
from tests.runtime.stage import Stage, Step

ROOT = Path(__file__).resolve().parents[2] / "conformance" / "execution"
FILES = sorted(ROOT.glob("*.json"))
CASES: list[dict[str, Any]] = [case for file in FILES for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]
SCENES: dict[str, Any] = {
    file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(ROOT.glob("scenes/*.json"))
}
KEYS = {"id", "contract", "title", "scene", "prepare", "options", "answers", "steps", "expect"}


class Player:
    """One case on its stage."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.asked: list[str] = []
        self.answers = list(case.get("answers", []))
        options = dict(case.get("options", {}))
        policy = Policy(
            risky=options.pop("risky", "allow"),
            ask_timeout_s=options.pop("ask_timeout_ms", 60_000) / 1000,
            max_wait_ms=options.pop("max_wait_ms", 30_000),
        )
        self.limits = Limits(actions=options.pop("max_actions", None))
        if "spec" in options:
            options["catalogue"] = Catalogue(spec=options.pop("spec"))
        if "tags" in options:
            options["tags"] = frozenset(options["tags"])
        self.stage = Stage(
            SCENES[case["scene"]],
            policy=policy,
            approve=self.approve if "answers" in case else None,
            **options,
        )

    async def play(self) -> BurstResult:
        await self.stage.open()
        for change in self.case.get("prepare", []):
            self.change(change)
        steps = list(self.case["steps"])
        while steps and "observe" in steps[0]:
            await self.stage.see()
            steps.pop(0)
        with anyio.fail_after(20):
            return await self.stage.play(*[part for step in steps for part in self.step(step)], limits=self.limits)

    async def approve(self, request: ApprovalRequest) -> bool:
        element = request.element or request.focus
        assert element is not None
        self.asked.append(self.key_of(element.handle))
        answer = self.answers.pop(0)
        if isinstance(answer, dict):
            self.change(answer["change"])
            answer = answer["answer"]
        if answer is None:
            await anyio.sleep_forever()
        return bool(answer)

    def key_of(self, handle: str) -> str:
        return self.stage.computer.desktop.by_handle[handle].key

    def filled(self, text: str) -> str:
        """Put the ids in where ``@`` names an element."""
        if "@" not in text:
            return text
        for live in sorted(self.stage.computer.desktop.all(), key=lambda live: -len(live.key)):
            number = self.stage.book.id_of(live.handle)
            if number is not None:
                self.known[live.key] = number
        for key, number in self.known.items():
            text = text.replace(f'"@{key}"', f'"{number}"').replace(f"@{key}", number)
        return text

    @property
    def known(self) -> dict[str, str]:
        if not hasattr(self, "_known"):
            self._known: dict[str, str] = {}
        return self._known

    def line(self, line: str | dict[str, Any]) -> str:
        if isinstance(line, str):
            return line + "\n"
        return self.filled(json.dumps(line, ensure_ascii=False, separators=(",", ":"))) + "\n"

    def step(self, step: dict[str, Any]) -> list[Step]:
        match step:
            case {"lines": lines}:
                return ["".join(self.line(line) for line in lines)]
            case {"send": text}:
                return [text]
            case {"bytes": text}:
                return [bytes([byte]) for byte in text.encode()]
            case {"repeat": count, "line": line}:
                return [self.line(line) * count]
            case {"settle": True}:
                return [self.settled]
            case {"wait_ms": ms}:
                return [lambda: self.stage.clock.sleep(ms / 1000)]
            case {"until_pressed": True}:
                return [self.until(lambda: bool(self.stage.computer.pressed))]
            case {"until_value": [key, text]}:
                return [self.until(lambda: self.stage.computer.value(key).startswith(text))]
            case {"change": change}:
                return [lambda: self.change(change)]
            case {"expect": expect}:
                return [lambda: self.check_screen(expect)]
            case {"finish": finish}:
                return [Chunk(finish=finish)]
            case {"break": reason}:
                return [StreamBroken(reason)]
            case {"cancel": reason}:
                return [lambda: self.stage.executor.cancel(reason), anyio.sleep_forever]
            case {"never": True}:
                return [self.never]
            case _:
                raise AssertionError(f"no such step: {step}")

    async def settled(self) -> None:
        """Each line so far has an end or is held, or stands behind one that is."""
        while not self.stage.all(Held):
            ended = sum(len(self.stage.all(kind)) for kind in (Executed, Failed, Denied, Discarded))
            if ended >= len(self.stage.all(Committed)):
                return
            await self.stage.clock.sleep(0.001)

    def until(self, condition: Callable[[], bool]) -> Callable[[], Awaitable[None]]:
        async def wait() -> None:
            while not condition():
                await self.stage.clock.sleep(0.0001)

        return wait

    def never(self) -> None:
        raise AssertionError("the stream was read past its end")

    def change(self, change: dict[str, Any]) -> None:
        ((verb, given),) = change.items()
        computer = self.stage.computer
        match verb:
            case "move":
                computer.move(*given)
            case "remove":
                computer.remove(given)
            case "rename":
                computer.rename(*given)
            case "replace":
                computer.replace(given)
            case "set":
                computer.set(given[0], **given[1])
            case _:
                raise AssertionError(f"no such change: {verb}")

    def check_screen(self, expect: dict[str, Any]) -> None:
        computer = self.stage.computer
        records = {name: list(texts) for name, texts in computer.records.items()}
        if "counts" in expect:
            assert computer.counts == expect["counts"]
        if "records" in expect:
            assert records == expect["records"]
        for key, value in expect.get("values", {}).items():
            assert computer.value(key) == value
        for key, value in expect.get("begins", {}).items():
            assert computer.value(key).startswith(value)
        for key, offset in expect.get("offsets", {}).items():
            assert list(computer.offset(key)) == offset
        for shown in (True, False):
            for key in expect.get("shown" if shown else "hidden", []):
                live = computer.desktop.find(key)
                assert live is not None
                assert computer.desktop.visible(live) == shown
        if "urls" in expect:
            assert [i.url for i in computer.inputs if isinstance(i, UrlOpened)] == expect["urls"]
        keys = {KeyDown: "down", KeyUp: "up"}
        if "keys" in expect:
            assert [f"{i.key} {keys[type(i)]}" for i in computer.inputs if isinstance(i, KeyDown | KeyUp)] == expect[
                "keys"
            ]
        buttons = {ButtonDown: "down", ButtonUp: "up"}
        if "buttons" in expect:
            pressed = [i for i in computer.inputs if isinstance(i, ButtonDown | ButtonUp)]
            assert [f"{i.button} {buttons[type(i)]}" for i in pressed] == expect["buttons"]

    def check(self, result: BurstResult) -> None:
        expect, stage = self.case["expect"], self.stage
        ends = {str(line): end for line, end in sorted(stage.ends().items())}
        for key in ("stop", "status", "reason", "result"):
            if key in expect:
                assert getattr(result, key) == expect[key], ends
        if "lines" in expect:
            assert ends == expect["lines"], [event for _, event in stage.events]
        self.check_screen(expect)
        if "held" in expect or "asked" in expect:
            assert self.asked == expect.get("asked", self.asked)
            assert {str(event.line): event.mode for event in stage.all(Held)} == expect.get(
                "held", {str(event.line): event.mode for event in stage.all(Held)}
            )
        for line, texts in expect.get("mentions", {}).items():
            (message,) = [
                event.message for kind in (Failed, Denied) for event in stage.all(kind) if event.line == int(line)
            ]
            assert "\n" not in message
            for text in texts:
                assert self.filled(text) in message
        for line, texts in expect.get("notes", {}).items():
            (event,) = [event for event in stage.all(Executed) if event.line == int(line)]
            for text in texts:
                assert text in "; ".join((event.effect, *event.notes))
        if "time_ms" in expect:
            least, greatest = expect["time_ms"]
            assert least - 0.01 <= stage.clock.now() * 1000 <= greatest + 0.01
        assert stage.computer.pressed == frozenset()
        assert stage.closed == 1
        committed = [event.line for event in stage.all(Committed)]
        ended = [event.line for kind in (Executed, Failed, Denied, Discarded) for event in stage.all(kind)]
        assert sorted(committed) == sorted(ended)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
async def test_vector(case: dict[str, Any]) -> None:
    player = Player(case)
    player.check(await player.play())


def test_vectors_are_well_formed_and_many() -> None:
    assert len(CASES) >= 150
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["scene"] for case in CASES} == set(SCENES)
    for case in CASES:
        assert case.keys() <= KEYS, case["id"]
        assert case["contract"], case["id"]
        assert "stop" in case["expect"], case["id"]


def test_vectors_hold_every_row_of_execution() -> None:
    held = {row for case in CASES for row in case["contract"]}
    rows = {f"E{row}" for row in (1, 2, 3, 4, 5, 6, 7, 9)} | {f"A{row}" for row in range(1, 9)}
    rows |= {"T1", "T2", "T4", "T5", "T6", "T7", "R1", "R2", "R3", "R4", "N1", "N2", "N3", "N4"}
    rows |= {f"Z{row}" for row in (1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 26)}
    assert rows <= held, rows - held
