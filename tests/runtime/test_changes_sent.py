"""What changed is sent in place of the whole screen where that pays, and nothing is lost by it (O3, Z25, X2)."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

import axstream as ax
from axstream.ax import NOTHING, Outline, apply_changes
from axstream.computer.memory import MemoryComputer, VirtualClock, parse_scene
from axstream.models.script import ScriptModel
from axstream.policy import Policy
from axstream.runtime.baseline import MAX_DIFFERENCES, MIN_WHOLE, Baseline
from axstream.runtime.session import Session
from axstream.trace.events import Observation, PromptSent, RunEvent
from tests.runtime.stage import DONE, OBSERVE, click, into, lines
from tests.runtime.test_api import pieces
from tests.runtime.test_session import Answers

ALLOW = Policy(risky="allow")
ROWS = [
    {
        "role": "listitem",
        "name": f"Invoice {number} of May",
        "children": [{"role": "button", "id": f"pay{number}", "name": f"Mark {number}"}],
    }
    for number in range(1, 41)
]
INVOICES: dict[str, Any] = {
    "screen": [
        {
            "role": "window",
            "name": "Invoices",
            "box": [0, 0, 1200, 4000],
            "children": [{"role": "textbox", "id": "search", "name": "Search"}, *ROWS],
        }
    ],
    "width": 1200,
    "height": 4000,
}
LOOK = [lines(into("Search", "May"), OBSERVE)]


async def play(*answers: list[str], few_shot: bool = False, **options: Any) -> tuple[Answers, list[Observation]]:
    clock, model, events = VirtualClock(), Answers(*answers), list[RunEvent]()
    model.few_shot = few_shot
    model.takes_grammar = options.pop("takes_grammar", False)
    scene = options.pop("scene", INVOICES)
    async with MemoryComputer(parse_scene(json.dumps(scene), "scene"), clock=clock) as computer:
        session = Session(
            "Find the invoice",
            computer,
            model,
            policy=ALLOW,
            emit=lambda _, event: events.append(event),
            clock=clock.now,
            sleep=clock.sleep,
            **options,
        )
        with anyio.fail_after(30):
            await session.run()
    sent = [event.messages[-1][1] for event in events if isinstance(event, PromptSent)]
    assert sent == [prompt.messages[-1].content for prompt in model.prompts]
    return model, [event for event in events if isinstance(event, Observation)]


async def test_the_second_prompt_begins_with_the_whole_first_and_ends_in_what_changed() -> None:
    """O3, Z25: so a provider's cache holds all of the first; and a reader knows the whole second screen."""
    model, (first, second) = await play(LOOK, [lines(DONE)])
    assert (first.changes, model.told(0).endswith(first.outline)) == (None, True)
    assert second.changes == '~ e1 textbox "Search" = "May" focused'
    assert model.told(1).startswith(model.told(0) + "\n\n")
    since = model.told(1).removeprefix(model.told(0))
    assert since.endswith("\n" + second.changes)
    assert since.count("- ok: ") == 1
    assert second.outline not in model.told(1)
    assert apply_changes(first.outline, second.changes) == second.outline
    assert second.outline.count("Invoice") == first.outline.count("Invoice")


async def test_differences_are_against_the_same_whole_screen() -> None:
    model, seen = await play(
        LOOK, [lines(into("Search", "June"), OBSERVE)], [lines(into("Search", "July"), OBSERVE)], [lines(DONE)]
    )
    assert [one.changes for one in seen[1:]] == [
        f'~ e1 textbox "Search" = "{text}" focused' for text in ("May", "MayJune", "MayJuneJuly")
    ]
    for one, told in zip(seen[1:], model.prompts[1:], strict=True):
        assert apply_changes(seen[0].outline, str(one.changes)) == one.outline
        assert told.messages[-1].content.startswith(model.told(0))
        assert told.messages[-1].content.count("Screen (data") == 1
    assert model.told(3).count("- ok: ") == 3


async def test_equal_screens_say_that_nothing_changed() -> None:
    """O7."""
    model, (_, second) = await play([lines({"op": "wait", "ms": 1}, OBSERVE)], [lines(DONE)])
    assert second.changes == NOTHING
    assert model.told(1).endswith("\nnothing changed")


async def test_after_so_many_differences_the_whole_screen_goes_again_with_its_history_before_it() -> None:
    model, seen = await play(*[LOOK] * (MAX_DIFFERENCES + 1), [lines(OBSERVE)], [lines(DONE)])
    assert [one.changes is None for one in seen] == [True] + [False] * MAX_DIFFERENCES + [True, False]
    last, after = model.told(MAX_DIFFERENCES + 1), model.told(MAX_DIFFERENCES + 2)
    assert last.endswith(seen[-2].outline)
    assert last.index("- ok: ") < last.index("Screen (data")
    assert after.startswith(last)


@pytest.mark.parametrize("why", ["small", "few_shot", "differences"])
async def test_the_screen_goes_whole_where_differences_do_not_pay(why: str) -> None:
    small = {"screen": [{**INVOICES["screen"][0], "children": INVOICES["screen"][0]["children"][:4]}]}
    options: dict[str, Any] = {
        "small": {"scene": small},
        "few_shot": {"few_shot": True},
        "differences": {"differences": False},
    }[why]
    model, (_, second) = await play(LOOK, [lines(DONE)], **options)
    assert second.changes is None
    if why != "few_shot":
        assert model.told(1).endswith(second.outline)
        assert model.told(1).count("Screen (data") == 1


async def test_another_screen_goes_whole() -> None:
    one, two = (
        Outline(text="\n".join(f'{name}{number} button "Mark {number}"' for number in range(200))) for name in "ef"
    )
    baseline = Baseline()
    assert [baseline.changes_to(seen) for seen in (one, one, two, two)] == [None, NOTHING, None, NOTHING]
    assert baseline.whole is two


async def test_an_outline_of_which_half_changed_goes_whole() -> None:
    def of(*changed: int) -> Outline:
        return Outline(
            text="\n".join(
                f'e{number} button "Mark {number}"' + " disabled" * (number in changed) for number in range(100)
            )
        )

    baseline = Baseline()
    baseline.restart(of())
    assert MIN_WHOLE < 800
    assert str(baseline.changes_to(of(1, 2, 3))).count("~") == 3
    assert baseline.changes_to(of(*range(60))) is None


async def test_the_grammar_is_narrowed_to_the_newest_screen() -> None:
    late = {"role": "button", "name": "Zebra", "appears_after_ms": 500}
    scene = {**INVOICES, "screen": [{**INVOICES["screen"][0], "children": [*INVOICES["screen"][0]["children"], late]}]}
    model, (_, second) = await play(
        [lines({"op": "wait", "ms": 900}, OBSERVE)], [lines(DONE)], scene=scene, takes_grammar=True
    )
    assert second.changes is not None
    assert "Zebra" in second.changes
    first_grammar, grammar = (prompt.grammar for prompt in model.prompts)
    assert first_grammar is not None
    assert grammar is not None
    assert "Zebra" not in first_grammar.gbnf
    assert "Zebra" in grammar.gbnf
    assert "Mark 40" in grammar.gbnf


async def test_an_embedder_gets_what_changed_since_the_last_whole_observation() -> None:
    async with ax.memory(INVOICES) as screen:
        first = await ax.observe(screen)
        for text in ("May", "MayMay"):
            events = [event async for event in ax.execute(pieces(*LOOK), screen)]
            (seen,) = [event for event in events if isinstance(event, Observation)]
            assert seen.changes == f'~ e1 textbox "Search" = "{text}" focused'
            assert ax.apply_changes(first.text, seen.changes) == seen.outline
        second = await ax.observe(screen)
        events = [event async for event in ax.execute(pieces(lines(OBSERVE)), screen)]
        assert [event.changes for event in events if isinstance(event, Observation)] == [NOTHING]
        assert second.text == seen.outline
    async with ax.memory(INVOICES) as other:
        events = [event async for event in ax.execute(pieces(*LOOK), other)]
        assert [event.changes for event in events if isinstance(event, Observation)] == [None]


async def test_a_run_can_be_told_to_send_every_screen_whole() -> None:
    async with ax.memory(INVOICES) as screen:
        model = ScriptModel([*LOOK, lines(click("Mark 1"), DONE)])
        async with ax.run("x", screen, model=model, policy=ALLOW, differences=False) as run:
            seen = [event async for event in run if isinstance(event, Observation)]
    assert [one.changes for one in seen] == [None, None]
