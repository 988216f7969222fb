"""What a person is asked before a risky act (R2, R4): the request and the callback's type. No terminal, no page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from axstream.ax.node import Node
from axstream.spec.actions import AnyAct


class ApprovalRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One risky act, resolved on the live screen and waiting for a yes or a no.

    ``summary`` is the act in words, escaped for a single line; ``element`` is what it found (None for acts without
    one), ``to`` the end of a drag, ``focus`` where keys would go. ``why`` are the reasons that made it risky.
    """

    line: int
    action: AnyAct
    summary: str
    why: tuple[str, ...]
    element: Node | None = None
    to: Node | None = None
    focus: Node | None = None


#: Returns True to perform this one act. Anything else, an exception or silence is a no.
Approve = Callable[[ApprovalRequest], bool | Awaitable[bool]]
