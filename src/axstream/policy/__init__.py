"""Decisions: what is risky, what then happens, what a person is asked, which files may be given. Nothing is performed."""

from axstream.policy.approval import ApprovalRequest, Approve
from axstream.policy.policy import RISKY_MODES, Policy, RiskyMode
from axstream.policy.risk import judge
from axstream.policy.uploads import Uploads

__all__ = ["RISKY_MODES", "ApprovalRequest", "Approve", "Policy", "RiskyMode", "Uploads", "judge"]
