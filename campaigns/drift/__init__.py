"""Thousands of actions on pages that drift against them: what a person would have known, and what was hit instead.

``python -m campaigns drift [--actions 30000] [--seed N] [--lanes N] [--only N]``. Each *scene* is one page of ours, observed
once; up to six acts then name elements of that observation (a refusal ends the scene: a model would look again), and each
has a drift of its own, drawn from the seed: what changes and when (at once, by a timer or frames while the act is under way, when the pointer comes, when it presses).

The ground truth
----------------
An element is what the data behind it says, never the node or the place that shows it at the moment. A row's *Delete* is
the *Delete* of that row's text; where a list draws other data into the same nodes, it has gone to another node, or
away. A row's counter or time says nothing about which row it is. Each control of a page's data has a key for life, and
the page notes the key with each press, click and menu that it receives.

* **right**: the act was performed and what the page received is the element meant, still called what it was called.
* **wrong hit**: the page received a press or click on anything else (another control, a cover, bare page), or on the
  element meant once its own name was another, or the row's text. This must not happen.
* **rightly refused**: the act failed, nothing was received, and a person could not have known better: the element is
  gone, renamed, disabled or covered for good; or its name, with the row that was given, fits two; or what tells it from
  its equals (its node) was replaced. After Z2 an id of an element that was renamed is stale.
* **wrongly refused**: the act failed though a person would have known: the element is there, enabled, not covered, and

  - for an id: role, name and row's text are what they were, in the same node, or nothing else has the same three (but
    where its node is still there under another name, the id is stale by Z2, wherever the old name is now);
  - for a title: nothing else of that role has it; for a title within a row: nothing else in a row of that text.

* **lost**: reported as performed, and the page received nothing; or refused though the page received the press, without
  saying so.

What the page does in answer to the press itself (``down``) is its own doing: the press counts by what was under it, and a
second press of a double click that it makes impossible is refused rightly. A double of the element (same role, name and
row's text) stands for it in the node that showed it, where the element itself is gone, and for a title where it is
disabled (T5).
"""

from __future__ import annotations

import argparse
import asyncio

from campaigns.drift.running import campaign
from campaigns.drift.tally import Tally


def main(arguments: list[str]) -> int:
    """Run the campaign, print its figures, return 0 where all is as claimed."""
    parser = argparse.ArgumentParser(prog="python -m campaigns drift")
    parser.add_argument("--actions", type=int, default=30_000, help="acts to perform (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn (default: %(default)s)")
    parser.add_argument("--lanes", type=int, default=6, help="browsers side by side (default: %(default)s)")
    parser.add_argument("--only", type=int, help="the number of one scene, to look at it again")
    given = parser.parse_args(arguments)
    tally = Tally(say=print)
    asyncio.run(campaign(given.actions, given.seed, given.lanes, tally, only=given.only))
    return tally.report()
