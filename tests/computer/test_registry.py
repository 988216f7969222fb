"""Computers are found by name, and every way to get the name wrong says how to get it right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from axstream.computer import registry
from axstream.computer.memory import MemoryComputer
from axstream.computer.registry import computer_names, open_computer
from axstream.errors import UsageError


class Point:
    """An entry point that loads what it is given."""

    def __init__(self, name: str, load: Callable[[], object]) -> None:
        self.name = name
        self.load = load


def register(monkeypatch: pytest.MonkeyPatch, *points: Point) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "axstream.computers" else ())


async def test_memory_shows_the_shipped_scene() -> None:
    async with open_computer("memory") as computer:
        assert isinstance(computer, MemoryComputer)
        assert await computer.applications() == ("Notes", "Browser")


def test_what_stands_behind_the_first_colon_is_the_argument(tmp_path: Path) -> None:
    path = tmp_path / "a:b.json"
    path.write_text('{"title": "Shop"}', encoding="utf-8")
    computer = open_computer(f"memory:{path}")
    assert isinstance(computer, MemoryComputer)
    assert computer.scene.title == "Shop"


def test_an_unknown_name_names_the_nearest_and_the_list() -> None:
    with pytest.raises(UsageError, match='the computer "memroy" is unknown; did you mean "memory"\\? known are'):
        open_computer("memroy")
    with pytest.raises(UsageError, match='"xyz" is unknown; known are "browser"'):
        open_computer("xyz:argument")


def test_an_empty_argument_is_a_slip() -> None:
    with pytest.raises(UsageError, match='ends in a colon: write "memory"'):
        open_computer("memory: ")


def test_without_entry_points_the_built_in_ones_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    assert computer_names() == ("browser", "memory")
    assert isinstance(open_computer("memory"), MemoryComputer)


def test_a_registered_computer_gets_its_argument_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[object] = []

    def open_robot(argument: str | None, *, headed: bool, executable: str | None) -> MemoryComputer:
        got.extend((argument, headed, executable))
        return open_computer("memory")  # type: ignore[return-value]  # the registry knows only the protocol

    register(monkeypatch, Point("robot", lambda: open_robot))
    open_computer("robot:a:b", headed=True, executable="/bin/robot")
    assert got == ["a:b", True, "/bin/robot"]
    assert computer_names() == ("browser", "memory", "robot")


@pytest.mark.parametrize("when", ["loaded", "opened"])
def test_a_missing_extra_names_the_command(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    def missing(*_: object, **__: object) -> object:
        raise ModuleNotFoundError("No module named 'playwright'", name="playwright.async_api")

    register(monkeypatch, Point("browser", missing if when == "loaded" else lambda: missing))
    with pytest.raises(UsageError, match=r"needs playwright.*pip install 'axstream-runtime\[browser\]'"):
        open_computer("browser")


def test_another_missing_module_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> object:
        raise ModuleNotFoundError("No module named 'nonsense'", name="nonsense")

    register(monkeypatch, Point("robot", broken))
    with pytest.raises(ModuleNotFoundError, match="nonsense"):
        open_computer("robot")


def test_an_option_that_a_computer_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match='the computer "memory" has no option downloads'):
        open_computer("memory", downloads="somewhere")
    with pytest.raises(UsageError, match='the computer "memory" has no option --save-storage'):
        open_computer("memory", save_storage="x", spell=lambda name: "--" + name.replace("_", "-"))
    assert isinstance(open_computer("memory", downloads=None, spell=str), MemoryComputer)
