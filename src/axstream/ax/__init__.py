"""The screen as a tree: roles, titles, ids, late binding and the outline. No loops, clocks, sockets or platforms."""

from axstream.ax.changes import NOTHING, apply_changes, changes
from axstream.ax.ids import IdBook, Issued
from axstream.ax.narrowing import agrees_with_whole, may_matter, part_of
from axstream.ax.node import Box, Node, Surface, Tree
from axstream.ax.outline import Outline, outline
from axstream.ax.resolve import Ambiguous, Found, Missing, Resolution, exists, resolve, same_outcome
from axstream.ax.roles import canonical_role, family, is_interactive
from axstream.ax.titles import TitleRank, normalise, rank_title

__all__ = [
    "NOTHING",
    "Ambiguous",
    "Box",
    "Found",
    "IdBook",
    "Issued",
    "Missing",
    "Node",
    "Outline",
    "Resolution",
    "Surface",
    "TitleRank",
    "Tree",
    "agrees_with_whole",
    "apply_changes",
    "canonical_role",
    "changes",
    "exists",
    "family",
    "is_interactive",
    "may_matter",
    "normalise",
    "outline",
    "part_of",
    "rank_title",
    "resolve",
    "same_outcome",
]
