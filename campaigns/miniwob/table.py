"""Counts what was solved, prints the table and writes the report; says whether the claim holds."""

from __future__ import annotations

from pathlib import Path

from campaigns.miniwob.playing import Played
from campaigns.miniwob.reasons import REASONS

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

    def _bare(self) -> list[str]:
        return sorted(task for task, episodes in self._tasks.items() if any(one.offered == 0 for one in episodes))

    def report(self) -> int:
        """Print the summary; return 0 where all is as claimed."""
        bare = self._bare()
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
        """Write docs/miniwob.md: what was solved, and why the rest was not."""
        solved = self.solved()
        rows = [
            f"| {task} | {sum(one.solved for one in played)} of {len(played)} | {played[0].kind or '-'} |"
            for task, played in sorted(self._tasks.items())
        ]
        unsolved = [
            f"| {task} | {REASONS.get(task) or _why(played)} |"
            for task, played in sorted(self._tasks.items())
            if task not in solved
        ]
        text = _REPORT.format(
            solved=len(solved),
            all=len(self._tasks),
            offers=len(self._tasks) - len(self._bare()),
            bare=f" (not: {', '.join(self._bare())})" if self._bare() else "",
            seeds=len(next(iter(self._tasks.values()))),
            rows="\n".join(rows),
            unsolved="\n".join(unsolved),
        )
        REPORT.write_text(text, encoding="utf-8")


def _why(played: list[Played]) -> str:
    """Return what the run itself can tell of why a task was not solved."""
    return next((one.why for one in played if not one.solved), "").replace("|", "\\|")


_REPORT = """\
# The tasks of miniwob

Written by `python -m campaigns miniwob --write-report`; the package `miniwob` 1.1.0 (MIT) has {all} small pages, each with
an instruction, drawn anew for each seed.

**{solved} of {all} tasks are solved with each of {seeds} seeds.** All {all} load and are observed; {offers} offer something to act on{bare}.

A task is done by a hand-written *strategy*, one for a kind of task. It gets what a model gets, the text of the
observation and the boxes of the elements that have an id, and answers with lines of the format, which the executor
performs; then it gets the next observation. It is chosen by the words of the instruction, and knows neither the page's
name nor its sources. The campaign's only touches on a page's scripts are to begin an episode with its seed and to read its
reward. A task counts as solved where the page gave the full reward for every seed.

## Not solved, and why

| task | why |
|---|---|
{unsolved}

## All tasks

| task | solved | kind of strategy |
|---|---|---|
{rows}
"""
