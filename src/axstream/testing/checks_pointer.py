"""Contract checks of the pointer: clicks, drags, the wheel, waiting until an element can be acted on (T7, A3, A7, E5)."""

from __future__ import annotations

from axstream.computer.base import ClickAt, DragTo, Wheel
from axstream.errors import TargetNotActionable, TargetNotFound
from axstream.spec.targets import Ax
from axstream.testing.probe import READY_S, REFUSE_S, Check, Probe, claim, expect, expect_that, refuses


@claim()
async def a_click_reaches_its_element_once(probe: Probe) -> None:
    """E9: two clicks are two clicks, and nothing else is clicked."""
    await probe.click("button", "Count")
    await probe.click("button", "Count")
    expect(await probe.clicks(), {"Count": 2}, "clicks received")
    report = await probe.report()
    expect((report.downs, report.ups), (2, 2), "presses and releases")


@claim()
async def a_double_click_is_two_clicks_and_a_double_click(probe: Probe) -> None:
    """SPEC 3.1: ``double_click``."""
    await probe.click("button", "Twice", count=2)
    report = await probe.until(lambda report: report.doubles.get("Twice") == 1, "Twice was double-clicked")
    expect(report.clicks.get("Twice"), 2, "single clicks of the double click")


@claim()
async def a_right_click_opens_the_context_menu(probe: Probe) -> None:
    """SPEC 3.1: ``right_click`` opens the target's context menu, and its items can be clicked."""
    await probe.click("button", "Context", button="right")
    await probe.click("menuitem", "Rename")
    report = await probe.report()
    expect(report.contexts.get("Context"), 1, "right clicks")
    expect(await probe.clicks(), {"Rename": 1}, "clicks received")
    expect(await probe.look(Ax(role="menuitem", title="Rename")), None, "the menu after its item was clicked")


@claim()
async def a_move_hovers_and_presses_nothing(probe: Probe) -> None:
    """SPEC 3.1: ``move``."""
    await probe.move_to("button", "Hover")
    report = await probe.until(lambda report: report.hovers.get("Hover", 0) >= 1, "Hover was hovered")
    expect(report.downs, 0, "presses")


@claim()
async def a_drag_moves_on_the_way_and_drops(probe: Probe) -> None:
    """A7: moves are interpolated."""
    x, y = await probe.ready("button", "Parcel", "drag")
    to_x, to_y = await probe.ready("group", "Mailbox", "drop")
    await probe.computer.perform(DragTo(x=x, y=y, to_x=to_x, to_y=to_y))
    report = await probe.until(lambda report: bool(report.drops), "something was dropped")
    expect(report.drops, (("Parcel", "Mailbox"),), "drops")
    expect((report.downs, report.ups), (1, 1), "presses and releases")
    expect_that(report.moves >= 2, f"the drag moves on its way, it moved {report.moves} times")


@claim()
async def a_drag_to_nowhere_still_releases(probe: Probe) -> None:
    """A7: the button is released whatever happens."""
    x, y = await probe.ready("button", "Parcel", "drag")
    to_x, to_y = await probe.ready("heading", "Contract page", "drop")
    await probe.computer.perform(DragTo(x=x, y=y, to_x=to_x, to_y=to_y))
    report = await probe.report()
    expect((report.drops, report.downs, report.ups), ((), 1, 1), "drops, presses, releases")


@claim(slow=True)
async def a_cancelled_drag_releases_the_button(probe: Probe) -> None:
    """E5, A7: in the middle of a drag; the computer can be used afterwards."""
    x, y = await probe.ready("button", "Parcel", "drag")
    to_x, to_y = await probe.ready("group", "Mailbox", "drop")
    drag = DragTo(x=x, y=y, to_x=to_x, to_y=to_y)
    await probe.cancel_when(drag, lambda report: report.pressed == ("left",) and report.moves > 0, "the drag moved")
    report = await probe.report()
    expect(report.pressed, (), "what is pressed after the cancellation")
    expect(report.ups, report.downs, "releases")
    await probe.click("button", "Count")
    expect((await probe.clicks()).get("Count"), 1, "a click after the cancelled drag")


@claim()
async def letting_go_of_nothing_is_no_error(probe: Probe) -> None:
    """E5: ``release_all`` never raises for what is already up."""
    await probe.computer.release_all()
    await probe.computer.release_all()
    expect(await probe.clicks(), {}, "clicks received")


@claim()
async def the_wheel_scrolls_what_is_under_the_pointer(probe: Probe) -> None:
    """A3: by notches, in its direction, and an act that can tell that nothing moved says so."""
    await probe.move_to("region", "Far list")
    down = await probe.computer.perform(Wheel(direction="down", clicks=3))
    report = await probe.until(lambda report: report.scrolled.get("Far list", 0) > 0, "Far list was scrolled")
    expect_that(down.moved is not False, "an act that moved something does not say that nothing moved")
    far = report.scrolled["Far list"]
    await probe.computer.perform(Wheel(direction="down", clicks=1))
    await probe.until(lambda report: report.scrolled["Far list"] > far, "one notch more scrolled on")
    await probe.computer.perform(Wheel(direction="up", clicks=10))
    await probe.until(lambda report: report.scrolled["Far list"] == 0, "Far list went back to its top")
    again = await probe.computer.perform(Wheel(direction="up", clicks=1))
    expect_that(again.moved is not True, "at the top, scrolling up moves nothing")
    expect((await probe.report()).downs, 0, "presses")


@claim()
async def what_is_far_down_is_scrolled_into_view(probe: Probe) -> None:
    """T7: scrolled into view."""
    node = await probe.find("button", "Far")
    expect(node.onscreen, False, "Far is on the screen at first")
    await probe.click_node(node)
    expect(await probe.clicks(), {"Far": 1}, "clicks received")


@claim()
async def equal_buttons_are_told_apart_by_their_handles(probe: Probe) -> None:
    """T2, T5: a handle is one element."""
    tree = await probe.computer.observe()
    twins = [node for node in tree.nodes if node.name == "Twin" and node.role == "button"]
    expect(len(twins), 2, "buttons called Twin")
    await probe.click_node(twins[1])
    expect(await probe.clicks(), {"Twin 2": 1}, "clicks received")
    await probe.click_node(twins[0])
    expect(await probe.clicks(), {"Twin 2": 1, "Twin 1": 1}, "clicks received")


@claim()
async def one_delete_of_many_is_found_by_its_row(probe: Probe) -> None:
    """N3: within a row, by the text in it."""
    node = await probe.find("button", "Delete", within=Ax(title="Bob"))
    await probe.click_node(node)
    expect(await probe.clicks(), {"Delete Bob": 1}, "clicks received")


@claim()
async def what_is_disabled_is_not_clicked_and_says_so(probe: Probe) -> None:
    """T7, Z17: ``move`` needs no enabled."""
    node = await probe.find("button", "Locked")
    expect(node.enabled, False, "Locked is enabled")
    with refuses(TargetNotActionable, "Locked", "disabled"):
        await probe.computer.prepare(node.handle, "click", REFUSE_S)
    await probe.computer.prepare(node.handle, "move", REFUSE_S)
    expect(await probe.clicks(), {}, "clicks received")


@claim()
async def what_is_covered_names_what_covers_it(probe: Probe) -> None:
    """T7: covered names what covers it."""
    node = await probe.find("button", "Covered")
    with refuses(TargetNotActionable, "Cookie banner"):
        await probe.computer.prepare(node.handle, "click", REFUSE_S)
    expect(await probe.clicks(), {}, "clicks received")


@claim()
async def a_moving_element_is_clicked_where_it_comes_to_rest(probe: Probe) -> None:
    """T7: its box at rest."""
    before = await probe.find("button", "Moving")
    await probe.click("button", "Start moving")
    await probe.click("button", "Moving")
    expect((await probe.clicks()).get("Moving"), 1, "clicks of Moving")
    after = await probe.find("button", "Moving")
    expect_that(before.box is not None and after.box is not None, "Moving has a box")
    if before.box is not None and after.box is not None:
        expect(round(after.box.x - before.box.x), 200, "how far Moving has gone when it is clicked")


@claim()
async def what_shakes_in_its_own_box_is_clicked(probe: Probe) -> None:
    """Z17: still moving at the end of the wait, it is clicked if its centre stayed inside its box."""
    await probe.click("button", "Start wobble")
    node = await probe.find("button", "Wobble")
    x, y = await probe.computer.prepare(node.handle, "click", REFUSE_S)
    await probe.computer.perform(ClickAt(x=x, y=y, handle=node.handle))
    expect((await probe.clicks()).get("Wobble"), 1, "clicks of Wobble")


@claim()
async def what_runs_away_is_not_clicked(probe: Probe) -> None:
    """T7, Z17: it says that it is moving."""
    node = await probe.find("button", "Runaway")
    await probe.click("button", "Start running")
    with refuses(TargetNotActionable, "moving"):
        await probe.computer.prepare(node.handle, "click", REFUSE_S)
    expect((await probe.clicks()).get("Runaway"), None, "clicks of Runaway")


@claim()
async def what_becomes_enabled_is_waited_for(probe: Probe) -> None:
    """T7: all within a bounded wait."""
    await probe.click("button", "Reveal")
    await probe.click("button", "Soon")
    expect(await probe.clicks(), {"Soon": 1}, "clicks received")


@claim()
async def what_appears_later_is_found_when_it_is_there(probe: Probe) -> None:
    """T6: candidates are live."""
    expect(await probe.look(Ax(role="button", title="Delayed")), None, "Delayed before Reveal")
    await probe.click("button", "Reveal")
    await probe.click("button", "Delayed")
    expect(await probe.clicks(), {"Delayed": 1}, "clicks received")


@claim()
async def a_label_does_not_cover_its_field(probe: Probe) -> None:
    """Z17, Z3: the label lies over the field, the title means the field, a click there focuses it."""
    node = await probe.find(None, "City")
    expect(node.role, "textbox", "what City means")
    await probe.click_node(node)
    focus = await probe.computer.focus()
    expect(focus.node is not None and focus.node.handle == node.handle, True, "City has the focus")


@claim()
async def checkboxes_and_radios_change(probe: Probe) -> None:
    """O1: and their states are told."""
    await probe.click("checkbox", "Subscribe")
    await probe.click("radio", "Large")
    checked = (await probe.report()).checked
    expect(
        {name: checked.get(name, False) for name in ("Subscribe", "Small", "Large")},
        {"Subscribe": True, "Small": False, "Large": True},
        "what is checked",
    )
    expect((await probe.find("radio", "Large")).checked, "true", "Large as it is observed")
    await probe.click("checkbox", "Subscribe")
    expect((await probe.report()).checked.get("Subscribe", False), False, "Subscribe after a second click")


@claim()
async def an_option_of_a_combobox_is_chosen_by_a_click(probe: Probe) -> None:
    """Z16: a native select's options are elements; clicking one chooses it."""
    option = Ax(role="option", title="Green")
    if await probe.look(option) is None:
        await probe.click("combobox", "Colour")
    await probe.click("option", "Green")
    await probe.until(lambda report: report.values.get("Colour") == "Green", "Green was chosen")


@claim()
async def a_modal_dialog_keeps_input_from_what_is_behind_it(probe: Probe) -> None:
    """T7, Z3: what is behind says that the dialog covers it."""
    count = await probe.find("button", "Count")
    await probe.click("button", "Ask")
    await probe.find("button", "Yes")
    tree = await probe.computer.observe()
    expect([node.name for node in tree.nodes if node.modal], ["Really?"], "open modal dialogs")
    expect(await probe.look(Ax(role="button", title="Count")), None, "Count while the dialog is open")
    with refuses(TargetNotActionable, "Really?"):
        await probe.computer.prepare(count.handle, "click", REFUSE_S)
    await probe.click("button", "No")
    await probe.click("button", "Count")
    expect(await probe.clicks(), {"No": 1, "Count": 1}, "clicks received")


@claim()
async def a_point_is_hit_tested(probe: Probe) -> None:
    """Z22: what a click there would reach; outside there is nothing."""
    node = await probe.find("button", "Count")
    x, y = await probe.computer.prepare(node.handle, "click", READY_S)
    hit = await probe.computer.at(x, y)
    expect(hit.name if hit is not None else None, "Count", "what is at the middle of Count")
    covered = await probe.find("button", "Covered")
    if covered.box is not None:
        hit = await probe.computer.at(*covered.box.centre)
        expect(hit.name if hit is not None else None, "Cookie banner", "what is at the middle of Covered")
    width, height = await probe.computer.surface()
    for point in ((-5.0, 5.0), (5.0, -5.0), (width + 5, 5.0), (5.0, height + 5)):
        expect(await probe.computer.at(*point), None, f"what is at {point}, outside")


@claim()
async def a_bare_point_is_clicked_as_it_is(probe: Probe) -> None:
    """A8: points are logical points of the surface."""
    node = await probe.find("button", "Count")
    expect_that(node.box is not None, "Count has a box")
    if node.box is not None:
        await probe.computer.perform(ClickAt(x=node.box.x + 3, y=node.box.y + 3))
    expect(await probe.clicks(), {"Count": 1}, "clicks received")


@claim()
async def what_moved_since_is_hit_where_it_is_now(probe: Probe) -> None:
    """T2: late binding."""
    node = await probe.find("button", "Victim")
    await probe.fixture.mutate("move")
    await probe.click_node(node)
    expect(await probe.clicks(), {"Victim": 1}, "clicks received")


@claim()
async def what_went_away_is_not_found(probe: Probe) -> None:
    """T2: a dead handle is never another element."""
    node = await probe.find("button", "Victim")
    await probe.fixture.mutate("remove")
    with refuses(TargetNotFound):
        await probe.computer.prepare(node.handle, "click", REFUSE_S)
    expect(await probe.look(Ax(role="button", title="Victim")), None, "Victim after it went")


@claim()
async def what_took_anothers_place_is_another(probe: Probe) -> None:
    """T2: the same look is not the same element."""
    node = await probe.find("button", "Victim")
    await probe.fixture.mutate("replace")
    with refuses(TargetNotFound):
        await probe.computer.prepare(node.handle, "click", REFUSE_S)
    other = await probe.find("button", "Victim")
    expect_that(other.handle != node.handle, "a new element has a new handle")
    await probe.click_node(other)
    expect(await probe.clicks(), {"Victim": 1}, "clicks received")


CHECKS: tuple[Check, ...] = (
    a_click_reaches_its_element_once,
    a_double_click_is_two_clicks_and_a_double_click,
    a_right_click_opens_the_context_menu,
    a_move_hovers_and_presses_nothing,
    a_drag_moves_on_the_way_and_drops,
    a_drag_to_nowhere_still_releases,
    a_cancelled_drag_releases_the_button,
    letting_go_of_nothing_is_no_error,
    the_wheel_scrolls_what_is_under_the_pointer,
    what_is_far_down_is_scrolled_into_view,
    equal_buttons_are_told_apart_by_their_handles,
    one_delete_of_many_is_found_by_its_row,
    what_is_disabled_is_not_clicked_and_says_so,
    what_is_covered_names_what_covers_it,
    a_moving_element_is_clicked_where_it_comes_to_rest,
    what_shakes_in_its_own_box_is_clicked,
    what_runs_away_is_not_clicked,
    what_becomes_enabled_is_waited_for,
    what_appears_later_is_found_when_it_is_there,
    a_label_does_not_cover_its_field,
    checkboxes_and_radios_change,
    an_option_of_a_combobox_is_chosen_by_a_click,
    a_modal_dialog_keeps_input_from_what_is_behind_it,
    a_point_is_hit_tested,
    a_bare_point_is_clicked_as_it_is,
    what_moved_since_is_hit_where_it_is_now,
    what_went_away_is_not_found,
    what_took_anothers_place_is_another,
)
