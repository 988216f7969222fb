"""One act from its target to its effect: locate, judge, ask or hold, locate again, prepare, perform (R2, Z7, T7).

No queue and no stream here; ``executor`` owns those.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from itertools import count
from typing import assert_never

import anyio
import msgspec

from axstream.ax.ids import IdBook
from axstream.ax.node import Node
from axstream.ax.quote import plain
from axstream.computer.base import Command, Computer, Effect, Focus, Purpose, TypeText
from axstream.errors import (
    ActionDenied,
    ActionError,
    AssertFailed,
    ComputerError,
    ComputerTimeout,
    TargetAmbiguous,
    TargetNotActionable,
    TargetNotFound,
    TargetSlipped,
)
from axstream.policy import ApprovalRequest, Approve, Policy, judge
from axstream.runtime.burst import Line
from axstream.runtime.lower import Point, lower, lower_open
from axstream.runtime.saying import say_act, say_result, say_target
from axstream.runtime.targeting import FIRST_POLL_S, Located, Targeting
from axstream.spec.actions import (
    AnyAct,
    Assert,
    BuiltinAct,
    Click,
    Custom,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.catalogue import Catalogue
from axstream.spec.targets import AxTarget, PointTarget, Target
from axstream.trace.events import Element, Held, RunEvent

PERFORM_LIMIT_S = 30.0  # no single input takes a computer longer
PER_CHARACTER_S = 0.25  # but for long texts: what the slowest toolkit takes for a character, with room
CUSTOM_LIMIT_S = 60.0  # an embedder's own act
LEAST_TRIES = 3  # for an element that slips away as it is pressed, however long each took
REDECIDE_LIMIT = 3  # a target that is another one after each yes is a screen that nobody can approve


class Performed(msgspec.Struct, frozen=True, kw_only=True):
    """What performing an act showed. ``waited_s`` is the time it stood held or asked; all times in seconds."""

    effect: str
    notes: tuple[str, ...] = ()
    element: Element | None = None
    to: Element | None = None
    risky: bool = False
    moves_focus: bool = False
    resolve_s: float = 0.0
    waited_s: float = 0.0


class _Aim(msgspec.Struct, frozen=True, kw_only=True):
    at: Located | None
    to: Located | None
    focus: Focus | None

    @property
    def key(self) -> tuple[object, ...]:
        focus = self.focus.node if self.focus is not None else None
        return (
            self.at.key if self.at is not None else None,
            self.to.key if self.to is not None else None,
            (focus.handle, focus.role, focus.name) if focus is not None else None,
        )


class Performer:
    """Performs acts on one computer, one at a time; ``last_element`` and ``last_reasons`` speak of the newest."""

    def __init__(
        self,
        computer: Computer,
        *,
        catalogue: Catalogue,
        policy: Policy,
        approve: Approve | None,
        targeting: Targeting,
        book: IdBook,
        say: Callable[[RunEvent], None],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._computer = computer
        self._catalogue = catalogue
        self._policy = policy
        self._approve = approve
        self._targeting = targeting
        self._book = book
        self._say = say
        self._clock = clock
        self._sleep = sleep
        self.last_element: Element | None = None
        self.last_reasons: tuple[str, ...] = ()
        self.delivering = False

    async def check(self, action: Assert) -> Performed:
        """Hold an ``assert`` against the live screen (E3, Z12). Raises AssertFailed when T6's wait is over."""
        self.last_element, self.last_reasons, self.delivering = None, (), False
        begun = self._clock()
        problem = await self._targeting.wait_for(action.target, gone=action.gone, timeout=self._targeting.wait)
        if problem is not None:
            raise AssertFailed(f"assert: {problem}")
        state = "is gone" if action.gone else "is there"
        return Performed(effect=f"{say_target(action.target)} {state}", resolve_s=self._clock() - begun)

    async def act(
        self, line: Line, act: AnyAct, *, caution: str | None, burst: int, hold: Callable[[], Awaitable[str | None]]
    ) -> Performed | None:
        """Perform one act. None where it was held and the stream did not become whole (it is then discarded).

        Raises ActionError where the model can mend it (ActionDenied for a no), ComputerError where the computer failed.
        """
        self.last_element, self.last_reasons, self.delivering = None, (), False
        begun = self._clock()
        aim = await self._aim(act)
        waited = 0.0
        risky = False
        decided = False  # somebody, or the wait for the whole text, allowed this very element (Z7)
        for _ in range(REDECIDE_LIMIT):
            self.last_element = self._element(aim.at.node if aim.at is not None else None)
            reasons = self._judge(act, aim)
            cautious = self._caution(line, act, caution)
            self.last_reasons = reasons + cautious
            mode = self._mode(self.last_reasons)
            risky = bool(self.last_reasons)
            if mode == "allow":
                break
            if mode == "deny":
                self._refuse(act, reasons, cautious)
            stopped = self._clock()
            if mode == "hold":
                self._say(
                    Held(line=line.line, burst=burst, mode="hold", why=self.last_reasons, element=self.last_element)
                )
                if await hold() is not None:
                    return None
            else:
                self._say(
                    Held(line=line.line, burst=burst, mode="ask", why=self.last_reasons, element=self.last_element)
                )
                await self._ask(line, act, aim)
            waited += self._clock() - stopped
            again = await self._aim(act)
            if again.key == aim.key:
                aim, decided = again, True
                break
            aim = again
        else:
            raise TargetNotActionable(
                f"{say_act(act)}: what it means changed {REDECIDE_LIMIT} times while it waited to be allowed; observe again"
            )
        resolve_s = self._clock() - begun - waited
        effect, notes = await self._perform(act, aim, decided=decided)
        return Performed(
            effect=effect,
            notes=notes,
            element=self.last_element,
            to=self._element(aim.to.node if aim.to is not None else None),
            risky=risky,
            moves_focus=isinstance(act, Click | DoubleClick | Open)
            or (isinstance(act, Type) and act.target is not None),
            resolve_s=resolve_s,
            waited_s=waited,
        )

    # -- deciding ----------------------------------------------------------------------------------------------

    def _judge(self, act: AnyAct, aim: _Aim) -> tuple[str, ...]:
        if isinstance(act, Custom) and self._catalogue.custom[act.name].risk == "risky":
            return ("this act is registered as risky",)
        return judge(
            act,
            aim.at.node if aim.at is not None else None,
            aim.to.node if aim.to is not None else None,
            aim.focus.node if aim.focus is not None else None,
        )

    def _caution(self, line: Line, act: AnyAct, caution: str | None) -> tuple[str, ...]:
        """E7, Z6: what a rejected line before this one makes doubtful."""
        if line.lost_barrier:
            return ("a rejected line before it was an assert, an observe or a done",)
        if caution is not None and _goes_to_the_focus(act):
            return (caution,)
        return ()

    def _mode(self, reasons: tuple[str, ...]) -> str:
        mode = self._policy.decide(reasons)
        return "deny" if mode == "ask" and self._approve is None else mode

    def _refuse(self, act: AnyAct, reasons: tuple[str, ...], cautious: tuple[str, ...]) -> None:
        said = say_act(act)
        if not reasons and _goes_to_the_focus(act):  # Z6: doubt alone is a failure, not a denial
            raise TargetNotActionable(f"{said}: {cautious[0]}; send the rejected line again, mended, and then this one")
        why = "; ".join(reasons + cautious)
        raise ActionDenied(f"{said}: risky ({why}), and the policy denies risky acts here")

    async def _ask(self, line: Line, act: AnyAct, aim: _Aim) -> None:
        """Raise ActionDenied unless a person says yes in time (R2)."""
        if self._approve is None:
            raise AssertionError("nobody to ask was decided on as a deny")
        request = ApprovalRequest(
            line=line.line,
            action=act,
            summary=say_act(act),
            why=self.last_reasons,
            element=aim.at.node if aim.at is not None else None,
            to=aim.to.node if aim.to is not None else None,
            focus=aim.focus.node if aim.focus is not None else None,
        )
        answer: object = None
        with anyio.move_on_after(self._policy.ask_timeout_s) as scope:
            try:
                answer = self._approve(request)
                if isawaitable(answer):
                    answer = await answer
            except Exception as error:  # the embedder's code may raise anything, and anything but a yes is a no (R2)
                said = f"{type(error).__name__}: {plain(str(error), 200)}"
                raise ActionDenied(f"{request.summary}: nobody could be asked ({said})")
        if scope.cancelled_caught:
            raise ActionDenied(f"{request.summary}: nobody answered within {self._policy.ask_timeout_s:g} s")
        if answer is not True:
            raise ActionDenied(f"{request.summary}: the user said no")

    # -- finding -----------------------------------------------------------------------------------------------

    async def _aim(self, act: AnyAct) -> _Aim:
        match act:
            case Click() | DoubleClick() | RightClick() | Move():
                return _Aim(at=await self._locate(act.target, act), to=None, focus=None)
            case Drag():
                at = await self._locate(act.from_, act)
                return _Aim(at=at, to=await self._locate(act.to, act), focus=None)
            case Type(target=None):
                # Judged with the focus that it will have: so the wait for one that takes text stands before (Z8, Z18).
                wanted = _wants_a_field(act.text, act.clear)
                focus = await self._targeting.focus_for_text() if wanted else await self._computer.focus()
                return _Aim(at=None, to=None, focus=focus)
            case Key():
                return _Aim(at=None, to=None, focus=await self._computer.focus())
            case Type():
                return _Aim(at=await self._locate(act.target, act), to=None, focus=None)
            case Scroll() | Open() | Wait() | WaitUntil() | Custom():
                return _Aim(at=None, to=None, focus=None)
            case _:
                assert_never(act)

    async def _locate(self, target: Target | None, act: AnyAct) -> Located:
        if target is None:
            raise AssertionError("an act without a target was located")
        try:
            return await self._targeting.locate(target)
        except (TargetNotFound, TargetAmbiguous, TargetNotActionable) as error:
            raise type(error)(f"{act.do}: {error}")

    def _element(self, node: Node | None) -> Element | None:
        if node is None:
            return None
        box = node.box
        return Element(
            role=node.role,
            name=node.name,
            id=self._book.id_of(node.handle),
            description=node.description,
            box=(box.x, box.y, box.w, box.h) if box is not None else None,
        )

    # -- performing --------------------------------------------------------------------------------------------

    async def _perform(self, act: AnyAct, aim: _Aim, *, decided: bool) -> tuple[str, tuple[str, ...]]:
        match act:
            case Wait(ms=ms):
                capped = min(ms, self._policy.max_wait_ms)
                await self._sleep(capped / 1000)
                cut = (f"asked for {ms:g} ms, the policy's cap is {capped:g} ms",) if capped < ms else ()
                return f"waited {capped:g} ms", cut
            case WaitUntil():
                return await self._wait_until(act)
            case Custom():
                return await self._custom(act), ()
            case Open():
                return await self._open(act)
            case Click() | DoubleClick() | RightClick() | Move() | Drag() | Type() | Key() | Scroll():
                return await self._input(act, aim, decided=decided)
            case _:
                assert_never(act)

    async def _wait_until(self, act: WaitUntil) -> tuple[str, tuple[str, ...]]:
        capped = min(act.timeout_ms, self._policy.max_wait_ms)
        problem = await self._targeting.wait_for(
            act.target, gone=act.gone, timeout=capped / 1000, poll=max(act.poll_ms, 1.0) / 1000
        )
        if problem is not None:
            raise TargetNotFound(f"wait_until: after {capped:g} ms {problem}")
        cut = (
            (f"asked for {act.timeout_ms:g} ms, the policy's cap is {capped:g} ms",) if capped < act.timeout_ms else ()
        )
        return f"{say_target(act.target)} {'is gone' if act.gone else 'is there'}", cut

    async def _custom(self, act: Custom) -> str:
        self.delivering = True
        result: object = None
        with anyio.move_on_after(CUSTOM_LIMIT_S) as scope:
            try:
                result = self._catalogue.custom[act.name].call(act.args)
                if isawaitable(result):
                    result = await result
            except (ActionError, ComputerError):
                raise
            except Exception as error:  # the embedder's code may raise anything; the model is told, the run goes on
                raise ActionError(f"{act.name} failed: {type(error).__name__}: {plain(str(error), 200)}")
        if scope.cancelled_caught:
            raise TargetNotActionable(f"{act.name}: no answer within {CUSTOM_LIMIT_S:g} s")
        return f"{act.name} returned {say_result(result)}" if result is not None else f"{act.name} was called"

    async def _open(self, act: Open) -> tuple[str, tuple[str, ...]]:
        computer = self._computer
        apps = await computer.applications() if computer.has_applications else ()
        command = lower_open(
            act,
            apps,
            schemes=self._policy.schemes,
            has_applications=computer.has_applications,
            opens_urls=computer.opens_urls,
        )
        effect = await self._deliver(command)
        return effect.summary or f"opened {plain(act.target, 120)}", effect.notes

    async def _input(self, act: BuiltinAct, aim: _Aim, *, decided: bool) -> tuple[str, tuple[str, ...]]:
        """Deliver; where the element slipped away under the press, and nothing was pressed, find it again and do it."""
        deadline = self._clock() + self._targeting.wait
        for slips in count(1):
            try:
                return await self._deliver_all(act, aim, decided=decided)
            except TargetSlipped as error:
                if aim.at is None or (slips >= LEAST_TRIES and self._clock() >= deadline):
                    raise TargetSlipped(f"{act.do}: {error}; observe again")
                aim = msgspec.structs.replace(aim, at=await self._again(act, aim.at, error, decided=decided))
        raise AssertionError("counting came to an end")

    async def _again(self, act: BuiltinAct, located: Located, error: ActionError, *, decided: bool) -> Located:
        """Return where a target is now. One that was ``decided`` on must be the very same (Z7), others look the same."""
        again = await self._locate(located.target, act)
        if again.key != located.key if decided else again.look != located.look:
            raise TargetNotFound(f"{act.do}: {error}; observe again")
        return again

    async def _deliver_all(self, act: BuiltinAct, aim: _Aim, *, decided: bool) -> tuple[str, tuple[str, ...]]:
        point: Point | None = None
        to: Point | None = None
        if aim.at is not None:
            aim, point = await self._ready(act, aim, "at", decided=decided)
        if aim.to is not None and point is not None:
            aim, point, to = await self._both_ready(act, aim, point, decided=decided)
        # A bare point names no element: what has the focus after the click there is what it is typed into.
        named = aim.at if aim.at is not None and isinstance(aim.at.target, AxTarget) else None
        handle = named.node.handle if named is not None and named.node is not None else None
        effects: list[Effect] = []
        for command in lower(act, point, to, handle):
            if isinstance(command, TypeText) and aim.at is not None and _wants_a_field(command.text, command.clear):
                await self._targeting.focus_for_text()
            effects.append(await self._deliver(command))
        summary = effects[-1].summary or say_act(act)
        notes = [note for effect in effects for note in effect.notes]
        if effects[-1].moved is False and "nothing" not in summary:
            notes.append("nothing moved")
        return summary, tuple(notes)

    async def _both_ready(
        self, act: BuiltinAct, aim: _Aim, point: Point, *, decided: bool
    ) -> tuple[_Aim, Point, Point]:
        """Return the two points of a drag, both on the screen at once: reaching one may scroll the other away (A7)."""
        start = await self._under(point)
        aim, to = await self._ready(act, aim, "to", decided=decided)
        if await self._under(point) == start:
            return aim, point, to
        end = await self._under(to)
        aim, point = await self._ready(act, aim, "at", decided=decided)
        bare = aim.at is not None and isinstance(aim.at.target, PointTarget)  # other things lie at the point now
        if bare or await self._under(to) != end:
            raise TargetNotActionable(
                f"{act.do}: its two ends are not on the screen at the same time; drag in two steps"
            )
        return aim, point, to

    async def _under(self, point: Point) -> str | None:
        node = await self._computer.at(*point)
        return None if node is None else node.handle

    async def _ready(self, act: BuiltinAct, aim: _Aim, which: str, *, decided: bool) -> tuple[_Aim, Point]:
        """Return the point to act at. An element that is replaced under our hands is looked for again (T2, T7).

        Not where that element was ``decided`` on: its double was not (Z7).
        """
        located = aim.at if which == "at" else aim.to
        if located is None:
            raise AssertionError("nothing to make ready")
        deadline = self._clock() + self._targeting.wait
        for tries in count(1):
            try:
                left = max(deadline - self._clock(), 0.1)
                return aim, await self._targeting.point_for(located, _purpose(act, which), left)
            except TargetNotFound as error:
                if decided or self._clock() >= deadline:
                    raise TargetNotFound(f"{act.do}: {error}; observe again")
                await self._sleep(FIRST_POLL_S)
                located = await self._again(act, located, error, decided=False)
                aim = msgspec.structs.replace(aim, **{which: located})
            except TargetSlipped as error:
                if tries >= LEAST_TRIES and self._clock() >= deadline:
                    raise TargetSlipped(f"{act.do}: {error}; observe again")
                located = await self._again(act, located, error, decided=decided)
                aim = msgspec.structs.replace(aim, **{which: located})
            except TargetNotActionable as error:
                raise TargetNotActionable(f"{act.do}: {error}")
        raise AssertionError("counting came to an end")

    async def _deliver(self, command: Command) -> Effect:
        limit = PERFORM_LIMIT_S + (len(command.text) * PER_CHARACTER_S if isinstance(command, TypeText) else 0.0)
        self.delivering = True
        with anyio.move_on_after(limit) as scope:
            return await self._computer.perform(command)
        if scope.cancelled_caught:
            raise ComputerTimeout(f"{type(command).__name__} did not end within {limit:g} s")
        raise AssertionError("a delivery neither ended nor was cut")


def _goes_to_the_focus(act: AnyAct) -> bool:
    return isinstance(act, Key) or (isinstance(act, Type) and act.target is None)


def _wants_a_field(text: str, clear: bool) -> bool:
    """Enter and Tab go to whatever has the focus; all other text needs something that takes it (A1, Z8)."""
    return clear or bool(text.strip("\r\n\t"))


def _purpose(act: BuiltinAct, which: str) -> Purpose:
    if which == "to":
        return "drop"
    match act:
        case Move():
            return "move"
        case Drag():
            return "drag"
        case Type():
            return "type"
        case _:
            return "click"
