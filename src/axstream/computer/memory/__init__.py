"""The ``memory`` computer: a small desktop made of values, for tests, demos and machines without a screen.

``open_memory`` is its entry point; the classes are what tests use. How a scene is written is in docs/scenes.md.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from axstream.computer.memory.check import check_scene
from axstream.computer.memory.clock import Clock, RealClock, VirtualClock
from axstream.computer.memory.computer import MemoryComputer
from axstream.computer.memory.load import load_scene, parse_scene
from axstream.computer.memory.records import (
    AppOpened,
    ButtonDown,
    ButtonUp,
    Input,
    KeyDown,
    KeyUp,
    PointerMoved,
    TextTyped,
    UrlOpened,
    WheelTurned,
)
from axstream.computer.memory.scene import App, Effect, Element, Page, Scene, scene_schema
from axstream.errors import UsageError

__all__ = [
    "App",
    "AppOpened",
    "ButtonDown",
    "ButtonUp",
    "Clock",
    "Effect",
    "Element",
    "Input",
    "KeyDown",
    "KeyUp",
    "MemoryComputer",
    "Page",
    "PointerMoved",
    "RealClock",
    "Scene",
    "TextTyped",
    "UrlOpened",
    "VirtualClock",
    "WheelTurned",
    "check_scene",
    "default_scene",
    "load_scene",
    "open_memory",
    "parse_scene",
    "scene_schema",
]


def default_scene() -> Scene:
    """Return the scene that the package ships: a notes application and a browser-like window."""
    text = files("axstream").joinpath("data", "scenes", "default.json").read_text(encoding="utf-8")
    return parse_scene(text, "default.json")


def open_memory(argument: str | None = None, *, headed: bool = False, executable: str | None = None) -> MemoryComputer:
    """Return a memory computer that shows a scene file, without one the scene that the package ships.

    Raises ``UsageError`` for a scene that cannot be read or cannot work, and for options of other computers.
    """
    if headed:
        raise UsageError("the memory computer has no window to show: leave --headed out, or use --computer browser")
    if executable is not None:
        raise UsageError("the memory computer starts no program: leave --executable out")
    return MemoryComputer(default_scene() if argument is None else load_scene(Path(argument)))
