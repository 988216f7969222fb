"""A result against a JSON Schema: nothing is fetched, nothing runs without end (N1, E6)."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from axstream.errors import UsageError
from axstream.runtime import schema_check
from axstream.runtime.results import ResultShape
from axstream.runtime.schema_check import SchemaCheck
from axstream.runtime.session import Budgets
from tests.runtime.stage import lines
from tests.runtime.test_session import run

ENDLESS = {"properties": {"n": {"pattern": "^(a+)+$"}}}


def test_a_remote_reference_is_refused_and_never_fetched() -> None:
    asked: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        with pytest.raises(UsageError, match="nothing is fetched"):
            ResultShape({"$ref": f"http://127.0.0.1:{server.server_port}/x.json"})
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert asked == []


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/nope"},
        {"properties": {"a": {"items": {"$ref": "#/$defs/nope"}}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"$ref": "#/definitions/zz"}}},
    ],
)
def test_a_reference_that_leads_nowhere_is_refused_before_the_run(schema: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="which is not in it"):
        ResultShape(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"a": {"type": "string"}}, "properties": {"n": {"$ref": "#/$defs/a"}}},
        {
            "$id": "http://x.example/s",
            "$defs": {"a": {"$id": "a", "type": "string"}},
            "properties": {"n": {"$ref": "a"}},
        },
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"a": {"type": "string"}},
            "properties": {"n": {"$ref": "#/definitions/a"}},
        },
    ],
)
async def test_references_inside_the_schema_are_followed(schema: dict[str, Any]) -> None:
    check = SchemaCheck(schema)
    assert await check.problem({"n": "x"}) is None
    assert "is not of type 'string'" in (await check.problem({"n": 1}) or "")


async def test_what_only_looks_like_a_reference_is_none() -> None:
    assert await SchemaCheck({"enum": [{"$ref": "elsewhere"}]}).problem({"$ref": "elsewhere"}) is None


async def test_a_schema_that_refers_to_itself_without_end_is_said() -> None:
    assert "without end" in (await SchemaCheck({"$ref": "#"}).problem({}) or "")


async def test_patterns_are_checked_in_a_process_that_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    check = SchemaCheck(ENDLESS)
    assert await check.problem({"n": "aaa"}) is None
    assert "does not match" in (await check.problem({"n": "b"}) or "")
    monkeypatch.setattr(schema_check, "CHECK_LIMIT_S", 0.5)
    assert "took over 0.5 s" in (await check.problem({"n": "a" * 40 + "b"}) or "")


async def test_an_endless_check_keeps_to_the_budget_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """E6: real time, since a pattern knows no other."""
    monkeypatch.setattr(schema_check, "CHECK_LIMIT_S", 60.0)
    done = {"op": "done", "status": "success", "result": {"n": "a" * 40 + "b"}}
    _, outcome = await run([lines(done)], result=ENDLESS, budgets=Budgets(seconds=0.5))
    assert (outcome.stop, outcome.reason) == ("budget", "the budget of 0.5 seconds is used up")
