"""axstream: a language model drives a computer while it is still speaking.

The public names; nothing is imported before it is used. The whole tree of errors is in ``axstream.errors``, the
events in ``axstream.trace.events``, the blocking twin in ``axstream.sync``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: Public name -> the module that holds it.
_HOMES = {
    "ActionError": "axstream.errors",
    "ApprovalRequest": "axstream.policy",
    "AxstreamError": "axstream.errors",
    "Budgets": "axstream.runtime.session",
    "Catalogue": "axstream.spec.catalogue",
    "Computer": "axstream.computer.base",
    "ComputerError": "axstream.errors",
    "CustomAct": "axstream.spec.custom",
    "Model": "axstream.models.base",
    "ModelError": "axstream.errors",
    "Outcome": "axstream.runtime.session",
    "Outline": "axstream.ax.outline",
    "Policy": "axstream.policy",
    "Run": "axstream.runtime.api",
    "RunEvent": "axstream.trace.events",
    "Seen": "axstream.runtime.api",
    "StreamParser": "axstream.wire.parser",
    "TraceError": "axstream.errors",
    "UsageError": "axstream.errors",
    "apply_changes": "axstream.ax.changes",
    "browser": "axstream.runtime.api",
    "execute": "axstream.runtime.api",
    "memory": "axstream.runtime.api",
    "observe": "axstream.runtime.api",
    "open_computer": "axstream.computer.registry",
    "open_model": "axstream.models.registry",
    "run": "axstream.runtime.api",
}

__all__ = [
    "ActionError",
    "ApprovalRequest",
    "AxstreamError",
    "Budgets",
    "Catalogue",
    "Computer",
    "ComputerError",
    "CustomAct",
    "Model",
    "ModelError",
    "Outcome",
    "Outline",
    "Policy",
    "Run",
    "RunEvent",
    "Seen",
    "StreamParser",
    "TraceError",
    "UsageError",
    "__version__",
    "apply_changes",
    "browser",
    "execute",
    "memory",
    "observe",
    "open_computer",
    "open_model",
    "run",
]

if TYPE_CHECKING:
    from axstream.ax.changes import apply_changes
    from axstream.ax.outline import Outline
    from axstream.computer.base import Computer
    from axstream.computer.registry import open_computer
    from axstream.errors import ActionError, AxstreamError, ComputerError, ModelError, TraceError, UsageError
    from axstream.models.base import Model
    from axstream.models.registry import open_model
    from axstream.policy import ApprovalRequest, Policy
    from axstream.runtime.api import Run, Seen, browser, execute, memory, observe, run
    from axstream.runtime.session import Budgets, Outcome
    from axstream.spec.catalogue import Catalogue
    from axstream.spec.custom import CustomAct
    from axstream.trace.events import RunEvent
    from axstream.wire.parser import StreamParser


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'axstream' has no attribute {name!r}; its names are {', '.join(__all__)}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
