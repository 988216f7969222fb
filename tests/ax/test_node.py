"""Nodes, boxes and trees as values."""

from __future__ import annotations

from axstream.ax import Box
from tests.ax.trees import n, tree


def test_a_box_has_a_centre_and_holds_points() -> None:
    box = Box(10, 20, 30, 40)
    assert box.centre == (25, 40)
    assert box.contains(10, 20)
    assert not box.contains(40, 20)


def test_a_tree_knows_its_kin() -> None:
    made = tree(n("a", "group", "", n("b", "group", "", n("c", "button")), n("d", "button")), n("e", "button"))
    assert made.children == {-1: (0, 4), 0: (1, 3), 1: (2,)}
    assert list(made.descendants(0)) == [1, 2, 3]
    assert list(made.ancestors(2)) == [1, 0]
    assert made.by_handle["d"] == 3
