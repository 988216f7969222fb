"""Name the nearest of some known names, for error messages. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Sequence

#: Under this likeness a guess confuses more than it helps ("--verbose" is not "--version").
CUTOFF = 0.6


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return ``; did you mean X?`` for the nearest names, else nothing."""
    import difflib  # only where something was misspelt

    near = difflib.get_close_matches(word, known, n=2, cutoff=CUTOFF)
    return f"; did you mean {' or '.join(near)}?" if near else ""
