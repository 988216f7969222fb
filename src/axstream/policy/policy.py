"""What may happen: the ``Policy`` value and its decision on one judged act (R1, R2, R4). Nothing is asked or run here."""

from __future__ import annotations

from typing import Literal

import msgspec

from axstream.errors import UsageError

RiskyMode = Literal["allow", "ask", "hold", "deny"]
RISKY_MODES: tuple[RiskyMode, ...] = ("allow", "ask", "hold", "deny")

DEFAULT_ASK_TIMEOUT_S = 60.0  # R2
DEFAULT_MAX_WAIT_MS = 30_000.0  # A4
DEFAULT_SCHEMES = ("http", "https", "about")  # A6; of ``about:`` only ``about:blank``


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What may happen without a person, fixed when a run starts; nothing in a stream or on a page can widen it.

    ``risky`` is what happens to an act that its line, or our own judgement, calls risky: ``allow`` performs it,
    ``ask`` waits for a person (``ask_timeout_s``, then it is a deny), ``hold`` waits until the stream is complete,
    ``deny`` ends the burst. ``max_wait_ms`` caps ``wait`` and ``timeout_ms``; ``schemes`` is the allow-list of
    ``open``. ``uploads`` are the files that may be given to a page: files, folders (with what lies in them, but hidden
    files) or globs; none by default.
    """

    risky: RiskyMode = "ask"
    ask_timeout_s: float = DEFAULT_ASK_TIMEOUT_S
    max_wait_ms: float = DEFAULT_MAX_WAIT_MS
    schemes: tuple[str, ...] = DEFAULT_SCHEMES
    uploads: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise UsageError for ``uploads`` that is one text: it would name each of its letters."""
        if isinstance(self.uploads, str):  # type: ignore[unreachable]  # a caller without types
            raise UsageError(f"uploads={self.uploads!r} is one text: give a tuple, as uploads=({self.uploads!r},)")

    def decide(self, reasons: tuple[str, ...]) -> RiskyMode:
        """Return what to do with an act: ``allow`` where there is no reason against it, else the mode for risky acts.

        ``reasons`` are those of ``axstream.policy.risk.judge``, and of the executor's caution (E7).
        """
        return self.risky if reasons else "allow"
