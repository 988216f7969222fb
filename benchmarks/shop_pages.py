"""Pages of a size, for measuring: a shop's list of orders with headings, links, fields, boxes and buttons; one of frames."""

from __future__ import annotations

from pathlib import Path

FRAMES = 20
_ROW = 11  # elements of one row of the list
_HEAD = """<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>body{{font:14px sans-serif}}td{{padding:2px 8px}}
iframe{{width:280px;height:130px}}</style><script>window.hits = {{}}; const hit = (name) => hits[name] = (hits[name] ?? 0) + 1;</script>"""
_TOP = """<header><h1>Orders</h1><nav aria-label=Main><a href="#home">Home</a> <a href="#orders">Orders</a> <a href="#help">Help and contact</a></nav>
<form onsubmit="return false"><label>Search <input name=q></label> <select aria-label="Sort by"><option>Newest<option>Oldest</select>
<button>Find</button></form></header><p>Orders of the last weeks. Choose one to see what is in it.</p>"""


def orders(elements: int) -> str:
    """Return a page of about that many elements."""
    rows = "".join(
        f'<tr><td><a href="#order{i}">Order {1000 + i}</a><td>{_PEOPLE[i % len(_PEOPLE)]}<td><b>{i % 90 + 9}.50 €</b>'
        f"<td><label><input type=checkbox> Pack {1000 + i}</label><td><button onclick=\"hit('{i}')\">Edit {1000 + i}</button>"
        f"<td><span>{_STATES[i % len(_STATES)]}</span>"
        for i in range(max((elements - 30) // _ROW, 1))
    )
    return f"{_HEAD.format(title='Orders')}{_TOP}<table><tbody>{rows}</table>"


def last_row(elements: int) -> int:
    """Return the number of the last row of ``orders(elements)``."""
    return max((elements - 30) // _ROW, 1) - 1


def framed(other: str) -> str:
    """Return a page of frames, every second one from another site (``other``, its address)."""
    frames = "".join(
        f'<iframe title="Widget {i}" src="{other if i % 2 else ""}/frame.html?{i}"></iframe>' for i in range(FRAMES)
    )
    return f"{_HEAD.format(title='Widgets')}<h1>Widgets</h1>{frames}"


FRAME = f"""{_HEAD.format(title="Widget")}<h2>Widget</h2><p>Shows one thing</p><label>Name <input></label> <button id=b></button>
<script>const i = location.search.slice(1); b.textContent = 'Use ' + i; b.onclick = () => hit(i);
document.querySelector('p').textContent = 'Shows thing ' + i</script>"""


def write_pages(folder: Path, sizes: list[int]) -> None:
    """Write all pages into a folder; the page of frames needs its other address and is written by who serves it."""
    for size in sizes:
        (folder / f"orders{size}.html").write_text(orders(size), "utf-8")
    (folder / "frame.html").write_text(FRAME, "utf-8")


_PEOPLE = ("Ada Oakville", "Bob Tarn", "Cora Lind", "Dai Evans", "Eve Marsh", "Finn Holm", "Gül Demir")
_STATES = ("open", "packed", "sent", "returned", "paid")
