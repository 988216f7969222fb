"""Why tasks are not solved, by hand: what the observation does not tell, or what no strategy of ours does."""

from __future__ import annotations

REASONS: dict[str, str] = {}
