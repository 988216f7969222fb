"""A task with an act of your own, an approver, a typed answer and a record of everything."""

import asyncio
import json
import tempfile
from pathlib import Path

import msgspec

import axstream as ax

# A recorded answer stands in for a model, so that this runs anywhere; write model="openai:NAME" instead.
ANSWERS = [
    [{"op": "get_code", "account": "demo"}, {"op": "observe"}],
    [
        {"op": "open", "target": "Notes"},
        {"op": "key", "keys": ["cmd", "n"]},
        {"op": "type", "text": "the code is 4711"},
        {"op": "assert", "target": {"ax": {"role": "button", "title": "Save"}}},
        {"op": "click", "target": {"ax": {"role": "button", "title": "Save"}}, "risk": "risky"},
        {"op": "done", "status": "success", "result": {"code": "4711", "saved": True}},
    ],
]


class Answer(msgspec.Struct):
    """What the task is to bring back."""

    code: str
    saved: bool


def get_code(account: str) -> str:
    """Look up the one-time code of an account."""
    return {"demo": "4711"}[account]


async def ask(request: ax.ApprovalRequest) -> bool:
    """Say yes to what is understood; a real one would ask a person."""
    print(f"asked: {request.summary} ({'; '.join(request.why)})")
    return request.element is not None and request.element.name == "Save"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "answers.txt"
        fences = ["```jsonl\n" + "".join(json.dumps(line) + "\n" for line in lines) + "```\n" for lines in ANSWERS]
        script.write_text("=== burst ===\n".join(fences))
        async with (
            ax.memory() as screen,
            ax.run(
                "Note the code of the demo account and save the note",
                screen,
                model=f"script:{script}",
                approve=ask,
                actions=[get_code],
                result=Answer,
                trace=Path(folder) / "run.trace.jsonl",
            ) as run,
        ):
            outcome = await run.outcome()
        print(outcome.status, outcome.result, f"{outcome.actions} actions in {outcome.bursts} bursts")
        assert outcome.result == Answer(code="4711", saved=True)


asyncio.run(main())
