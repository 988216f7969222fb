"""What an observation costs a model: whole each time, or the first whole and then what changed (O3), in o200k tokens.

Real pages in a real Chromium, each driven through a flow of six bursts; the prompts are those that the loop sends.
What stands word for word at the beginning of the prompt before counts as cached.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

from bpe_openai import get_encoding

import axstream as ax
from axstream.models.base import Chunk, Message, Prompt
from axstream.policy import Policy
from benchmarks.table import show

CACHED = (0.1, 0.5)  # what a cached token costs of another: the cheapest and the dearest of the large providers

_TODO = """<title>To do</title><h1>To do</h1><input aria-label="New"><button onclick="
  const li = document.createElement('li'); const n = document.querySelector('input').value;
  li.innerHTML = `<label><input type=checkbox onchange=count()> ${n}</label> <button>Delete</button>`;
  list.prepend(li); count()">Add</button><ul id=list></ul><p id=left></p><script>
  for (let i = 1; i <= 18; i++) list.insertAdjacentHTML('beforeend',
    `<li><label><input type=checkbox onchange=count()> Task number ${i}</label> <button onclick="this.parentNode.remove();count()">Delete</button>`);
  function count() { left.textContent = document.querySelectorAll('li input:not(:checked)').length + ' items left'; }
  count()</script>"""
_FIELDS = (
    *("First name", "Last name", "Street", "House number", "Postcode", "City", "Country", "Telephone", "E-mail"),
    *("Company", "Tax number", "Account", "Bank", "Remarks"),
)
_FORM = (
    """<title>Registration</title><h1>Registration</h1><form onsubmit="return false">"""
    + "".join(
        f"<p><label>{name} <input name=f{i}></label> <small id=h{i}>Required</small></p>"
        for i, name in enumerate(_FIELDS)
    )
    + """<button>Send</button></form><script>document.querySelectorAll('input').forEach((el) =>
  el.oninput = () => { el.parentNode.nextElementSibling.textContent = 'looks good' })</script>"""
)
_SHOP = """<title>Shop</title><h1>Shop</h1><p>Cart: <b id=cart>0</b></p><table><tr><th>Article<th>Price<th></tr><script>
  for (let i = 1; i <= 16; i++) document.write(`<tr><td>Article ${i} of the spring collection<td>${i * 7}.90 €<td>
    <button onclick="cart.textContent = ++window.n; document.title = 'Shop (' + n + ')'; this.textContent='Added'; this.disabled=true">Add article ${i}</button>`);
  window.n = 0</script></table>"""
_WIZARD = """<title>Wizard</title><main></main><script>
  let step = 0; const draw = () => { step++; document.title = 'Step ' + step; document.querySelector('main').innerHTML =
    `<h1>Step ${step}</h1>` + Array.from({length: 40}, (_, i) => `<label><input type=radio name=a> Choice ${step}.${i} of this step</label> `).join('')
    + '<button onclick=draw()>Next</button>' }; draw()</script>"""


def _click(title: str) -> dict[str, object]:
    return {"op": "click", "target": {"ax": {"title": title}}}


def _type(title: str, text: str) -> dict[str, object]:
    return {"op": "type", "target": {"ax": {"title": title}}, "text": text, "clear": True}


_FLOWS: dict[str, tuple[str, list[list[dict[str, object]]]]] = {
    "to-do list of 18": (
        _TODO,
        [
            [_type("New", "Bread"), _click("Add")],
            [_click("Task number 3")],
            [_click("Task number 5"), _click("Task number 6")],
            [_type("New", "Tea"), _click("Add")],
            [_click("Bread")],
        ],
    ),
    "form of 14 fields, a small screen": (
        _FORM,
        [
            [_type("First name", "Ada"), _type("Last name", "Hill")],
            [_type("Street", "Long Lane"), _type("House number", "7")],
            [_type("Postcode", "12345"), _type("City", "Porto")],
            [_type("Country", "Portugal"), _type("Telephone", "555 0100")],
            [_type("E-mail", "ada@example.org"), _type("Company", "Hill & Co")],
        ],
    ),
    "table of 16 articles": (_SHOP, [[_click(f"Add article {number}")] for number in (2, 5, 7, 11, 13)]),
    "wizard, all new each step": (_WIZARD, [[_click("Next")]] * 5),
}


class _Recorded:
    """Answers with a flow's acts, a burst an answer, and keeps the prompts."""

    name = "flow"
    few_shot = False
    takes_grammar = False

    def __init__(self, bursts: list[list[dict[str, object]]]) -> None:
        ends = [{"op": "observe"}] * len(bursts) + [{"op": "done", "status": "success"}]
        self._answers = [[*acts, end] for acts, end in zip([*bursts, []], ends, strict=True)]
        self.prompts: list[tuple[Message, ...]] = []

    @asynccontextmanager
    async def stream(self, prompt: Prompt) -> AsyncIterator[AsyncIterator[Chunk]]:
        self.prompts.append(prompt.messages)
        yield self._say(self._answers[len(self.prompts) - 1])

    async def _say(self, acts: list[dict[str, object]]) -> AsyncIterator[Chunk]:
        yield Chunk(text="```jsonl\n" + "\n".join(map(json.dumps, acts)) + "\n```\n")

    async def aclose(self) -> None:
        return


async def _prompts(html: str, bursts: list[list[dict[str, object]]], *, differences: bool) -> list[str]:
    model = _Recorded(bursts)
    policy = Policy(risky="allow")
    with _served(html) as url:
        return await _run(url, model, policy, differences)


@contextmanager
def _served(html: str) -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"<!doctype html>" + html.encode())

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


async def _run(url: str, model: _Recorded, policy: Policy, differences: bool) -> list[str]:
    async with (
        ax.browser(url=url) as screen,
        ax.run("Do the task", screen, model=model, policy=policy, differences=differences) as run,
    ):
        outcome = await run.outcome()
    if outcome.status != "success":
        raise RuntimeError(f"the flow ended {outcome.stop}: {outcome.reason}")
    return ["\n".join(message.content for message in messages) for messages in model.prompts]


def _cost(prompts: list[str]) -> tuple[int, list[float]]:
    """Tokens sent from the second prompt on, and what they cost at each price of a cached one."""
    encode = get_encoding("o200k_base").encode
    total, costs = 0, [0.0] * len(CACHED)
    for before, prompt in pairwise(prompts):
        same = next((at for at, (a, b) in enumerate(zip(before, prompt, strict=False)) if a != b), len(before))
        cached = len(encode(before[:same]))
        tokens = len(encode(prompt))
        cached = cached if cached >= 1024 else 0  # the least that providers cache
        total += tokens
        costs = [cost + cached * price + tokens - cached for cost, price in zip(costs, CACHED, strict=True)]
    return total, costs


def main() -> None:
    rows = []
    for name, (html, bursts) in _FLOWS.items():
        for label, differences in (("whole each time", False), ("what changed", True)):
            prompts = asyncio.run(_prompts(html, bursts, differences=differences))
            total, costs = _cost(prompts)
            rows.append((f"{name}: {label}", total, *(round(cost) for cost in costs)))
    show(("5 bursts after the first, o200k tokens", "sent", "cost, cached at 10 %", "cost, cached at 50 %"), rows)
