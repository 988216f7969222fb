"""The terminal view: what a person sees of a run, in order, and nothing that could act on the terminal."""

from __future__ import annotations

import pytest

from axstream.cli.terminal import Style
from axstream.cli.view import View
from axstream.cli.words import say
from axstream.spec.catalogue import Catalogue
from axstream.trace.events import (
    BurstEnded,
    Committed,
    Denied,
    Discarded,
    Element,
    Ended,
    Executed,
    Failed,
    Held,
    Note,
    Observation,
    RunEvent,
    Started,
)
from axstream.wire.events import ActionLine, FenceClosed, FenceOpened, Narration, Rejected, Truncated

EVIL = "\x1b[2J\u202e\r\n\x07"
BUTTON = Element(role="button", name="Save", id="e3")


def action(line: str, number: int = 3) -> ActionLine:
    decoded = Catalogue().decode(line)
    return ActionLine(number, decoded.action, line)


def shown(*events: RunEvent, style: bool = False, unicode: bool = True) -> str:
    written: list[str] = []
    view = View(Style(style), written.append, unicode=unicode)
    for event in events:
        view.show(event)
    return "".join(written)


WAIT = '{"op":"wait","ms":5}'


def test_an_action_is_shown_as_it_commits_and_with_its_effect_and_milliseconds() -> None:
    said = shown(action(WAIT), Committed(line=3), Executed(line=3, ms=12.4, effect="waited 5 ms", element=BUTTON))
    assert said.splitlines() == ["    3  ▸ wait 5 ms", '    3  ✓ waited 5 ms  [button "Save" (e3)]  12 ms']


def test_what_has_no_effect_of_its_own_is_said_in_words() -> None:
    assert "✓ wait 5 ms  1 ms" in shown(action(WAIT), Executed(line=3, ms=1))


def test_narration_is_dim_and_blank_lines_are_left_out() -> None:
    assert shown(Narration(1, "I look."), Narration(2, "  "), style=True) == "\x1b[2mI look.\x1b[0m\n"


def test_rejected_held_denied_failed_and_discarded_say_why() -> None:
    said = shown(
        Rejected(4, "not_json", "mend it", "oops"),
        Truncated(9, "{"),
        Held(line=5, why=("delete",), element=BUTTON),
        Held(line=5, mode="ask", why=("pay",)),
        Denied(line=5, message="the user said no"),
        Failed(line=6, error="TargetNotFound", message="nothing is called Save", ms=2000),
        Discarded(line=7, why="the burst ended before it"),
        Note(text="asking again in 1 s"),
    )
    assert "✗ rejected (not_json): mend it\n         oops" in said
    assert "✗ truncated" in said
    assert 'held until the stream is complete (delete)  [button "Save" (e3)]' in said
    assert "waits for your answer (pay)" in said
    assert "✗ denied: the user said no" in said
    assert "✗ TargetNotFound: nothing is called Save 2000 ms" in said
    assert "- not run: the burst ended before it" in said
    assert "· asking again in 1 s" in said


def test_the_start_line_says_what_happens_to_risky_acts() -> None:
    """Z8."""
    said = shown(
        Started(version="1.0", spec="0.2", computer="memory", risky="deny", model="local", notes=("no terminal",))
    )
    assert said == "axstream 1.0 · computer memory · model local · risky acts: deny\n· no terminal\n"


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (
            Ended(stop="done", status="success", reason=None, actions=7, bursts=2, seconds=3.21, overlap=0.834),
            "✓ done: success (7 actions, 2 bursts, 3.2 s; 83 % of the execution ran while the model was still generating)",
        ),
        (Ended(stop="observe", status=None, reason=None, seconds=1), "✓ observe (0 actions, 1 burst, 1.0 s)"),
        (
            Ended(stop="done", status="failure", reason="no button", actions=1, overlap=1.0),
            "✗ done: failure, no button (1 action, 1 burst, 0.0 s; "
            "100 % of the execution ran while the model was still generating)",
        ),
        (Ended(stop="aborted", status=None, reason="gone"), "✗ aborted, gone (0 actions, 1 burst, 0.0 s)"),
    ],
)
def test_the_last_line_counts(ended: Ended, said: str) -> None:
    assert shown(ended) == said + "\n"


def test_nothing_shown_can_act_on_the_terminal() -> None:
    element = Element(role=EVIL, name=EVIL, id=EVIL)
    said = shown(
        Started(version="1", spec="0.2", computer=EVIL, risky=EVIL, model=EVIL, task=EVIL, notes=(EVIL,)),
        Observation(burst=1, outline=EVIL, width=1, height=1, url=EVIL),
        Narration(1, EVIL + "x"),
        FenceOpened(2, EVIL),
        action('{"op":"type","text":"\\n","target":{"ax":{"title":"\\u001b[2J\\u202e"}}}'),
        Committed(line=3),
        Executed(line=3, effect=EVIL, element=element, notes=(EVIL,)),
        Rejected(4, "not_json", EVIL, EVIL),
        Held(line=4, why=(EVIL,), element=element),
        Denied(line=4, message=EVIL),
        Failed(line=4, error="ActionError", message=EVIL),
        Discarded(line=4, why=EVIL),
        Note(text=EVIL),
        BurstEnded(burst=1, stop="done", reason=EVIL),
        FenceClosed(5),
        Ended(stop="done", status="success", reason=EVIL),
    )
    assert not [char for char in said if char != "\n" and not char.isprintable()]
    assert "\\x1b[2J" in said


def test_while_a_person_is_asked_lines_wait_in_order() -> None:
    written: list[str] = []
    view = View(Style(False), written.append)
    view.pause()
    view.show(Note(text="one"))
    view.show(Note(text="two"))
    assert written == []
    view.resume()
    view.show(Note(text="three"))
    assert "".join(written) == "· one\n· two\n· three\n"


def test_without_unicode_the_marks_are_ascii() -> None:
    assert shown(action(WAIT), Committed(line=3), Executed(line=3), unicode=False).isascii()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"op":"click","target":{"ax":{"role":"button","title":"Save","id":"e1"}}}', 'click button "Save" (e1)'),
        ('{"op":"double_click","target":{"x":1,"y":2}}', "double-click the point 1,2"),
        ('{"op":"right_click","target":{"ax":{"title":"A"}},"risk":"risky"}', 'right-click "A" (risky)'),
        ('{"op":"move","target":{"ax":{"title":"A"}}}', 'move the pointer to "A"'),
        ('{"op":"drag","from":{"x":1,"y":2},"to":{"ax":{"title":"A"}}}', 'drag the point 1,2 to "A"'),
        ('{"op":"type","text":"a\\nb"}', 'type "a\\nb"'),
        ('{"op":"type","text":"a","clear":true,"target":{"ax":{"id":"e1"}}}', 'clear, then type "a" into e1'),
        ('{"op":"key","keys":["ctrl","s"]}', "press ctrl+s"),
        ('{"op":"scroll","direction":"up"}', "scroll up 1 notch"),
        ('{"op":"scroll","direction":"down","clicks":3}', "scroll down 3 notches"),
        ('{"op":"open","target":"Notes"}', 'open "Notes"'),
        ('{"op":"wait","ms":500}', "wait 500 ms"),
        ('{"op":"wait_until","target":{"ax":{"title":"A"}}}', 'wait until "A" is there, at most 2500 ms'),
        ('{"op":"wait_until","target":{"ax":{"title":"A"}},"gone":true}', 'wait until "A" is gone, at most 2500 ms'),
        ('{"op":"assert","target":{"ax":{"title":"A"}}}', 'go on only if "A" is there'),
        ('{"op":"observe"}', "look again: the burst ends here"),
        ('{"op":"done","status":"failure","reason":"no"}', 'done: failure, because "no"'),
        ('{"op":"done","status":"success","result":{"a":"\\n"}}', 'done: success, result {"a":"\\n"}'),
    ],
)
def test_each_action_is_said_in_words(line: str, words: str) -> None:
    assert say(action(line).action) == words
