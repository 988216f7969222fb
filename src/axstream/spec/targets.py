"""Targets, typed by hand: how a line points at something on the screen (SPEC §4, T1-T6, N3). Nothing resolves here."""

from __future__ import annotations

import msgspec


class Ax(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An element by what it is. At least one of ``id``, ``role`` and ``title`` is given; none is blank (W14).

    ``within`` narrows to the inside of an ancestor, or of a row or group by the text in it (N3).
    """

    id: str | None = None
    role: str | None = None
    title: str | None = None
    within: Ax | None = None


class AxTarget(msgspec.Struct, frozen=True, omit_defaults=True):
    """An element that is found on the live screen at the moment of execution (T2)."""

    ax: Ax


class PointTarget(msgspec.Struct, frozen=True):
    """A logical point of the observed surface: CSS pixels of the viewport, or desktop points (A8)."""

    x: float
    y: float


Target = AxTarget | PointTarget


def describe_ax(ax: Ax) -> str:
    """Say an ``ax`` in a few words for messages: ``button "Save" (e12) within "Bob"``."""
    parts: list[str] = []
    if ax.role is not None:
        parts.append(ax.role)
    if ax.title is not None:
        title = ax.title.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(f'"{title}"')
    if ax.id is not None:
        parts.append(f"({ax.id})" if parts else ax.id)
    if ax.within is not None:
        parts.append("within " + describe_ax(ax.within))
    return " ".join(parts)


def describe_target(target: Target) -> str:
    """Say a target in a few words for messages."""
    if isinstance(target, AxTarget):
        return describe_ax(target.ax)
    return f"the point {target.x:g},{target.y:g}"
