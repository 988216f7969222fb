"""The same without ``async``: plain ``with`` and ``for``."""

import json

from axstream import sync as ax
from axstream.trace.events import Ended, Executed

LINES = [
    {"op": "open", "target": "Notes"},
    {"op": "key", "keys": ["cmd", "n"]},
    {"op": "type", "text": "written without await"},
    {"op": "done", "status": "success"},
]

with ax.memory() as screen:
    pieces = ["```\n", *(json.dumps(line) + "\n" for line in LINES), "```\n"]
    for event in ax.execute(pieces, screen):
        if isinstance(event, Executed) and event.effect:
            print("did:", event.effect)
        elif isinstance(event, Ended):
            print(event.stop, event.status)
    print(screen.observe().text.splitlines()[0])
