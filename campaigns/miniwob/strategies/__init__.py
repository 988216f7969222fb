"""Which strategy an instruction calls for: by its words alone, the first that fits. The name of the page is not known here."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from campaigns.miniwob.screen import Screen
from campaigns.miniwob.strategies import dates, forms, lists, mail, moving, pointing, reading, writing
from campaigns.miniwob.strategies.pointing import Strategy


class Kind(msgspec.Struct, frozen=True):
    """A kind of task: what it is called, the words that it is known by, what begins its strategy."""

    kind: str
    words: str
    begin: Callable[[Screen], Strategy]


KINDS = (
    Kind("widget by kind", r'Click on a "\w+" widget', pointing.widget),
    Kind("item of a menu", r'"Menu" button', pointing.menu_item),
    Kind("item of a pie menu", r"pie menu", pointing.pie_menu),
    Kind("button of a dialog", r"dialog box", pointing.dialog),
    Kind("tab by name", r"Click on Tab #", pointing.tab),
    Kind("link behind tabs or sections", r'click on the link "|Click on the link "', pointing.find_link),
    Kind("section to open", r"Expand the section below", pointing.open_section),
    Kind("path of menus", r"Select \S+>\S+", pointing.menu_path),
    Kind("tree of files", r"file tree", pointing.tree),
    Kind("focus by number", r"Focus into", pointing.nth_field),
    Kind("agreement to sign", r"Click the cancel button|press \"(?:Agree|Cancel)\"", forms.agreement),
    Kind("post by its writer", r'"[\w ]+" button on|For the user @', lists.posts),
    Kind(
        "buttons by name", r'^Click (?:on )?the "[^"]+" button|^Click (?:the )?button(?! that)', pointing.named_button
    ),
    Kind("date from a calendar", r"Select [\d/]+ as the date", dates.pick),
    Kind("flight", r"Book the (?:shortest|cheapest) one-way flight", dates.flight),
    Kind("slider", r"with the slider and hit Submit|Set the sliders", moving.sliders),
    Kind("form by number", r"with the slider, click|Check the \d|from the dropdown", forms.search_form),
    Kind("spinner", r"with the spinner", forms.spin_to),
    Kind("options of a list", r"from the (?:scroll )?list", lists.from_list),
    Kind("check boxes", r"^Select .+ and click Submit", lists.tick),
    Kind("contact book", r"contact book", lists.contact),
    Kind("search results", r"search result", lists.search_result),
    Kind("order of food", r"^Order ", lists.order),
    Kind("ticket", r"^Buy the ", reading.ticket),
    Kind("stock", r"^Buy \w+ stock", reading.stock),
    Kind("copy and paste", r"^Copy the text", forms.copy_paste),
    Kind("last word of a text", r"Find the last word", forms.last_word),
    Kind("scroll a text", r"^Scroll the textarea", moving.scroll_area),
    Kind("word by number", r"Find the \d+\w\w word", forms.nth_word),
    Kind("password twice", r"into both text fields", forms.password),
    Kind("log in", r"Enter the username", forms.log_in),
    Kind("date or time to type", r"as the (?:date|time)", forms.enter_date),
    Kind("table to read", r"Enter the value", forms.by_table),
    Kind("fields by label", r"Search for .+ movies", forms.by_label),
    Kind("autocomplete", r"Enter an item that starts with", forms.autocomplete),
    Kind("text to type", r'^(?:Enter|Type) "', forms.enter_text),
    Kind("text drawn in letters", r"^Type the text below", forms.spaced_text),
    Kind("sum", r"^Solve the math problem", reading.arithmetic),
    Kind("equation", r"^Solve for x", reading.algebra),
    Kind("greatest number", r"greatest number", reading.greatest),
    Kind("odd or even", r"as odd or even", reading.odd_or_even),
    Kind("number to generate", r"^Generate an? (?:odd |even )?number", reading.generated_number),
    Kind("number to guess", r"^Guess the number", reading.guessed_number),
    Kind("list to sort", r"^Sort the numbers", moving.sort_numbers),
    Kind("box into box", r"^Drag the smaller box", moving.drag_box),
    Kind("item to drag", r"^Drag [A-Z]\S+ ", moving.drag_item),
    Kind("text to style", r"^Using the text editor", writing.style),
    Kind("terminal", r"^Use the terminal", writing.terminal),
    Kind("text to highlight", r"^Highlight the text", writing.highlight),
    Kind("mail", r"\bemail|message|forward|reply|respond|delete|star\b", mail.handle),
)


def choose(seen: Screen) -> Kind | None:
    """Return the kind of task that the words of an instruction call for."""
    return next((kind for kind in KINDS if re.search(kind.words, seen.said)), None)
