"""The prompt for very small models: a short manual and worked examples as turns, then the elements and the task.

What was learnt with a model of 135 million parameters: it copies titles and cannot map labels to ids; it needs tasks
worded like ``Type "X" into F and press B``; among the examples the field that is asked for must not always be the
first, one page must stand twice with different fields, and an example that only clicks makes it worse. None of the
pages or tasks here is one that the project ships or is measured on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from axstream.ax.quote import plain
from axstream.models.base import Message

#: A small model's answer: enough for the longest burst of this many lines, so that a loop ends soon.
MAX_LINES = 6
MAX_TOKENS = 240
MAX_TITLE = 120  # characters: a page's long texts must not push the task out of a small context

_MANUAL = """You drive a web page. You are given the elements of the page, one a line, and a task.
Answer with a ```jsonl block: one JSON action a line, in order. Use titles exactly as the page has them.
{"op":"click","target":{"ax":{"role":"button","title":"..."}}} clicks an element.
{"op":"type","target":{"ax":{"role":"textbox","title":"..."}},"text":"..."} types into a field.
{"op":"done","status":"success"} ends the task."""

Pair = tuple[str, str]

_CITY: tuple[Pair, ...] = (
    ("textbox", "City"),
    ("button", "Show weather"),
    ("textbox", "Coupon"),
    ("button", "Apply"),
    ("button", "Print"),
)
_MAIL: tuple[Pair, ...] = (
    ("textbox", "Subject"),
    ("textbox", "Message"),
    ("button", "Send"),
    ("button", "Attach"),
    ("button", "Discard draft"),
)
_NOTES: tuple[Pair, ...] = (
    ("textbox", "Filter"),
    ("button", "Go"),
    ("textbox", "Reminder"),
    ("button", "Save"),
    ("button", "Print"),
    ("link", "Help"),
)
_LOGIN: tuple[Pair, ...] = (
    ("textbox", "Email"),
    ("textbox", "Password"),
    ("button", "Sign in"),
    ("button", "Cancel"),
    ("link", "Help"),
)
_EXAMPLES: tuple[tuple[tuple[Pair, ...], str, str, str], ...] = (
    (_CITY, "Porto", "City", "Show weather"),
    (_CITY, "SPRING5", "Coupon", "Apply"),
    (_MAIL, "see you at noon", "Message", "Send"),
    (_NOTES, "Pay the rent", "Reminder", "Save"),
    (_LOGIN, "ada@example.org", "Email", "Sign in"),
)


def few_shot_messages(
    task: str, elements: Sequence[tuple[str, str, str]], history: Sequence[str]
) -> tuple[Message, ...]:
    """Return the turns for one burst. ``elements`` are (id, role, title) of what can be acted on, in screen order."""
    turns = [Message("system", _MANUAL)]
    for page, text, field, button in _EXAMPLES:
        numbered = [(f"e{index}", role, title) for index, (role, title) in enumerate(page, 1)]
        turns.append(Message("user", _ask(numbered, f'Type "{text}" into {field} and press {button}', ())))
        turns.append(Message("assistant", _answer(text, field, button)))
    turns.append(Message("user", _ask(elements, task, history)))
    return tuple(turns)


def _ask(elements: Sequence[tuple[str, str, str]], task: str, history: Sequence[str]) -> str:
    page = "\n".join(
        f"{number} {role} {json.dumps(plain(title, MAX_TITLE), ensure_ascii=False)}" for number, role, title in elements
    )
    before = "".join(f"\nDone before: {line}" for line in history)
    return f"Page:\n{page}\nTask: {task}{before}"


def _answer(text: str, field: str, button: str) -> str:
    lines = (
        {"op": "type", "target": {"ax": {"role": "textbox", "title": field}}, "text": text},
        {"op": "click", "target": {"ax": {"role": "button", "title": button}}},
        {"op": "done", "status": "success"},
    )
    body = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return f"```jsonl\n{body}\n```"
