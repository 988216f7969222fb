"""Nothing stays down: every command is cancelled at every point where it waits (E5, A7)."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from axstream.computer.base import ClickAt, Command, DragTo, MoveTo, OpenApp, OpenUrl, PressKeys, TypeText, Wheel
from axstream.computer.memory import ButtonDown, ButtonUp, KeyDown, KeyUp, MemoryComputer, VirtualClock, default_scene

COMMANDS: tuple[Command, ...] = (
    ClickAt(x=300, y=300),
    ClickAt(x=300, y=300, count=2),
    ClickAt(x=300, y=300, button="right"),
    MoveTo(x=10, y=10),
    DragTo(x=10, y=10, to_x=500, to_y=400),
    TypeText(text="a bc\n", clear=True),
    PressKeys(modifiers=("ctrl", "alt", "shift"), key="f5"),
    Wheel(direction="down", clicks=2),
    OpenUrl(url="https://weather.example/tokyo"),
    OpenApp(name="Notes"),
)
MORE_THAN_ANY = 60  # waits that no command above has


class CancellingClock(VirtualClock):
    """Cancels a scope at the nth sleep."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.left = at
        self.scope = anyio.CancelScope()

    async def sleep(self, seconds: float) -> None:
        self.left -= 1
        if self.left == 0:
            self.scope.cancel()
        await super().sleep(seconds)


async def ready(clock: VirtualClock) -> MemoryComputer:
    computer = MemoryComputer(default_scene(), clock=clock, action_ms=20, key_ms=2)
    await computer.__aenter__()
    computer.desktop.focus_on(computer.desktop.find("address"))
    return computer


def downs_without_ups(computer: MemoryComputer) -> list[str]:
    down: list[str] = []
    for received in computer.inputs:
        match received:
            case KeyDown(key=name) | ButtonDown(button=name):
                down.append(name)
            case KeyUp(key=name) | ButtonUp(button=name):
                down.remove(name)
    return down


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: f"{type(command).__name__}")
async def test_a_command_cancelled_at_any_wait_lets_go_of_everything(command: Command) -> None:
    cut_short = 0
    for at in range(1, MORE_THAN_ANY):
        clock = CancellingClock(at)
        computer = await ready(clock)
        with clock.scope:
            await computer.perform(command)
        cut_short += clock.scope.cancelled_caught
        assert computer.pressed == frozenset()
        assert downs_without_ups(computer) == []
        if not clock.scope.cancelled_caught:
            break
    else:
        pytest.fail("the command has more waits than the test tries")
    assert cut_short > 0, "the command was never cut short: the test tests nothing"


async def test_leaving_the_computer_lets_go_of_what_is_down() -> None:
    """E5: also what a caller pressed past ``perform``."""
    computer = await ready(VirtualClock())
    computer.desktop.pressed.extend(["left", "shift"])
    await computer.__aexit__(None, None, None)
    assert computer.pressed == frozenset()


async def test_a_cancelled_text_leaves_what_landed() -> None:
    """Z18: cut short, what was sent stays."""
    clock = CancellingClock(at=3)
    computer = await ready(clock)
    computer.set("address", value="")
    with clock.scope:
        await computer.perform(TypeText(text="abcdef"))
    assert computer.value("address") == "abc"


async def test_a_drag_cut_short_never_reaches_its_target() -> None:
    clock = CancellingClock(at=5)
    computer = await ready(clock)
    with clock.scope:
        await computer.perform(DragTo(x=0, y=0, to_x=100, to_y=100))
    assert clock.scope.cancelled_caught
    assert computer.desktop.pointer == (40, 40)


async def test_even_an_act_without_pace_can_be_cancelled() -> None:
    """Every act has a checkpoint, though it takes no time."""
    computer = MemoryComputer(default_scene())
    async with computer:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await computer.perform(ClickAt(x=5, y=5))
        assert scope.cancelled_caught
        assert computer.pressed == frozenset()
