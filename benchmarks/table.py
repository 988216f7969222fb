"""Prints a table with aligned columns; nothing else."""

from __future__ import annotations

from collections.abc import Sequence


def show(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        print(
            "  "
            + "  ".join(
                cell.rjust(width) if i else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )
        if number == 0:
            print("  " + "  ".join("-" * width for width in widths), flush=True)
