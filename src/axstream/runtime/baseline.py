"""Whether an observation goes out whole or as what changed since the last whole one (O3, Z25). Nothing is worded here.

The whole one stays at the front of the prompt as it was, where providers cache it; the differences are always against
it, not against one another. ADR 3 has the prices behind the numbers.
"""

from __future__ import annotations

from axstream.ax.changes import changes
from axstream.ax.outline import Outline, tokens

#: Below this many tokens a whole outline is not kept: a prompt of under 1,024 tokens is cached nowhere, and the manual
#: has 600, so that the old one would be paid for in full.
MIN_WHOLE = 400
#: Of the new whole one: a cached token costs at most half of another, so that up to here the old one and the
#: differences cost less than the new one.
MAX_SHARE = 0.5
#: A whole one is sent again after so many: the further from it, the more a reader can get wrong.
MAX_DIFFERENCES = 10


class Baseline:
    """Keeps the last outline that was sent whole. One for each reader of observations."""

    def __init__(self) -> None:
        self._whole: Outline | None = None
        self._differences = 0

    @property
    def whole(self) -> Outline | None:
        """The last outline that was sent whole, None before the first."""
        return self._whole

    def restart(self, seen: Outline) -> None:
        """Take an outline as sent whole."""
        self._whole, self._differences = seen, 0

    def changes_to(self, seen: Outline) -> str | None:
        """Return what changed since the whole outline, to be sent in place of ``seen``; None where that goes whole."""
        said = self._compare(seen)
        if said is None:
            self.restart(seen)
        else:
            self._differences += 1
        return said

    def _compare(self, seen: Outline) -> str | None:
        if self._whole is None or self._differences >= MAX_DIFFERENCES or tokens(self._whole.text) < MIN_WHOLE:
            return None
        said = changes(self._whole, seen)
        return said if said is not None and tokens(said) <= MAX_SHARE * tokens(seen.text) else None
