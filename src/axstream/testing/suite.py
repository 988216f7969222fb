"""All contract checks, to be run on a fixture each: ``await check(fixture)``. The scene is described in ``contract``."""

from __future__ import annotations

from axstream.testing import checks_keys, checks_pointer, checks_tree
from axstream.testing.probe import Check

CHECKS: tuple[Check, ...] = (*checks_tree.CHECKS, *checks_pointer.CHECKS, *checks_keys.CHECKS)
