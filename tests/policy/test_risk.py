"""Risk as axstream judges it (R1, R3, Z8): what raises a line, and what must not."""

from __future__ import annotations

import pytest

from axstream.ax.node import Node
from axstream.policy import Policy, judge
from axstream.policy.words import risky_words
from axstream.spec.actions import (
    AnyAct,
    Click,
    Custom,
    DoubleClick,
    Drag,
    Key,
    Move,
    Open,
    RightClick,
    Scroll,
    Type,
    Wait,
    WaitUntil,
)
from axstream.spec.targets import Ax, AxTarget

TARGET = AxTarget(ax=Ax(title="x"))


def node(role: str, name: str = "", **more: object) -> Node:
    return Node(handle="h1", role=role, name=name, **more)  # type: ignore[arg-type]


FIELD = node("textbox", "Comment", editable=True)


@pytest.mark.parametrize(
    "name",
    [
        "Delete", "Delete account", "Yes, delete", "🗑 Delete", "Remove…", "Send", "Submit order", "Buy now", "Pay $12.00",
        "Place order", "Sign out", "Log out", "Don't Save", "Don’t save", "Löschen", "Konto löschen", "Jetzt kaufen",
        "Zahlungspflichtig bestellen", "Nachricht senden", "Abmelden", "Eliminar", "Cerrar sesión", "Pagar", "Comprar ahora",
        "删除", "删除账户", "提交", "立即购买", "退出登录", "確認する", "送信", "Shut down", "Confirm", "DELETE", "  delete  ",
        "De\u200blete", "&Delete", "Cancel subscription",
    ],
)  # fmt: skip
def test_names_of_buttons_that_are_hard_to_undo_are_risky(name: str) -> None:
    assert judge(Click(target=TARGET), node("button", name), None, None)
    assert judge(DoubleClick(target=TARGET), node("menuitem", name), None, None)


@pytest.mark.parametrize(
    "name",
    [
        "", "Save", "OK", "Search", "Add", "Cancel", "Don't delete", "Order by date", "Order history", "Sender", "Payments",
        "Format text", "Nicht löschen", "Postcode", "Deleted items", "取消", "Undelete", "Open", "Next", "Bestellungen", "…", "Keep",
        "Datei nicht löschen",
    ],
)  # fmt: skip
def test_names_that_only_look_so_are_safe(name: str) -> None:
    assert judge(Click(target=TARGET), node("button", name), None, None) == ()


@pytest.mark.parametrize("role", ["link", "textbox", "heading", "listitem", "checkbox", "text"])
def test_words_count_only_on_commands_not_on_links_or_fields(role: str) -> None:
    assert judge(Click(target=TARGET), node(role, "Delete"), None, None) == ()


def test_a_button_without_a_name_is_judged_by_its_description() -> None:
    assert judge(Click(target=TARGET), node("button", "", description="Delete this row"), None, None)


def test_a_point_over_nothing_is_safe_unless_marked() -> None:
    assert judge(Click(target=TARGET), None, None, None) == ()
    assert judge(Click(target=TARGET, risk="risky"), None, None, None) == ("the line is marked risky",)


def test_our_own_judgement_never_lowers_a_mark() -> None:
    reasons = judge(Click(target=TARGET, risk="risky"), node("button", "Delete"), None, None)
    assert len(reasons) == 2


@pytest.mark.parametrize(
    ("keys", "focus", "risky"),
    [
        (("ctrl", "q"), None, True),
        (("cmd", "w"), FIELD, True),
        (("alt", "f4"), None, True),
        (("ctrl", "shift", "delete"), FIELD, True),
        (("shift", "delete"), None, True),
        (("shift", "delete"), FIELD, False),
        (("cmd", "backspace"), FIELD, False),
        (("cmd", "enter"), FIELD, True),
        (("cmd", "s"), FIELD, False),
        (("delete",), FIELD, False),
        (("delete",), None, False),
        (("delete",), node("listitem", "report.txt"), True),
        (("enter",), node("button", "Delete"), True),
        (("shift", "enter"), node("button", "Delete"), True),
        (("alt", "enter"), node("button", "Delete"), False),
        (("space",), node("button", "Send"), True),
        (("space",), node("button", "Search"), False),
        (("space",), FIELD, False),
        (("space",), None, False),
        (("enter",), None, False),
        (("enter",), FIELD, False),
        (("enter",), node("textbox", "Card", editable=True, submits="Pay now"), True),
        (("enter",), node("searchbox", "Query", editable=True, submits="Search"), False),
        (("enter",), node("textbox", "Body", editable=True, multiline=True, submits="Send"), False),
        (("a",), node("button", "Delete"), False),
    ],
)
def test_keys_are_judged_with_what_has_the_focus(keys: tuple[str, ...], focus: Node | None, risky: bool) -> None:
    """Z8: Enter or Space on a control is a click on it; chords of their own; text stays text."""
    assert bool(judge(Key(keys=keys), None, None, focus)) is risky


@pytest.mark.parametrize(
    ("text", "focus", "risky"),
    [
        ("hello\n", FIELD, False),
        ("hello", node("button", "Delete"), False),
        ("\n", node("button", "Delete"), True),
        (" ", node("button", "Delete"), True),
        (" ", FIELD, False),
        (" ", None, False),
        ("42\n", node("textbox", "Amount", editable=True, submits="Transfer"), True),
        ("42", node("textbox", "Amount", editable=True, submits="Transfer"), False),
    ],
)
def test_typing_is_judged_with_what_has_the_focus(text: str, focus: Node | None, risky: bool) -> None:
    assert bool(judge(Type(text=text), None, None, focus)) is risky


def test_typing_with_a_target_clicks_it_first_and_is_judged_so() -> None:
    assert judge(Type(text="x", target=TARGET), node("button", "Delete"), None, None)
    assert judge(Type(text="x\n", target=TARGET), FIELD, None, None) == ()


@pytest.mark.parametrize(
    ("target", "risky"),
    [
        ("https://example.com/logout", True),
        ("example.com/account/delete?id=4", True),
        ("https://example.com/?action=%64elete", True),
        ("https://example.com/news", False),
        ("https://delete.example.com/", False),
        ("Notes", False),
        ("https://example.com/undeleted", False),
    ],
)
def test_open_is_judged_by_its_address(target: str, risky: bool) -> None:
    assert bool(judge(Open(target=target), None, None, None)) is risky


@pytest.mark.parametrize(
    ("name", "risky"), [("Trash", True), ("Papierkorb", True), ("回收站", True), ("Inbox", False), ("Cabin", False)]
)
def test_a_drag_into_the_trash_is_risky(name: str, risky: bool) -> None:
    assert bool(judge(Drag(from_=TARGET, to=TARGET), node("img", "a"), node("img", name), None)) is risky


def test_a_drag_to_nothing_is_safe() -> None:
    assert judge(Drag(from_=TARGET, to=TARGET), None, None, None) == ()


@pytest.mark.parametrize(
    "act",
    [
        RightClick(target=TARGET),
        Move(target=TARGET),
        Scroll(direction="down"),
        Wait(ms=1),
        WaitUntil(target=TARGET),
        Custom(name="get_code", args={}),
    ],
)
def test_acts_that_change_nothing_are_safe_unless_marked(act: AnyAct) -> None:
    assert judge(act, node("button", "Delete"), None, None) == ()


def test_a_negation_in_french_or_german_position_is_not_risky() -> None:
    assert risky_words("Bitte nicht löschen") is None


@pytest.mark.parametrize("mode", ["allow", "ask", "hold", "deny"])
def test_the_policy_decides_only_on_reasons(mode: str) -> None:
    """R1, R2: no reason, no gate; any reason, the mode."""
    policy = Policy(risky=mode)  # type: ignore[arg-type]
    assert policy.decide(()) == "allow"
    assert policy.decide(("why",)) == mode
