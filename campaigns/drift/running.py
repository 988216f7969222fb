"""Runs scenes on real browsers, side by side: shows, observes, sets the drift going, acts, asks what was received."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import axstream
from axstream.ax.ids import IdBook
from axstream.ax.outline import outline
from axstream.computer.base import Computer
from axstream.errors import AxstreamError
from axstream.runtime.executor import Executor
from axstream.testing.serving import served
from axstream.trace.events import Executed, Failed, RunEvent
from campaigns.drift.draws import KINDS, PARTING, Draw, Scene, draw_scene
from campaigns.drift.judging import Case, Control, Hit, Told, judge
from campaigns.drift.tally import Tally

if TYPE_CHECKING:
    from playwright.async_api import Frame

    from axstream.computer.browser.computer import BrowserComputer

PAGES = Path(__file__).with_name("pages")
RESOLVE_WAIT_S = 0.6  # in place of T6's 2 s: a refusal waits it out, and all that lasts a moment is over well before
VIEWPORT = (800, 560)  # a small one, since each step of drift is drawn
LOADED_S = 10.0
FRESH_EVERY = 400  # scenes: then a lane's browser begins anew, as no person keeps one for ever


async def campaign(actions: int, seed: int, lanes: int, tally: Tally, *, only: int | None = None) -> None:
    """Perform that many acts, over ``lanes`` browsers; ``only`` is the number of one scene."""
    with served(PAGES) as base:
        numbers = iter(range(only, only + 1) if only is not None else range(10**9))
        limit = 10**9 if only is not None else actions

        async def lane() -> None:
            while (number := next(numbers, None)) is not None and tally.acts < limit:
                async with axstream.browser(f"{base}/stage.html", viewport=VIEWPORT) as screen:
                    at: str | None = "stage.html"
                    left = FRESH_EVERY
                    while True:
                        scene = draw_scene(seed, number)
                        at = await _one(screen, base, scene, at, seed, tally)
                        left -= 1
                        if not left or at is None or tally.acts >= limit:
                            break
                        following = next(numbers, None)
                        if following is None:
                            return
                        number = following

        async with asyncio.TaskGroup() as tasks:
            for _ in range(1 if only is not None else lanes):
                tasks.create_task(lane())


async def _one(screen: BrowserComputer, base: str, scene: Scene, at: str | None, seed: int, tally: Tally) -> str | None:
    """Play one scene, and return the page that is open now; None where the browser had better begin anew."""
    page = {"frame": "host.html#same", "far": "host.html#far"}.get(scene.where, "stage.html")
    try:
        if page != at:
            await screen.page.goto("about:blank")
            await screen.page.goto(f"{base}/{page}")
        play = Play(screen, scene, seed, tally)
        await play.run()
    except AxstreamError as error:
        tally.crash(f"seed {seed} scene {scene.number}: {error!r}")
        return None
    return page


class Play:
    """One scene on one browser, with a book of its own."""

    def __init__(self, screen: BrowserComputer, scene: Scene, seed: int, tally: Tally) -> None:
        self._screen = screen
        self._scene = scene
        self._seed = seed
        self._tally = tally
        self._book = IdBook()
        self._events: list[RunEvent] = []
        computer: Computer = screen
        self._executor = Executor(
            computer,
            policy=axstream.Policy(risky="allow"),
            book=self._book,
            emit=lambda _, event: self._events.append(event),
            resolve_wait=RESOLVE_WAIT_S,
            bare=True,
        )

    async def run(self) -> None:
        """Show the scene, observe it once, and act on it."""
        frame = await self._stage()
        given = {"kind": self._scene.kind, "where": self._scene.where, "items": msgspec.to_builtins(self._scene.items)}
        await frame.evaluate("given => stage.show(given)", given)
        tree = await self._screen.observe()
        outline(tree, self._book)
        observed = msgspec.convert(await frame.evaluate("stage.observed()"), list[Control])
        ids = self._ids(tree, observed)
        named = [control for control in observed if control.key in ids]
        if not named:
            self._tally.crash(f"scene {self._scene.number}: no control has an id in\n{outline(tree, self._book).text}")
            return
        for draw in self._scene.draws:
            meant = named[int(draw.which * len(named))]
            if not await self._act(frame, draw, meant, ids[meant.key], observed):
                return

    async def _stage(self) -> Frame:
        """Return the frame that the scene is shown in, once its script is there."""
        page = self._screen.page
        inner = self._scene.where in ("frame", "far")
        deadline = time.monotonic() + LOADED_S
        while True:
            frames = [frame for frame in page.frames if "stage.html" in frame.url]
            if frames and (not inner or frames[0] != page.main_frame):
                ready = "typeof stage !== 'undefined' && document.readyState === 'complete'"
                if await frames[0].evaluate(ready):
                    return frames[0]
            if time.monotonic() > deadline:
                raise AxstreamError(f"{page.url} did not load its stage")
            await asyncio.sleep(0.02)

    def _ids(self, tree: Any, observed: list[Control]) -> dict[str, str]:
        """Return the ids by key: the n-th control of a role and name is the n-th node of them."""
        by_look: dict[tuple[str, str], list[str]] = {}
        for node in tree.nodes:
            number = self._book.id_of(node.handle)
            if number is not None:
                by_look.setdefault((node.role, node.name), []).append(number)
        ids: dict[str, str] = {}
        taken: dict[tuple[str, str], int] = {}
        for control in observed:
            look = (self._role(control), control.name)
            at = taken.get(look, 0)
            taken[look] = at + 1
            if at < len(by_look.get(look, ())):
                ids[control.key] = by_look[look][at]
        return ids

    def _role(self, control: Control) -> str:
        kinds = KINDS[self._scene.kind]
        return next((role for role, name in kinds if name == control.name), kinds[0][0])

    async def _act(self, frame: Frame, draw: Draw, meant: Control, number: str, observed: list[Control]) -> bool:
        """Do one act against its drift and judge it; False where the scene is used up."""
        roles = {name: role for role, name in KINDS[self._scene.kind] if name != "*"}
        case = Case(
            meant=meant,
            role=self._role(meant),
            roles=roles,
            naming=draw.naming,
            observed=observed,
            twice=draw.act == "double_click",
            parted=any(plan.op in PARTING for plan in draw.plans),
        )
        line = json.dumps({"op": draw.act, "target": {"ax": _named(case, number)}})
        frames = [frame, *(other for other in self._screen.page.frames if other != frame)]
        for other in frames[1:]:
            await other.evaluate("stage.drift(null, [])")
        self._events.clear()
        await frame.evaluate("([key, plans]) => stage.drift(key, plans)", [meant.key, msgspec.to_builtins(draw.plans)])
        begun = time.monotonic()
        result = await self._executor.run_burst(_lines(line + "\n"))
        seconds = time.monotonic() - begun
        told = [msgspec.convert(await each.evaluate("stage.told()"), Told) for each in frames]
        performed = any(isinstance(event, Executed) for event in self._events)
        failed = next((event for event in self._events if isinstance(event, Failed)), None)
        if not performed and failed is None:
            self._tally.crash(f"seed {self._seed} scene {self._scene.number}: neither performed nor failed: {result}")
        elsewhere: list[Hit] = [hit for other in told[1:] for hit in other.hits]
        said = "" if failed is None else failed.message
        verdict, why = judge(case, told[0], elsewhere, performed=performed, said=said)
        ops = "+".join(f"{plan.op}{'/' + plan.mode if plan.mode else ''}@{plan.when}" for plan in draw.plans)

        def fault() -> str:
            outcome = "performed" if performed else f"{failed.error}: {failed.message}" if failed else str(result)
            received = " ".join(f"{hit.type}:{hit.key or hit.at}" for hit in told[0].hits)
            return (
                f"--seed {self._seed} --only {self._scene.number}: {self._scene.kind} in {self._scene.where}, {ops}; "
                f"{line}, meant {meant}; {why}; {outcome}; received [{received}]"
            )

        first = draw.plans[0].op if len(draw.plans) == 1 else "two at once"
        self._tally.add(verdict, first, seconds, fault, f"{ops} by {draw.naming}")
        return performed  # a model would look again after a failure (E2)


def _named(case: Case, number: str) -> dict[str, Any]:
    match case.naming:
        case "id":
            return {"id": number}
        case "title":
            return {"role": case.role, "title": case.meant.name}
        case "within":
            return {"role": case.role, "title": case.meant.name, "within": {"title": case.meant.row}}
        case "both":
            return {"id": number, "role": case.role, "title": case.meant.name}


async def _lines(text: str) -> AsyncIterator[str]:
    yield text
