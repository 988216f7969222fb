"""Computers by name: ``memory``, ``browser:URL`` and whatever a package registers. No backend is imported until named.

A backend registers a callable under the entry point group ``axstream.computers``; it is called as
``open_x(argument, headed=..., executable=...)`` with what stood behind the colon, None where nothing did. Further options
are handed on only where they were given.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from typing import Any, Protocol

from axstream.computer.base import Computer
from axstream.errors import UsageError
from axstream.spec.wording import list_words, nearest

GROUP = "axstream.computers"
#: What stands without an installation's entry points: a source tree, a frozen program.
BUILT_IN = {
    "memory": "axstream.computer.memory:open_memory",
    "browser": "axstream.computer.browser:open_browser",
}
#: Which extra brings a module that a backend needs.
EXTRAS = {"playwright": "browser"}


class Opener(Protocol):
    """What an entry point is: it makes a computer and starts nothing yet."""

    def __call__(self, argument: str | None, *, headed: bool, executable: str | None, **options: Any) -> Computer:
        """Return a computer that is not entered yet."""


def computer_names() -> tuple[str, ...]:
    """Return the names that ``open_computer`` knows, sorted."""
    return tuple(sorted({*BUILT_IN, *(point.name for point in entry_points(group=GROUP))}))


def open_computer(
    spec: str,
    *,
    headed: bool = False,
    executable: str | None = None,
    spell: Callable[[str], str] | None = None,
    **options: Any,
) -> Computer:
    """Return the computer that ``NAME`` or ``NAME:ARGUMENT`` means, not entered yet.

    ``options`` are the computer's own (those of ``axstream.browser`` for ``browser``); None is one that is not given.
    ``spell`` is how messages write an option's name, as it is where it is not given; a computer may take it too.

    Raises ``UsageError`` for an unknown name (naming the nearest), a missing extra (naming the command that installs
    it), for an option that the computer does not have, and whatever the backend finds wrong with its argument.
    """
    options = {option: value for option, value in options.items() if value is not None}
    name, colon, argument = spec.partition(":")
    name = name.strip()
    if colon and not argument.strip():
        raise UsageError(f'the computer "{spec}" ends in a colon: write "{name}", or what it shows behind the colon')
    opener = _find(name)
    try:
        load = opener()
    except ModuleNotFoundError as error:
        raise _missing(name, error) from error
    taken = signature(load).parameters
    for option in options:
        if option not in taken and not any(one.kind is Parameter.VAR_KEYWORD for one in taken.values()):
            said = spell(option) if spell is not None else option
            raise UsageError(f'the computer "{name}" has no option {said}; leave it out, or use the browser')
    if spell is not None and "spell" in taken:
        options["spell"] = spell
    try:
        return load(argument if colon else None, headed=headed, executable=executable, **options)
    except ModuleNotFoundError as error:  # a backend that imports its extra when it is opened
        raise _missing(name, error) from error


def _find(name: str) -> Callable[[], Opener]:
    points: dict[str, EntryPoint] = {point.name: point for point in entry_points(group=GROUP)}
    if name in points:
        return points[name].load
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")

        def load() -> Opener:
            opener: Opener = getattr(import_module(module), attribute)
            return opener

        return load
    known = computer_names()
    near = nearest(name, known, 1)
    hint = f"did you mean {list_words(near)}? " if near else ""
    raise UsageError(f'the computer "{name}" is unknown; {hint}known are {list_words(known, "and")}')


def _missing(name: str, error: ModuleNotFoundError) -> Exception:
    module = (error.name or "").partition(".")[0]
    if module not in EXTRAS:
        return error
    return UsageError(
        f'the computer "{name}" needs {module}, which is not installed: '
        f"run pip install 'axstream-runtime[{EXTRAS[module]}]'"
    )
