"""Counts verdicts and says them: progress, each fault in full, the figures at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from campaigns.drift.judging import Verdict

PROGRESS_S = 20.0
MAX_REFUSED = 0.02  # the claim: at most this share refused where a person would have known
MOST_SHOWN = 40  # faults in full; more are counted


class Tally:
    """Verdicts by kind of drift. ``say`` gets one line at a time."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self.verdicts: Counter[Verdict] = Counter()
        self.by_op: dict[str, Counter[Verdict]] = {}
        self.kinds: Counter[str] = Counter()
        self.crashes: list[str] = []
        self._begun = self._last = time.monotonic()
        self._shown: Counter[Verdict] = Counter()
        self.slowest = 0.0

    @property
    def acts(self) -> int:
        return self.verdicts.total()

    def add(self, verdict: Verdict, drift: str, seconds: float, fault: Callable[[], str], kind: str) -> None:
        """Count one act. ``fault`` is called for the full story where the verdict is no good one."""
        self.verdicts[verdict] += 1
        self.by_op.setdefault(drift, Counter())[verdict] += 1
        self.slowest = max(self.slowest, seconds)
        if verdict in ("wrong hit", "lost", "wrongly refused"):
            self.kinds[f"{verdict}: {kind}"] += 1
            self._shown[verdict] += 1
            if self._shown[verdict] <= MOST_SHOWN:
                self._say(f"  {verdict.upper()}: {fault()}")
        if time.monotonic() - self._last > PROGRESS_S:
            self._last = time.monotonic()
            self._say(f"  … {self.acts} acts, {time.monotonic() - self._begun:.0f} s, {dict(self.verdicts)}")

    def crash(self, story: str) -> None:
        """Note what must not happen at all: an exception, a scene that could not be read."""
        self.crashes.append(story)
        self._say(f"  BROKEN: {story}")

    def report(self) -> int:
        """Say the figures; return 0 where all is as claimed, else 1."""
        acts, seconds = max(self.acts, 1), time.monotonic() - self._begun
        say = self._say
        say(
            f"\n{self.acts} acts in {seconds:.0f} s ({1000 * seconds / acts:.1f} ms an act); slowest {self.slowest:.2f} s"
        )
        for verdict in ("right", "rightly refused", "wrongly refused", "wrong hit", "lost"):
            say(f"  {verdict:16} {self.verdicts[verdict]:6}  {100 * self.verdicts[verdict] / acts:6.2f} %")
        for kind, count in self.kinds.most_common():
            say(f"    {count:5}  {kind}")
        say(f"\n  {'drift':16} {'right':>6} {'rightly':>8} {'wrongly':>8} {'wrong hit':>10} {'lost':>5}")
        for op, found in sorted(self.by_op.items()):
            row = (
                found["right"],
                found["rightly refused"],
                found["wrongly refused"],
                found["wrong hit"],
                found["lost"],
            )
            say(f"  {op:16} {row[0]:6} {row[1]:8} {row[2]:8} {row[3]:10} {row[4]:5}")
        holds = (
            not self.verdicts["wrong hit"]
            and not self.verdicts["lost"]
            and not self.crashes
            and self.verdicts["wrongly refused"] <= MAX_REFUSED * acts
        )
        say("\n  " + ("as claimed" if holds else f"NOT as claimed ({len(self.crashes)} broken)"))
        return 0 if holds else 1
