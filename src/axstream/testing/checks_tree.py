"""Contract checks of what is seen: the tree, handles, candidates, notes, applications and addresses (O2, T2, Z27, A6)."""

from __future__ import annotations

from axstream.ax.ids import IdBook
from axstream.ax.narrowing import agrees_with_whole
from axstream.ax.resolve import Missing, resolve
from axstream.computer.base import OpenApp, OpenUrl
from axstream.errors import ActionError, ActionUnsupported, TargetNotFound
from axstream.spec.targets import Ax
from axstream.testing.probe import REFUSE_S, Check, Probe, claim, expect, expect_that, refuses

#: Role and name of what every backend must show at first, in document order.
SHOWN: tuple[tuple[str, str], ...] = (
    ("heading", "Contract page"),
    ("button", "Count"),
    ("textbox", "Name"),
    ("textbox", "Notes"),
    ("textbox", "Password"),
    ("textbox", "City"),
    ("textbox", "Serial"),
    ("checkbox", "Subscribe"),
    ("radio", "Small"),
    ("radio", "Large"),
    ("combobox", "Colour"),
    ("button", "Locked"),
    ("button", "Covered"),
    ("region", "Cookie banner"),
    ("button", "Start moving"),
    ("button", "Moving"),
    ("button", "Start wobble"),
    ("button", "Wobble"),
    ("button", "Start running"),
    ("button", "Runaway"),
    ("button", "Twin"),
    ("button", "Twin"),
    ("button", "Reveal"),
    ("button", "Soon"),
    ("list", "People"),
    ("text", "Alice"),
    ("button", "Delete"),
    ("text", "Bob"),
    ("button", "Delete"),
    ("text", "Carol"),
    ("button", "Delete"),
    ("button", "Parcel"),
    ("group", "Mailbox"),
    ("region", "Far list"),
    ("button", "Far"),
    ("button", "Context"),
    ("button", "Twice"),
    ("button", "Hover"),
    ("group", "Key pad"),
    ("button", "Ask"),
    ("button", "Victim"),
)

#: Targets of every kind; the candidates must rank as the whole tree does.
TARGETS: tuple[Ax, ...] = (
    Ax(role="button", title="Count"),
    Ax(role="AXButton", title="count"),
    Ax(title="Count"),
    Ax(role="link", title="Count"),
    Ax(role="button", title="Twin"),
    Ax(role="button", title="Delete", within=Ax(title="Bob")),
    Ax(role="button", title="Delete", within=Ax(role="listitem", title="Carol")),
    Ax(title="Delete"),
    Ax(role="textbox", title="City"),
    Ax(title="City"),
    Ax(title="City:"),
    Ax(role="heading"),
    Ax(role="combobox"),
    Ax(role="checkbox"),
    Ax(role="textbox"),
    Ax(role="list"),
    Ax(role="button"),
    Ax(role="dialog"),
    Ax(role="slider"),
    Ax(role="searchbox", title="Name"),
    Ax(role="text", title="Alice"),
    Ax(title="Alice"),
    Ax(role="button", title="Start"),
    Ax(role="button", title="Moving"),
    Ax(role="button", title="Subscribe"),
    Ax(title="Contract"),
    Ax(title="page"),
    Ax(role="button", title="Far"),
    Ax(title="AX-1"),
    Ax(role="button", title="Nowhere to be found"),
)

#: Two letters from a title: near, and not it.
TOO_FAR = Ax(title="Passwrod")

#: What a computer may leave out of an observation and only count.
OUT_OF_SIGHT = ("button", "Far")

#: Targets that only the edit-distance rank finds: asked with ``whole`` (Z27).
MISSPELT: tuple[Ax, ...] = (Ax(role="button", title="Start movinng"), Ax(title="Subscribe"))


@claim()
async def everything_is_there_under_its_name(probe: Probe) -> None:
    """O1, O2: role and name as the platform computes them, in document order; what is out of sight is counted at least."""
    tree = await probe.computer.observe()
    for nodes in ((await probe.computer.candidates(Ax(role="button"), whole=True)).nodes, tree.nodes):
        found = [(node.role, node.name.strip()) for node in nodes]
        rest = iter(found)
        for wanted in SHOWN:
            if nodes is tree.nodes and wanted == OUT_OF_SIGHT and wanted not in found:
                expect_that(any(left.elements for left in tree.more), f"{wanted} is counted: {tree.more}")
            else:
                expect_that(wanted in rest, f"{wanted} is shown, in its place: {found}")
    expect([pair for pair in found if pair == ("button", "Delayed")], [], "what is not there yet")


@claim()
async def a_tree_holds_together(probe: Probe) -> None:
    """Nodes come after their parents, handles are unique, what is on the screen has a box inside it."""
    tree = await probe.computer.observe()
    handles = [node.handle for node in tree.nodes]
    expect(len(set(handles)), len(handles), "different handles")
    for index, node in enumerate(tree.nodes):
        expect_that(-1 <= node.parent < index, f"{node.role} {node.name!r} comes after its parent")
    width, height = await probe.computer.surface()
    expect((tree.surface.width, tree.surface.height), (width, height), "the surface of the tree")
    expect_that(width > 0 and height > 0, "the surface has a size")
    for node in tree.nodes:
        if node.onscreen and node.interactive and node.box is not None and node.role != "option":
            box = node.box
            inside = box.x < width and box.y < height and box.x + box.w > 0 and box.y + box.h > 0
            expect_that(inside, f"{node.role} {node.name!r} is on the screen, and its box is inside: {box}")
    expect(tree.surface.title, "Contract", "the title of the surface")


@claim()
async def states_are_told(probe: Probe) -> None:
    """O1, O2: the states that matter; visible means visible."""
    tree = await probe.computer.observe()
    by_name = {node.name: node for node in tree.nodes if node.role != "text"}
    expect(by_name["Locked"].enabled, False, "Locked is enabled")
    expect(by_name["Count"].enabled, True, "Count is enabled")
    expect(by_name["Covered"].covered, True, "Covered is covered")
    expect(by_name["Count"].covered, False, "Count is covered")
    far = by_name["Far"] if "Far" in by_name else await probe.find("button", "Far")
    expect(far.onscreen, False, "Far is on the screen")
    expect(by_name["Count"].onscreen, True, "Count is on the screen")
    expect(by_name["Small"].checked, "true", "Small is checked")
    expect(by_name["Large"].checked, "false", "Large is checked")
    expect(by_name["Subscribe"].checked, "false", "Subscribe is checked")
    expect(by_name["Notes"].multiline, True, "Notes has lines")
    expect(by_name["Name"].editable, True, "Name takes text")
    expect(by_name["Count"].editable, False, "Count takes text")
    expect(by_name["Password"].password, True, "Password is a password")
    expect(by_name["Serial"].readonly, True, "Serial is read-only")
    expect(by_name["Serial"].value, "AX-1", "the value of Serial")
    expect(by_name["Contract page"].level, 1, "the level of the heading")
    expect(by_name["Colour"].value, "Red", "the value of Colour")


@claim()
async def an_element_keeps_its_handle(probe: Probe) -> None:
    """T2, O7: over observations and candidates, also when it is called something else."""
    first = await probe.computer.observe()
    second = await probe.computer.observe()
    expect([node.handle for node in second.nodes], [node.handle for node in first.nodes], "handles")
    victim = await probe.find("button", "Victim")
    expect_that(victim.handle in first.by_handle, "candidates and observations use one handle")
    await probe.fixture.mutate("rename")
    survivor = await probe.find("button", "Survivor")
    expect(survivor.handle, victim.handle, "the handle of what was renamed")


@claim()
async def candidates_rank_as_the_whole_tree_does(probe: Probe) -> None:
    """T3 to T5, Z27: the resolver decides, backends narrow, and never away what would have won."""
    for ax in TARGETS:
        whole = await probe.computer.candidates(ax, whole=True)
        some = await probe.computer.candidates(ax)
        expect_that(whole.complete, "with whole=True the tree is whole")
        agrees = agrees_with_whole(some, whole, ax, IdBook())
        expect_that(agrees, f"{ax} ranks alike on the candidates and on the whole tree")
    for ax in MISSPELT:
        found = resolve(await probe.computer.candidates(ax, whole=True), ax, IdBook())
        expect_that(not isinstance(found, Missing), f"{ax} finds what it comes close to on the whole tree")
    far = resolve(await probe.computer.candidates(TOO_FAR, whole=True), TOO_FAR, IdBook())
    expect_that(
        isinstance(far, Missing) and "Password" in far.message, f"{TOO_FAR} finds nothing, and is told what is near"
    )


@claim()
async def candidates_hold_what_ranking_needs(probe: Probe) -> None:
    """The windows, documents, modals and pop-ups that are open are always among the candidates, ancestors too."""
    await probe.click("button", "Ask")
    await probe.find("button", "Yes")
    for ax in (Ax(role="slider"), Ax(role="button", title="Count"), Ax(title="Yes")):
        tree = await probe.computer.candidates(ax)
        expect_that(any(node.modal for node in tree.nodes), f"the dialog is among the candidates for {ax}")
        for index, node in enumerate(tree.nodes):
            expect_that(-1 <= node.parent < index, f"{node.role} {node.name!r} comes after its parent")
    expect(await probe.look(Ax(role="button", title="Count")), None, "Count behind the dialog")
    await probe.click("button", "Yes")


@claim()
async def an_empty_screen_says_why(probe: Probe) -> None:
    """O2: an empty observation says why."""
    await probe.fixture.mutate("blank")
    tree = await probe.computer.observe()
    expect_that(not any(node.interactive for node in tree.nodes), "nothing is left to act on")
    expect_that(any(note.strip() for note in tree.notes), "an empty observation has a note")


@claim()
async def a_url_shows_another_document(probe: Probe) -> None:
    """Z4, T2: when the act has ended the page is there, and handles of the old page are dead."""
    url = probe.fixture.second_url
    if not probe.computer.opens_urls or url is None:
        with refuses(ActionUnsupported):
            await probe.computer.perform(OpenUrl(url="https://contract.example/second"))
        return
    old = await probe.find("button", "Count")
    await probe.computer.perform(OpenUrl(url=url))
    heading = await probe.look(Ax(role="heading", title="Second page"))
    expect_that(heading is not None, "the second page is there when the act has ended")
    with refuses(TargetNotFound):
        await probe.computer.prepare(old.handle, "click", REFUSE_S)
    new = await probe.find("button", "Count")
    expect_that(new.document != old.document, "another page is another document")
    expect_that(new.handle != old.handle, "another page's button is another element")
    await probe.click_node(new)
    await probe.until(lambda report: report.clicks.get("Second count") == 1, "the second page's button was clicked")


@claim()
async def an_application_that_is_not_there_is_refused(probe: Probe) -> None:
    """A6: on a computer without applications a name fails as unsupported."""
    names = await probe.computer.applications()
    expect(bool(names), probe.computer.has_applications, "applications are listed where there are some")
    wanted = ActionError if probe.computer.has_applications else ActionUnsupported
    with refuses(wanted):
        await probe.computer.perform(OpenApp(name="No Such Application"))


CHECKS: tuple[Check, ...] = (
    everything_is_there_under_its_name,
    a_tree_holds_together,
    states_are_told,
    an_element_keeps_its_handle,
    candidates_rank_as_the_whole_tree_does,
    candidates_hold_what_ranking_needs,
    an_empty_screen_says_why,
    a_url_shows_another_document,
    an_application_that_is_not_there_is_refused,
)
