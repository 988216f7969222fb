"""The result as a table for the terminal, and as the page that is kept with the documentation."""

from __future__ import annotations

from pathlib import Path

from campaigns.todomvc.running import PARTS, STREAM, Outcome

REPORT = "docs/todomvc.md"
_MAX_WHY = 220


def as_table(outcomes: list[Outcome]) -> str:
    """Return the counts by part, and how many applications work in all."""
    lines = [f"{part:8} {sum(outcome.parts.get(part, False) for outcome in outcomes):3}" for part in PARTS]
    works = sum(outcome.works for outcome in outcomes)
    return "\n".join([*lines, f"all      {works:3} of {len(outcomes)} applications"])


def write_report(path: Path, outcomes: list[Outcome]) -> None:
    """Write the page: the stream, the applications in which it works, the others and why not."""
    works = [outcome for outcome in outcomes if outcome.works]
    fails = [outcome for outcome in outcomes if not outcome.works]
    rows = [
        f"| {outcome.app} | {' | '.join('yes' if outcome.parts.get(part) else 'no' for part in PARTS)} | {_cell(outcome)} |"
        for outcome in [*works, *fails]
    ]
    path.write_text(
        "# One stream in the applications of TodoMVC\n\n"
        "Written by `python -m campaigns todomvc --write-report`; the package is `todomvc` 0.1.1 of npm, in real Chromium.\n"
        f"The stream below does all its parts in **{len(works)} of {len(outcomes)}** applications.\n\n"
        f"```jsonl\n{STREAM.read_text('utf-8')}```\n\n"
        f"| application | {' | '.join(PARTS)} | the first thing that did not come, as the run or the page says it |\n"
        f"|---|{'---|' * (len(PARTS) + 1)}\n" + "\n".join(rows) + "\n",
        "utf-8",
    )


def _cell(outcome: Outcome) -> str:
    why = outcome.why.replace("|", "\\|").replace("\n", " ")
    why = why if len(why) <= _MAX_WHY else why[: _MAX_WHY - 1] + "…"
    asked = f" ({outcome.outside} requests to elsewhere refused)" if outcome.outside and why else ""
    return why + asked
