"""The prompt's fixed part (O4)."""

from __future__ import annotations

import re
import warnings

import pytest

from axstream.spec import Catalogue, CustomAct
from axstream.spec.manual import MAX_TOKENS, manual
from axstream.wire import ActionLine, StreamParser

with warnings.catch_warnings():  # it reads its data in a way that Python 3.11 calls old
    warnings.simplefilter("ignore", DeprecationWarning)
    import bpe_openai

ENCODING = bpe_openai.get_encoding("o200k_base")
PLAIN = Catalogue()
OLD = Catalogue(spec="0.1")


@pytest.mark.parametrize("catalogue", [PLAIN, OLD])
def test_the_manual_fits_its_budget(catalogue: Catalogue) -> None:
    assert len(ENCODING.encode(manual(catalogue))) <= MAX_TOKENS


@pytest.mark.parametrize("catalogue", [PLAIN, OLD])
def test_its_fence_is_one_that_the_parser_reads(catalogue: Catalogue) -> None:
    parser = StreamParser(catalogue=catalogue)
    events = parser.feed(manual(catalogue)) + parser.close()
    assert [event.line for event in events if isinstance(event, ActionLine)] == [4, 5]
    assert parser.fences == 1
    assert not parser.in_fence


@pytest.mark.parametrize("catalogue", [PLAIN, OLD])
def test_it_names_everything_that_a_line_may_say(catalogue: Catalogue) -> None:
    text = manual(catalogue)
    for name in (*catalogue.names, *catalogue.operations, "risk", "reason", "cmd", "jsonl"):
        assert re.search(rf"\b{name}\b", text), name


def test_every_form_that_it_shows_is_a_valid_line() -> None:
    target = '{"ax":{"id":"e1"}}'
    forms = re.findall(r'^(\{"op":.*?\})(?:: |$)', manual(PLAIN), flags=re.MULTILINE)
    assert len(forms) >= 10
    parser = StreamParser(bare=True)
    for form in forms:
        (event,) = parser.feed(re.sub(r":T\b", f":{target}", form) + "\n")
        assert isinstance(event, ActionLine), event


def test_it_teaches_compact_json_and_the_shorthand() -> None:
    assert '"op":"act"' not in manual(PLAIN)
    assert '": ' not in manual(PLAIN).replace('"}: ', "").replace(": {", "")


@pytest.mark.parametrize("word", ["within", "clear", "gone", '"result"', "drag", "right_click", "wait_until"])
def test_under_01_it_teaches_nothing_additive(word: str) -> None:  # Z11
    assert word not in manual(OLD)
    assert word in manual(PLAIN)


def test_custom_acts_come_before_the_operations() -> None:
    def get_code(account: str) -> None:
        """Fetch the code."""

    text = manual(Catalogue(acts=[CustomAct.from_function(get_code)]))
    assert (
        text.index("wait_until") < text.index('{"op":"get_code","account":"…"}: fetch the code') < text.index("observe")
    )
