"""The error tree; what may be raised anywhere in axstream, and who can mend it. No behaviour lives here.

::

    AxstreamError
    ├ UsageError            the caller can mend it (arguments, a scene file, a missing extra)
    ├ ActionError           the model can mend it: its message goes into the next prompt, one line
    │  ├ TargetNotFound     nothing on the live screen matches (or the id is stale or unknown)
    │  ├ TargetAmbiguous    several equal matches; the message lists them with their ids
    │  ├ TargetNotActionable  found, but disabled, covered, moving, outside, or takes no text
    │  │  └ TargetSlipped   found, but another or elsewhere by the time of the press; nothing was pressed
    │  ├ AssertFailed       a precondition of the model's own did not hold
    │  ├ ActionDenied       the policy or a person said no
    │  └ ActionUnsupported  this computer cannot do that act at all
    ├ ComputerError         the operator can mend it
    │  └ Disconnected · Unsupported · InputRejected · ComputerTimeout
    ├ ModelError            the provider failed
    │  └ RateLimited · StreamBroken
    └ TraceError
       └ TraceCorrupt · ReplayDiverged
"""

from __future__ import annotations


class AxstreamError(Exception):
    """The root: everything that axstream raises on purpose."""


class UsageError(AxstreamError):
    """The caller gave something that cannot work; the message names the fix. Exit code 2."""


class ActionError(AxstreamError):
    """An act failed in a way that the model can mend. The message is one line for its next prompt."""


class TargetNotFound(ActionError):
    """Nothing on the live screen matches the target, or its id is stale or was never issued (T2, T6)."""


class TargetAmbiguous(ActionError):
    """Several elements match equally well; never a coin flip (T5)."""


class TargetNotActionable(ActionError):
    """The element is there and cannot be acted on: disabled, covered, moving, or it takes no text (T7, A1)."""


class TargetSlipped(TargetNotActionable):
    """The element was changed, moved or covered between finding it and pressing it; nothing was pressed (T2, T7)."""


class AssertFailed(ActionError):
    """An ``assert`` line did not hold; the burst ends (E3)."""


class ActionDenied(ActionError):
    """The policy, or the person asked, said no (R2, R4)."""


class ActionUnsupported(ActionError):
    """This computer has no way to do that act; the message names another (A6, Z16)."""


class ComputerError(AxstreamError):
    """The computer under control failed; the operator can mend it. Exit code 5."""


class Disconnected(ComputerError):
    """The browser, display or connection is gone."""


class Unsupported(ComputerError):
    """What was asked of the computer does not exist on this platform or in this build."""


class InputRejected(ComputerError):
    """The platform took none of the input that was sent."""


class ComputerTimeout(ComputerError):
    """The computer did not answer within its bound."""


class ModelError(AxstreamError):
    """The model's provider failed. Exit code 5. ``retry`` is False where asking again cannot help (a refused key)."""

    def __init__(self, message: str, *, retry: bool = True) -> None:
        super().__init__(message)
        self.retry = retry


class RateLimited(ModelError):
    """The provider asked to wait; ``retry_after`` is in seconds, None where it did not say."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StreamBroken(ModelError):
    """The stream ended in the middle: what was committed ran, nothing is sent again (E4)."""


class TraceError(AxstreamError):
    """The record could not be written or read."""


class TraceCorrupt(TraceError):
    """A line of the record is not what the writer writes; the message names it."""


class ReplayDiverged(TraceError):
    """A replay gave other events than the record holds."""
