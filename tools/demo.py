"""The demo: the bundled model does a task on a shipped page in a real headless browser; ``--seeds N`` counts successes.

Success is what the page holds afterwards, read from the page itself, never what the model says.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import axstream as ax
from axstream.testing.serving import served
from tools.chromium import chromium_path

TASK = 'Type "buy milk" into To do and press Add'
ITEM = "buy milk"
BEFORE = ["water the fern", "call Ines back"]
PAGES = Path(str(files("axstream") / "data" / "demo"))
ENOUGH = 0.9  # of the seeds
TRACE = "demo.trace.jsonl"


def once() -> int:
    """Run the command itself, as a user would; on ``memory`` where no browser can be had."""
    command = [sys.executable, "-m", "axstream", "run", TASK, "--model", "local", "--seed", "0", "--temperature", "0.3"]
    tail = ["--risky", "deny", "--trace", TRACE]
    Path(TRACE).unlink(missing_ok=True)
    if chromium_path() is None:
        print("no Chromium could be had on this machine: the same task on a memory desktop instead", file=sys.stderr)
        scene = str(files("axstream") / "data" / "scenes" / "list.json")
        return _tell(subprocess.run([*command, "--computer", f"memory:{scene}", *tail]).returncode)
    with served(PAGES) as base:
        return _tell(subprocess.run([*command, "--computer", f"browser:{base}/list.html", *tail]).returncode)


def _tell(code: int) -> int:
    print(
        f"the record of every step: {TRACE}" if code == 0 else f"the demo ended with exit code {code}", file=sys.stderr
    )
    return code


async def many(seeds: int, task: str, item: str) -> int:
    """Run the task for seeds 0 to n-1, one sample each; count those after which the page holds the item once, at the end."""
    good = 0
    model = ax.open_model("local")
    try:
        with served(PAGES) as base:
            url = f"{base}/list.html"
            async with ax.browser(url=url) as screen:
                for seed in range(seeds):
                    page = screen.page
                    await page.goto(url)
                    options = {"seed": seed, "temperature": 0.3, "policy": ax.Policy(risky="deny")}
                    async with ax.run(task, screen, model=model, **options) as run:
                        outcome = await run.outcome()
                    held = await page.locator("#list li").all_text_contents()
                    right = held == [*BEFORE, item] and outcome.status == "success"
                    good += right
                    print(
                        f"seed {seed:2d}: {'ok' if right else f'NO: {held} {outcome.reason or outcome.stop}'}",
                        flush=True,
                    )
    finally:
        await model.aclose()
    print(f"{good} of {seeds} seeds succeeded", flush=True)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=0, metavar="N", help="run the task N times and count")
    options = parser.parse_args()
    if not options.seeds:
        return once()
    good = asyncio.run(many(options.seeds, TASK, ITEM))
    return 0 if good >= ENOUGH * options.seeds else 1


if __name__ == "__main__":
    sys.exit(main())
