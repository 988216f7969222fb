"""Counts what was solved, prints the table and writes the report; says whether the claim holds."""

from __future__ import annotations

from pathlib import Path

from campaigns.miniwob.playing import Played

ALL_TASKS = 130  # of miniwob 1.1.0
LEAST_SOLVED = 60  # for every seed
REPORT = Path(__file__).parents[2] / "docs" / "miniwob.md"


class Table:
    """The episodes played, by task."""

    def __init__(self, *, whole: bool, act: bool, show: bool) -> None:
        self._whole = whole
        self._act = act
        self._show = show
        self._tasks: dict[str, list[Played]] = {}

    def add(self, episodes: list[Played]) -> None:
        """Take the episodes of one task, and print its line."""
        first = episodes[0]
        self._tasks[first.task] = episodes
        solved = sum(one.solved for one in episodes)
        offered = min(one.offered for one in episodes)
        seconds = sum(one.seconds for one in episodes)
        line = f"{first.task:32} {solved}/{len(episodes)}  offers {offered:2}  {seconds:5.1f} s  {first.kind}"
        failed = next((one for one in episodes if not one.solved), None)
        if failed is not None and self._act:
            line += f"  [seed {failed.seed}: {failed.why}]"
        print(line, flush=True)
        if self._show and failed is not None:
            for step in failed.record:
                print("    " + step.replace("\n", "\n    "))
                print("    --")

    def solved(self) -> list[str]:
        """Return the tasks that were solved with every seed."""
        return [task for task, episodes in sorted(self._tasks.items()) if all(one.solved for one in episodes)]

    def report(self) -> int:
        """Print the summary; return 0 where all is as claimed."""
        bare = sorted(task for task, episodes in self._tasks.items() if any(one.offered == 0 for one in episodes))
        episodes = sum(len(played) for played in self._tasks.values())
        print()
        print(f"{len(self._tasks)} tasks loaded and observed, {len(self._tasks) - len(bare)} offer something to act on")
        if bare:
            print(f"nothing to act on in: {', '.join(bare)}")
        if not self._act:
            return 1 if bare else 0
        solved = self.solved()
        print(f"{len(solved)} of {len(self._tasks)} tasks solved with every seed ({episodes} episodes)")
        if not self._whole:
            return 0 if len(solved) == len(self._tasks) and not bare else 1
        return 0 if len(self._tasks) == ALL_TASKS and len(solved) >= LEAST_SOLVED and not bare else 1

    def write(self) -> None:
        """Write docs/miniwob.md."""
        raise NotImplementedError
