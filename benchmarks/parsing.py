"""What parsing a line costs, beside a bare ``json.loads`` of the same line and nothing else."""

from __future__ import annotations

import json
import statistics
import time

from axstream.wire import StreamParser
from benchmarks.table import show

LINES = 20_000
ROUNDS = 5
PLAN = [
    '{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}',
    '{"op":"type","target":{"ax":{"role":"textbox","title":"Name"}},"text":"Ada Lovelace"}',
    '{"op":"key","keys":["cmd","s"]}',
    '{"op":"wait","ms":200}',
    '{"op":"assert","target":{"ax":{"id":"e12"}}}',
]


def _per_line(work: object, lines: int) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()  # type: ignore[operator]
        times.append(time.perf_counter() - begun)
    return statistics.median(times) / lines * 1e6


def main() -> None:
    lines = [PLAN[number % len(PLAN)] for number in range(LINES)]
    whole = ("```\n" + "\n".join(lines) + "\n```\n").encode()
    pieces = [whole[at : at + 4] for at in range(0, len(whole), 4)]

    def bare() -> None:
        for line in lines:
            json.loads(line)

    def at_once() -> None:
        parser = StreamParser()
        parser.feed(whole)
        parser.close()

    def by_tokens() -> None:
        parser = StreamParser()
        for piece in pieces:
            parser.feed(piece)
        parser.close()

    base = _per_line(bare, LINES)
    rows = [("json.loads for each line, nothing checked", f"{base:.1f}", "1.0")]
    for name, work in (("StreamParser, one chunk", at_once), ("StreamParser, chunks of 4 bytes", by_tokens)):
        cost = _per_line(work, LINES)
        rows.append((name, f"{cost:.1f}", f"{cost / base:.1f}"))
    show(("parsing, median of 5", "µs a line", "times json.loads"), rows)
