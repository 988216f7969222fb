"""From ``NAME:ARGUMENT`` to a model. The names that come with the package, and the entry points; no provider's code."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path

from axstream.errors import UsageError
from axstream.models.base import Model

GROUP = "axstream.models"
"""An entry point is a callable ``(argument, *, base_url, seed, temperature) -> Model``; ``argument`` may be empty."""
BUILT_IN = ("local", "openai", "script")


def open_model(
    spec: str,
    *,
    base_url: str | None = None,
    pace: float | None = None,
    seed: int | None = None,
    temperature: float | None = None,
) -> Model:
    """The model that ``spec`` names; nothing is connected or loaded yet. ``UsageError`` names the fix.

    ``pace`` is for ``script`` alone and ``base_url`` for models on a server. ``seed`` and ``temperature`` are what a
    prompt that names none is sampled with; a script has no use for them.
    """
    name, _, argument = spec.partition(":")
    if pace is not None and name != "script":
        raise UsageError(f"a pace is for script:FILE; {spec!r} has its own")
    if base_url is not None and name in ("script", "local"):
        raise UsageError(f"a base-url is for models on a server, such as openai:NAME; {name} has none")
    match name:
        case "script":
            from axstream.models.script import open_script

            return open_script(argument, pace=pace)
        case "openai":
            from axstream.models.openai import open_openai

            return open_openai(argument, base_url=base_url, seed=seed, temperature=temperature)
        case "local":
            from axstream.models.local import open_local

            return open_local(argument, seed=seed, temperature=temperature)
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in found:
        raise UsageError(_unknown(spec, name, [*BUILT_IN, *sorted(found)]))
    opener: Callable[..., Model] = found[name].load()
    return opener(argument, base_url=base_url, seed=seed, temperature=temperature)


def _unknown(spec: str, name: str, names: list[str]) -> str:
    if Path(spec).is_file():
        return f"{spec!r} is a file; a recorded answer is script:{spec}"
    near = get_close_matches(name, names, n=2, cutoff=0.5)
    if near:
        return f"there is no model {name!r}; did you mean {' or '.join(near)}? ({', '.join(names)})"
    return f"there is no model {name!r}; there are {', '.join(names)} (a model on a server is openai:{spec})"
