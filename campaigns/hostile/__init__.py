"""Random valid acts on pages that work against whoever uses them: dialogs, navigations, removals, overlays, frames.

``python -m campaigns hostile [--actions 10000] [--seed N] [--lanes N]``. Each burst is observed, then up to eight acts of
every kind are drawn from what was seen, and performed as one response. The claims:

* no act takes longer than its bound (``BOUND_S``);
* nothing is raised that is not one of ours, and a browser that works can be observed again after every burst;
* every press and click that a page received while an act named an element is on an element of that name.

A page tells of each press on its console, with the name of what was under it and the time; acts are told by their times.
What a page does to itself in answer to a press (it removes the button) is its own matter: the press counts.
"""

from __future__ import annotations

import argparse
import asyncio

from campaigns.hostile.running import Figures, campaign


def main(arguments: list[str]) -> int:
    """Run the campaign, print its figures, return 0 where all is as claimed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns hostile")
    parser.add_argument("--actions", type=int, default=10_000, help="acts to perform (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn (default: %(default)s)")
    parser.add_argument("--lanes", type=int, default=5, help="browsers side by side (default: %(default)s)")
    given = parser.parse_args(arguments)
    figures = Figures(say=print)
    asyncio.run(campaign(given.actions, given.seed, given.lanes, figures))
    return figures.report()
