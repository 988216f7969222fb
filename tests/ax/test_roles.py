"""Roles: four vocabularies, families, what is interactive (T3)."""

from __future__ import annotations

import pytest

from axstream.ax.roles import (
    _ALIASES,
    CANONICAL_ROLES,
    FAMILIES,
    INTERACTIVE_ROLES,
    canonical_role,
    family,
    is_interactive,
    is_known_role,
    nearest_roles,
    same_family,
)

WORDS = {
    "button": "button AXButton axbutton AXMenuButton push_button PushButton push-button toggle-button SplitButton BUTTON",
    "textbox": "textbox AXTextField AXTextArea AXSecureTextField entry Edit password_text textarea input",
    "searchbox": "searchbox AXSearchField",
    "link": "link AXLink Hyperlink LINK",
    "checkbox": "checkbox AXCheckBox check_box CheckBox",
    "radio": "radio AXRadioButton radio_button RadioButton",
    "combobox": "combobox AXComboBox AXPopUpButton combo_box ComboBox select dropdown",
    "tab": "tab AXTab page_tab TabItem",
    "tablist": "tablist AXTabGroup page_tab_list",
    "menuitem": "menuitem AXMenuItem AXMenuBarItem menu_item MenuItem",
    "menuitemcheckbox": "menuitemcheckbox check_menu_item",
    "menuitemradio": "menuitemradio radio_menu_item",
    "slider": "slider AXSlider Slider dial",
    "spinbutton": "spinbutton AXIncrementor spin_button Spinner",
    "text": "text AXStaticText static label Text",
    "window": "window AXWindow frame Window",
    "dialog": "dialog AXSheet dialog file_chooser",
    "cell": "cell AXCell table_cell",
    "row": "row AXRow table_row DataItem",
    "listitem": "listitem list_item ListItem",
    "treeitem": "treeitem tree_item TreeItem",
    "tree": "tree AXOutline Tree",
    "img": "img image AXImage icon Image",
    "heading": "heading AXHeading h2",
    "group": "group AXGroup panel Pane Group AXScrollArea scroll_pane",
    "document": "document AXWebArea document_web Document",
    "progressbar": "progressbar AXProgressIndicator progress_bar ProgressBar",
    "generic": "generic AXUnknown filler Custom",
    "separator": "separator AXSplitter Separator",
    "tooltip": "tooltip AXHelpTag tool_tip ToolTip",
    "status": "status status_bar StatusBar",
    "option": "option",
    "switch": "switch AXSwitch",
}


@pytest.mark.parametrize(("name", "role"), [(name, role) for role, names in WORDS.items() for name in names.split()])
def test_every_vocabulary_means_one_role(name: str, role: str) -> None:
    assert canonical_role(name.replace("_", " ")) == role
    assert canonical_role(f" {name.swapcase()} ") == role


def test_canonical_names_mean_themselves_and_aliases_never_hide_one() -> None:
    assert all(canonical_role(role) == role for role in CANONICAL_ROLES)
    assert not set(_ALIASES) & CANONICAL_ROLES
    assert set(_ALIASES.values()) <= CANONICAL_ROLES


def test_an_unknown_role_is_itself_in_lower_case() -> None:
    assert canonical_role("My  Gizmo") == "my gizmo"
    assert not is_known_role("My Gizmo")
    assert is_known_role("AXLink")
    assert is_known_role("buttonRole")


def test_nearest_roles_are_canonical_and_few() -> None:
    assert nearest_roles("AXButon")[0] == "button"
    assert nearest_roles("chekbox")[0] == "checkbox"
    assert nearest_roles("qqqqqqqqqq") == ()


def test_families_serve_for_each_other_and_for_nothing_else() -> None:
    assert same_family("button", "link")
    assert same_family("link", "tab")
    assert same_family("textbox", "searchbox")
    assert same_family("option", "menuitem")
    assert same_family("gizmo", "gizmo")
    assert not same_family("button", "textbox")
    assert not same_family("gizmo", "button")
    assert family("link") == family("button") == "press"
    assert family("gizmo") == "gizmo"
    assert all(members <= CANONICAL_ROLES for _, members in FAMILIES)


def test_what_acts_is_interactive() -> None:
    assert is_interactive("button")
    assert not is_interactive("heading")
    assert INTERACTIVE_ROLES <= CANONICAL_ROLES
