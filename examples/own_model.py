"""Your own model's stream on a computer: any async iterable of text will do."""

import asyncio
import json
from collections.abc import AsyncIterator

import axstream as ax
from axstream.trace.events import Ended, Executed, Failed


async def my_model(screen_text: str) -> AsyncIterator[str]:
    """Stands for your model: it was shown the screen, and its answer comes in pieces."""
    assert "Browser" in screen_text
    answer = [
        {"op": "open", "target": "Notes"},
        {"op": "key", "keys": ["cmd", "n"]},
        {"op": "type", "text": "reminder: water the fern"},
        {"op": "done", "status": "success"},
    ]
    text = "I know how this goes.\n```jsonl\n" + "".join(json.dumps(line) + "\n" for line in answer) + "```\n"
    for at in range(0, len(text), 7):
        yield text[at : at + 7]


async def main() -> None:
    async with ax.memory() as screen:  # or ax.browser(url="…")
        seen = await ax.observe(screen)
        async for event in ax.execute(my_model(seen.text), screen):
            match event:
                case Executed(effect=effect):
                    print("did:", effect or "the end")
                case Failed(message=message):
                    print("failed:", message)
                case Ended(stop=stop, status=status):
                    print(stop, status)


asyncio.run(main())
