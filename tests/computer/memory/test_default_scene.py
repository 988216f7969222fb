"""The scene that the package ships does what people expect of a notes application and of a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from axstream.ax.ids import IdBook
from axstream.ax.node import Node
from axstream.ax.resolve import Found, resolve
from axstream.computer.base import ClickAt, Effect, OpenApp, OpenUrl, PressKeys, TypeText
from axstream.computer.memory import MemoryComputer, VirtualClock, default_scene
from axstream.errors import TargetNotActionable, TargetNotFound
from axstream.spec.targets import Ax


@pytest.fixture
async def screen() -> AsyncIterator[MemoryComputer]:
    async with MemoryComputer(default_scene(), clock=VirtualClock()) as computer:
        yield computer


async def find(screen: MemoryComputer, role: str, title: str) -> Node:
    ax = Ax(role=role, title=title)
    found = resolve(await screen.candidates(ax), ax, IdBook())
    assert isinstance(found, Found), found
    return found.node


async def click(screen: MemoryComputer, role: str, title: str) -> Effect:
    node = await find(screen, role, title)
    x, y = await screen.prepare(node.handle, "click", 1)
    return await screen.perform(ClickAt(x=x, y=y, handle=node.handle))


async def names(screen: MemoryComputer, role: str) -> list[str]:
    return [node.name for node in (await screen.observe()).nodes if node.role == role and node.onscreen]


async def test_first_burst_of_the_specification_writes_a_new_note(screen: MemoryComputer) -> None:
    """SPEC 7, burst 1: open, wait, cmd+n, type."""
    await screen.perform(OpenApp(name="Notes"))
    await screen.clock.sleep(0.5)
    await screen.perform(PressKeys(modifiers=("cmd",), key="n"))
    await screen.perform(TypeText(text="reminder: submit the spec"))
    assert (await names(screen, "option"))[0] == "reminder: submit the spec"
    focus = await screen.focus()
    assert focus.node is not None
    assert focus.node.value == "reminder: submit the spec"


async def test_second_burst_of_the_specification_finds_results_that_were_not_there(screen: MemoryComputer) -> None:
    """SPEC 7: cmd+l, type with Enter, wait, observe."""
    await screen.perform(PressKeys(modifiers=("cmd",), key="l"))
    await screen.perform(TypeText(text="weather tokyo\n"))
    assert await names(screen, "link") == []
    await screen.clock.sleep(0.8)
    assert "Weather in Tokyo: hour by hour" in await names(screen, "link")
    await click(screen, "link", "Weather in Tokyo")
    assert await names(screen, "heading") == ["Weather in Tokyo"]
    assert screen.value("address") == "https://weather.example/tokyo"


async def test_a_note_is_saved_and_renamed_as_it_is_written(screen: MemoryComputer) -> None:
    await screen.perform(OpenApp(name="Notes"))
    await click(screen, "option", "Water the plants")
    await screen.perform(ClickAt(x=500, y=300))
    await screen.perform(TypeText(text="Ferns\ntwice", clear=True))
    assert "Ferns" in await names(screen, "option")
    await screen.perform(PressKeys(modifiers=("cmd",), key="s"))
    assert screen.records["saved"] == ("Ferns\ntwice",)
    assert await names(screen, "status") == ["Saved"]


async def test_deleting_a_note_asks_first(screen: MemoryComputer) -> None:
    await screen.perform(OpenApp(name="Notes"))
    effect = await click(screen, "button", "Delete")
    assert effect.notes == ('alertdialog "Delete this note?" appeared',)
    focus = await screen.focus()
    assert focus.node is not None
    assert focus.node.name == "Cancel"
    await click(screen, "button", "Cancel")
    assert "Shopping list" in await names(screen, "option")
    await click(screen, "button", "Delete")
    await screen.perform(PressKeys(modifiers=(), key="escape"))
    assert "Shopping list" in await names(screen, "option")
    await click(screen, "button", "Delete")
    await click(screen, "button", "Delete")
    assert await names(screen, "option") == ["Water the plants"]
    assert not screen.exists("editor-shopping")


async def test_back_goes_back_to_a_new_document(screen: MemoryComputer) -> None:
    """T2: after a navigation old handles are dead, also when the same page comes again."""
    news = await find(screen, "link", "Example News")
    await click(screen, "link", "Example News")
    with pytest.raises(TargetNotFound):
        await screen.prepare(news.handle, "click", 0.1)
    await click(screen, "button", "Back")
    again = await find(screen, "link", "Example News")
    assert again.handle != news.handle
    assert again.document != news.document
    await click(screen, "button", "Back")
    assert await names(screen, "heading") == ["Start page"]


async def test_an_address_that_nothing_answers_says_so(screen: MemoryComputer) -> None:
    await screen.perform(OpenUrl(url="https://nowhere.example/a?b=c"))
    assert await names(screen, "heading") == ["This page cannot be found"]


async def test_an_act_ends_when_its_page_is_there(screen: MemoryComputer) -> None:
    """Z4: no navigation that it began is pending."""
    await screen.perform(OpenUrl(url="weather.example/oslo"))
    tree = await screen.candidates(Ax(title="Weather in Oslo"))
    assert tree.surface.url == "https://weather.example/oslo"
    assert tree.surface.title == "Weather in Oslo"


async def test_the_contact_form_is_filled_and_sent(screen: MemoryComputer) -> None:
    await click(screen, "link", "Contact form")
    await click(screen, "textbox", "Your name")
    await screen.perform(TypeText(text="Ada\t"))
    await screen.perform(PressKeys(modifiers=(), key="down"))
    assert screen.value("contact-subject") == "Praise"
    await screen.perform(TypeText(text="\tgood\nwork"))
    await click(screen, "checkbox", "Send me a copy")
    await click(screen, "button", "Send message")
    assert screen.records["sent"] == ("Ada: good\nwork",)
    assert screen.node("contact-status").name == ""
    await screen.clock.sleep(0.3)
    assert screen.node("contact-status").name == "Thank you, Ada."


async def test_an_application_behind_another_is_raised_by_open(screen: MemoryComputer) -> None:
    await screen.perform(OpenApp(name="Notes"))
    back = await find(screen, "textbox", "Address and search bar")
    await click(screen, "button", "Browser")
    assert screen.node("browser").active
    assert not screen.node("notes").active
    note = screen.node("note-shopping")
    with pytest.raises(TargetNotActionable, match='covered by document "Start page"'):
        await screen.prepare(note.handle, "click", 0.1)
    await screen.prepare(back.handle, "click", 0.1)


async def test_an_unknown_application_lists_the_installed_ones(screen: MemoryComputer) -> None:
    """A6: no match lists the names."""
    with pytest.raises(TargetNotFound, match='"Calculator"; there are: Notes, Browser'):
        await screen.perform(OpenApp(name="Calculator"))
