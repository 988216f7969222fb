"""What every ``Computer`` backend must show: the standard scene, what it reports, and the fixture a backend provides.

The checks themselves are in ``axstream.testing.suite``; a backend's test module reads::

    from axstream.testing.suite import CHECKS

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    async def test_contract(check, fixture): await check(fixture)

Nothing counts as delivered because a backend says so: each check reads what the scene itself received.

The standard scene
==================

One document (window) titled ``Contract``, everything inside 1000 x 700 logical pixels without scrolling the document.
Names are accessible names. "Counts" means ``clicks[KEY] += 1`` for each primary click that the element receives,
where KEY is the name unless the table says another. Document order is the order of the table; Tab follows it.

=================  ====================  ==============================================================================
role               name                  what it does, and what the report says
=================  ====================  ==============================================================================
heading (level 1)  Contract page         static
button             Count                 counts
textbox            Name                  one line; Enter in it appends its value to ``submits`` (the value stays);
                                         the next Tab stop after it is Notes
textbox multiline  Notes                 Enter is a line break in its value
textbox password   Password              ``values["Password"]`` holds what arrived; no tree ever does
textbox            City                  its visible label (text ``City``) lies over its box; clicking it focuses it
textbox readonly   Serial                value ``AX-1``; never changes
checkbox           Subscribe             unchecked at first; toggles; ``checked["Subscribe"]``
radio x2           Small, Large          in a radiogroup ``Size``; Small is checked at first; ``checked[...]``
combobox           Colour                options Red (chosen), Green, Blue; ``values["Colour"]``
button disabled    Locked                would count
button             Covered               would count; a region ``Cookie banner`` lies over all of it
button             Start moving          moves ``Moving`` by 200 px to the right over 400 ms, then it rests
button             Moving                counts
button             Start wobble          ``Wobble`` then shakes by up to 4 px, for ever
button             Wobble                counts; at least 60 x 24 px
button             Start running         ``Runaway`` then travels 300 px to the right in 300 ms, is back at the start at
                                         once, again for ever; it leaves its own box
button             Runaway               counts; at most 80 px wide
button x2          Twin                  equal but for their place; count as ``Twin 1`` and ``Twin 2`` (document order)
button             Reveal                300 ms after its click ``Delayed`` is added and ``Soon`` is enabled
button disabled    Soon                  counts once enabled
button             Delayed               not in the document until then; counts
list               People                three listitems; each holds the text of its name (Alice, Bob, Carol) and a
                                         button ``Delete`` that counts as ``Delete Alice`` ... ``Delete Carol``
button             Parcel                pointer-dragged (press, moves, release; not the platform's own drag protocol)
group              Mailbox               a release over it, of a press on Parcel: ``drops += [("Parcel", "Mailbox")]``
region             Far list              scrolls by wheel; 200 px high, its content 2000 px; ``scrolled["Far list"]`` is
                                         its offset in px
button             Far                   at the bottom of Far list, out of sight at first; counts
button             Context               a right press: ``contexts["Context"] += 1`` and a pop-up menu opens at the
                                         pointer with the menuitem ``Rename`` (counts, closes the menu)
button             Twice                 double click: ``doubles["Twice"] += 1``; each single click counts as well
button             Hover                 the pointer coming in: ``hovers["Hover"] += 1``
group, focusable   Key pad               a click focuses it; while focused each key that is not a modifier is appended
                                         to ``keys``: ``ctrl+k``, ``escape``, ``arrowdown``, ``space``, ``a``, ``A``
button             Ask                   opens the modal dialog ``Really?`` with the buttons Yes and No, which count and
                                         close it; while it is open nothing outside it receives input
button             Victim                counts; ``mutate`` changes it
=================  ====================  ==============================================================================

A chord in ``keys``: the modifiers that are down in the order ctrl, alt, shift, meta (Shift is left out where it made
the character), then DOM's ``event.key`` in lower case (a lone character as it arrived, the space bar as ``space``).

A second page, where ``opens_urls``: titled ``Second``, with the heading ``Second page`` and a button ``Count`` (counts
as ``Second count``). ``ContractFixture.second_url`` leads there.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from axstream.computer.base import Computer

Mutation = Literal["move", "remove", "replace", "rename", "blank"]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the scene itself received since it was opened. Keys are those of the table; absent means none."""

    clicks: dict[str, int] = {}
    doubles: dict[str, int] = {}
    contexts: dict[str, int] = {}
    hovers: dict[str, int] = {}
    values: dict[str, str] = {}  # of every textbox (Name, Notes, Password, City, Serial) and of Colour
    checked: dict[str, bool] = {}  # Subscribe, Small, Large
    submits: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    drops: tuple[tuple[str, str], ...] = ()
    scrolled: dict[str, float] = {}
    moves: int = 0  # pointer moves received while the primary button was down
    downs: int = 0  # presses of any pointer button
    ups: int = 0  # releases of any pointer button
    pressed: tuple[str, ...] = ()  # sorted; what is down now as the scene sees it: left, right, ctrl, shift, alt, a...


class ContractFixture(Protocol):
    """What a backend's tests hand to the suite. One fixture serves one check: one ``open``, one computer."""

    #: Where the second page is, None where the computer opens no URLs.
    second_url: str | None

    async def open(self, *, slow: bool = False) -> Computer:
        """Return an entered computer that shows the standard scene, nothing focused, nothing pressed.

        With ``slow`` a drag takes at least 300 ms between press and release, and a character at least 2 ms, so that
        the suite can cancel in the middle.
        """

    async def report(self) -> Report:
        """Ask the scene what it received."""

    async def mutate(self, what: Mutation) -> None:
        """Change the scene behind the computer's back.

        ``move``: Victim goes 120 px to the right. ``remove``: Victim goes. ``replace``: another element with the same
        look stands in Victim's place. ``rename``: the same element is now called ``Survivor``. ``blank``: the
        document is empty (no element, no text, no title).
        """

    async def pause(self, seconds: float) -> None:
        """Let the scene's time go on; virtual where the fixture's time is."""

    async def close(self) -> None:
        """Leave the computer, if it is still open; the report must be readable until then."""
