"""Decisions on risky acts: what is risky, what then happens, what a person is asked. Nothing is performed here."""

from axstream.policy.approval import ApprovalRequest, Approve
from axstream.policy.policy import RISKY_MODES, Policy, RiskyMode
from axstream.policy.risk import judge

__all__ = ["RISKY_MODES", "ApprovalRequest", "Approve", "Policy", "RiskyMode", "judge"]
