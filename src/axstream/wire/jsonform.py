"""Events as the JSON objects of ``axstream check --json``; names and order are public."""

from __future__ import annotations

from typing import assert_never

from axstream.spec.catalogue import Catalogue
from axstream.spec.strict_json import JSON
from axstream.wire.events import ActionLine, Event, FenceClosed, FenceOpened, Narration, Rejected, Truncated


def to_json(event: Event, catalogue: Catalogue) -> dict[str, JSON]:
    """One event; an action in canonical form, ``ignored`` only where something was."""
    match event:
        case Narration(line=line, text=text):
            return {"event": "narration", "line": line, "text": text}
        case FenceOpened(line=line, tag=tag):
            return {"event": "fence_opened", "line": line, "tag": tag}
        case ActionLine(line=line, action=action, ignored=ignored):
            form: dict[str, JSON] = {"event": "action", "line": line, "action": catalogue.encode(action)}
            if ignored:
                form["ignored"] = list(ignored)
            return form
        case Rejected(line=line, reason=reason, message=message, text=text):
            return {"event": "rejected", "line": line, "reason": reason, "message": message, "text": text}
        case FenceClosed(line=line):
            return {"event": "fence_closed", "line": line}
        case Truncated(line=line, text=text):
            return {"event": "truncated", "line": line, "text": text}
    assert_never(event)
