"""Where a run's events go: the trace, JSON lines on standard output, the terminal view. No event is made here."""

from __future__ import annotations

from collections.abc import Callable

from axstream.cli.output import Output, OutputClosed, OutputFailed
from axstream.cli.view import View
from axstream.errors import AxstreamError, TraceError
from axstream.spec.catalogue import Catalogue
from axstream.trace.encode import to_line
from axstream.trace.events import BurstEnded, ChunkReceived, PromptSent, RunEvent, Started
from axstream.trace.writer import TraceWriter

#: For the record alone: on standard output they would say everything twice.
RECORD_ONLY = (Started, PromptSent, ChunkReceived, BurstEnded)


class Sinks:
    """Takes every event, in order. A sink that fails is left out from then on and ``stop`` is called once.

    ``failure`` is the first such failure: the run must not go on as if it were recorded.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        view: View | None = None,
        trace: TraceWriter | None = None,
        json: Output | None = None,
    ) -> None:
        self.failure: AxstreamError | None = None
        self.stop: Callable[[str], object] | None = None
        self.last_t = 0.0
        self._catalogue = catalogue
        self._view = view
        self.trace = trace
        self._json = json

    def emit(self, t: float, event: RunEvent) -> None:
        """Hand an event to all sinks; never raises."""
        self.last_t = max(self.last_t, t)
        if self.trace is not None:
            try:
                self.trace.write(t, event)
            except TraceError as error:
                self.trace = None
                self._failed(error)
        if self._json is not None and not isinstance(event, RECORD_ONLY):
            try:
                self._json.write(to_line(t, event, self._catalogue))
            except (OutputClosed, OutputFailed) as error:
                self._json = None
                self._failed(error)
        if self._view is not None:
            self._view.show(event)

    def watch(self, stop: Callable[[str], object]) -> None:
        """Have ``stop`` called with the reason when a sink fails; at once where one has failed already."""
        self.stop = stop
        if self.failure is not None:
            stop(str(self.failure))

    def _failed(self, error: AxstreamError) -> None:
        if self.failure is None:
            self.failure = error
            if self.stop is not None:
                self.stop(str(error))
