"""The scripts of our world share one scope and one table of functions: no two use the same name for different things."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files

from axstream.computer.browser.realm import SCRIPTS

#: What the names come from is found out by one script and decided by another.
KEPT_TOGETHER = {"blink": ["describe.js", "registry.js"]}
SET = re.compile(r"\baxs\.(\w+)\s*=(?!=)")


def test_each_function_of_the_world_is_set_by_one_script() -> None:
    folder = files("axstream.computer.browser") / "js"
    setters: defaultdict[str, set[str]] = defaultdict(set)
    for name in SCRIPTS:
        for match in SET.finditer((folder / name).read_text("utf-8")):
            setters[match.group(1)].add(name)
    assert len(setters) > 40
    assert {name: sorted(where) for name, where in setters.items() if len(where) > 1} == KEPT_TOGETHER
