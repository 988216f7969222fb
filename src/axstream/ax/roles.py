"""Roles: the names of four vocabularies made one (T3), families, what is interactive. No node is looked at here.

The canonical names are ARIA's, in lower case, with a few of our own for what ARIA has no word for: ``text`` (static
text), ``window``, ``terminal``, ``canvas``, ``iframe``. Where vocabularies disagree on a word, ARIA's meaning stands:
``tab`` is one tab (UIA's ``Tab`` is the whole control, here ``tablist``), ``text`` is static text (AT-SPI's ``text``
is a field; backends map it by number), ``frame`` is AT-SPI's, a window.
"""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import fuzz, process

_INTERACTIVE = (
    "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider "
    "spinbutton switch tab terminal textbox treeitem"
)
_STATIC = (
    "alert alertdialog application article banner blockquote canvas caption cell code columnheader complementary "
    "contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading "
    "iframe img insertion list listitem log main mark marquee math menu menubar meter navigation none note paragraph "
    "presentation progressbar radiogroup region row rowgroup rowheader scrollbar search separator status strong subscript "
    "suggestion superscript table tablist tabpanel term text time timer toolbar tooltip tree treegrid video audio "
    "window"
)

INTERACTIVE_ROLES: frozenset[str] = frozenset(_INTERACTIVE.split())
CANONICAL_ROLES: frozenset[str] = INTERACTIVE_ROLES | frozenset(_STATIC.split())

#: Families (T3): with a title, any member serves for any other, ranked below the role that was asked for. A role may
#: be in several; ``family`` gives the first.
FAMILIES: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (name, frozenset(members.split()))
    for name, members in (
        ("press", "button link menuitem tab"),
        ("entry", "textbox searchbox combobox spinbutton terminal"),
        ("check", "checkbox switch radio menuitemcheckbox menuitemradio"),
        ("item", "listitem option treeitem row cell gridcell rowheader columnheader"),
        ("choice", "option menuitem menuitemradio menuitemcheckbox"),
        ("menu", "menu menuitem menubar"),
        ("range", "slider scrollbar"),
        ("gauge", "progressbar meter"),
        ("window", "window dialog alertdialog"),
        ("collection", "list listbox tree table grid treegrid menu"),
        ("static", "text heading paragraph caption term definition note code blockquote status alert log"),
        ("picture", "img canvas figure"),
        ("region", "group region form search navigation main article complementary banner contentinfo radiogroup"),
        ("page", "document application iframe"),
    )
)

#: Another vocabulary's words, without spaces, hyphens and case, and without the ``AX`` in front.
_ALIASES: dict[str, str] = {
    alias: role
    for role, aliases in {
        # macOS (AX), AT-SPI, UIA, HTML and what people say, in that order where they differ.
        "button": (
            "pushbutton togglebutton menubutton splitbutton pushbuttonmenu disclosuretriangle disclosurebutton "
            "colorwell toggle submit closebutton minimizebutton zoombutton fullscreenbutton iconbutton"
        ),
        "link": "hyperlink anchor a",
        "textbox": (
            "textfield textarea securetextfield datefield timefield datetimearea edit entry passwordtext password "
            "dateeditor input inputfield field textinput texteditor editbox editbar editabletext"
        ),
        "searchbox": "searchfield searchtextfield searchinput",
        "checkbox": "checkbutton tickbox check",
        "switch": "toggleswitch",
        "radio": "radiobutton",
        "combobox": "popupbutton autocomplete select dropdown dropdownlist dropdownmenu picker",
        "listbox": "listview",
        "option": "selectoption listboxoption",
        "menuitem": "menubaritem tearoffmenuitem menubarmenuitem menuentry",
        "menuitemcheckbox": "checkmenuitem checkboxmenuitem",
        "menuitemradio": "radiomenuitem radiobuttonmenuitem",
        "menu": "popupmenu contextmenu",
        "tab": "pagetab tabitem tabbutton",
        "tablist": "pagetablist tabgroup tabcontrol tabbar",
        "tabpanel": "tabpane",
        "slider": "dial rating valueindicator trackbar",
        "spinbutton": "incrementor stepper spinner numericupdown spinbox numberinput",
        "tree": "outline treeview",
        "treeitem": "outlinerow treenode",
        "treegrid": "treetable",
        "table": "datatable",
        "grid": "datagrid calendar documentspreadsheet spreadsheet",
        "row": "tablerow dataitem",
        "rowgroup": "tablebody tableheader tablehead tbody thead",
        "cell": "tablecell",
        "columnheader": "tablecolumnheader headeritem sortbutton column",
        "rowheader": "tablerowheader",
        "list": "descriptionlist contentlist",
        "listitem": "item",
        "heading": "header1 h1 h2 h3 h4 h5 h6",
        "img": "image icon picture graphic desktopicon imagemap",
        "dialog": (
            "sheet drawer popover systemdialog colorchooser filechooser fontchooser modal optionpane floatingwindow "
            "systemfloatingwindow"
        ),
        "alert": "notification infobar toast",
        "status": "statusbar",
        "tooltip": "helptag",
        "toolbar": "appbar",
        "group": (
            "grouping panel pane scrollarea scrollpane splitgroup splitpane rootpane layeredpane glasspane "
            "directorypane viewport titlebar semanticzoom layoutarea layoutitem fieldset growarea"
        ),
        "region": "landmark section landmarkregion",
        "navigation": "nav landmarknavigation",
        "main": "landmarkmain",
        "search": "landmarksearch",
        "complementary": "landmarkcomplementary aside",
        "banner": "landmarkbanner header",
        "contentinfo": "landmarkcontentinfo footer",
        "note": "footnote comment",
        "document": (
            "webarea documentframe documentweb documenttext documentemail documentpresentation htmlcontainer page "
            "webpage rootwebarea"
        ),
        "iframe": "internalframe inlineframe",
        "application": "desktopframe systemwide",
        "window": "standardwindow frame inputmethodwindow",
        "separator": "splitter hr ruler",
        "progressbar": "progressindicator busyindicator",
        "meter": "levelindicator levelbar relevanceindicator",
        "scrollbar": "scroller",
        "text": "statictext label static acceleratorlabel textlabel labeltext string",
        "paragraph": "p",
        "generic": "unknown filler custom element extended embedded redundantobject invalid div span",
        "canvas": "drawingarea",
        "definition": "descriptionvalue descriptiondefinition",
        "term": "descriptionterm",
        "timer": "clock",
        "figure": "chart",
        "radiogroup": "radiobuttongroup",
    }.items()
    for alias in aliases.split()
}
_SEPARATORS = str.maketrans("", "", " \t_-")
_NEAREST_CUTOFF = 60.0  # below this a suggestion is noise


@lru_cache(maxsize=4096)
def canonical_role(name: str) -> str:
    """Return the one role that a name of any of the four vocabularies means, in any case.

    An unknown name (one of an application's own) is itself, lower-cased.
    """
    key = name.strip().casefold().translate(_SEPARATORS)
    for candidate in (key, key.removeprefix("ax"), key.removesuffix("role"), key.removeprefix("role")):
        if candidate in CANONICAL_ROLES:
            return candidate
        if candidate in _ALIASES:
            return _ALIASES[candidate]
    return " ".join(name.casefold().split())


def is_known_role(name: str) -> bool:
    """Tell whether a name means a role of the four vocabularies."""
    return canonical_role(name) in CANONICAL_ROLES


def nearest_roles(name: str, limit: int = 3) -> tuple[str, ...]:
    """Return the canonical roles whose names, or whose other names, are nearest to an unknown one, nearest first."""
    key = name.strip().casefold().translate(_SEPARATORS).removeprefix("ax")
    words = sorted(CANONICAL_ROLES) + sorted(_ALIASES)
    found: list[str] = []
    for word, _, _ in process.extract(key, words, scorer=fuzz.ratio, score_cutoff=_NEAREST_CUTOFF, limit=4 * limit):
        role = canonical_role(word)
        if role not in found:
            found.append(role)
    return tuple(found[:limit])


def family(role: str) -> str:
    """Return the name of the first family that a canonical role is in, or the role itself where it is in none."""
    return next((name for name, members in FAMILIES if role in members), role)


@lru_cache(maxsize=4096)
def same_family(wanted: str, actual: str) -> bool:
    """Tell whether a canonical role may serve for another where a title is given (T3)."""
    return wanted == actual or any(wanted in members and actual in members for _, members in FAMILIES)


def is_interactive(role: str) -> bool:
    """Tell whether elements with this canonical role are there to be acted on."""
    return role in INTERACTIVE_ROLES
