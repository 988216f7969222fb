"""The scripts of our world share one scope and one table of functions: no two use the same name for different things."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from importlib.resources import files

from axstream.computer.browser.realm import SCRIPTS

#: What the names come from is found out by one script and decided by another.
KEPT_TOGETHER = {"blink": ["describe.js", "registry.js"]}
SET = re.compile(r"\baxs\.(\w+)\s*=(?!=)")
SET_FUNCTION = re.compile(r"\baxs\.(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)")


def test_each_function_of_the_world_is_set_by_one_script() -> None:
    folder = files("axstream.computer.browser") / "js"
    setters: defaultdict[str, set[str]] = defaultdict(set)
    for name in SCRIPTS:
        for match in SET.finditer((folder / name).read_text("utf-8")):
            setters[match.group(1)].add(name)
    assert len(setters) > 40
    assert {name: sorted(where) for name, where in setters.items() if len(where) > 1} == KEPT_TOGETHER


def test_no_function_of_the_world_is_set_twice_in_its_script() -> None:
    folder = files("axstream.computer.browser") / "js"
    found: Counter[tuple[str, str]] = Counter()
    for name in SCRIPTS:
        text = (folder / name).read_text("utf-8")
        found.update((name, match.group(1)) for match in SET_FUNCTION.finditer(text))
    assert len(found) > 40
    assert [where for where, times in found.items() if times > 1] == []
