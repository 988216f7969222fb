"""What a walk leaves out: never what may be meant (Z27), never what is on the screen (O1, O2); ids on long pages (Z2)."""

from __future__ import annotations

import random

import pytest

from axstream.ax.ids import IdBook
from axstream.ax.match import rank_node
from axstream.ax.narrowing import agrees_with_whole
from axstream.ax.node import Node, Tree
from axstream.ax.outline import outline
from axstream.ax.resolve import Ambiguous, Found, Missing, resolve
from axstream.ax.titles import Wanted
from axstream.computer.base import ClickAt
from axstream.spec.targets import Ax
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver

WORDS = ("Save", "Save as", "Ünïted", "Größe", "don't", "Ada", "Bob & Co", "3 items", "→", "São Paulo", "delete", "all")
TITLES = (
    *WORDS,
    "Save as…",
    "ADA",
    "Ada delete",
    "Save Ada",
    "grosse",
    "items",
    "Bob",
    "do not",
    "united",
    "Ada all",
    "as",
)
ROLES = ("button", "checkbox", "tab", "menuitem", "option", "heading", "img", "row", "listitem", "switch", "textbox")


def page(seed: int) -> str:
    """Return a page of nested things that name themselves in all the ways that there are."""
    draw = random.Random(seed)
    ids = iter(range(10_000))

    def words() -> str:
        return " ".join(draw.choices(WORDS, k=draw.choice((1, 1, 2, 3))))

    def said() -> str:
        return words().replace("&", "&amp;")

    def quoted() -> str:
        return said().replace("'", "&#39;")

    def thing(depth: int) -> str:
        kind = draw.randrange(24 if depth < 4 else 14)
        number = next(ids)
        match kind:
            case 0 | 1:
                return f"<button>{said()}</button>"
            case 2:
                return f"<a href=#x>{said()} <b>{said()}</b></a>"
            case 3:
                return f"<label>{said()} <input {draw.choice(('', 'type=checkbox', 'type=radio', 'readonly'))}></label>"
            case 4:
                return f"<label for=i{number}>{said()}</label><div><span>{said()}</span></div><input id=i{number} placeholder='{quoted()}'>"
            case 5:
                return f"<span id=n{number}>{said()}</span><p>between</p><button aria-labelledby=n{number}>x</button>"
            case 6:
                return f"<button aria-label='{quoted()}'>x</button>"
            case 7:
                return f"<img alt='{quoted()}' src=data:,> <a href=#y><img alt='{quoted()}' src=data:,></a>"
            case 8:
                return f"<div onclick=1>{said()} <i>{said()}</i></div>"
            case 9:
                return f"<div role={draw.choice(ROLES)} tabindex=0>{said()}<div>{said()}</div></div>"
            case 10:
                return f"<p>{said()} <em>{said()}</em> {said()}</p>"
            case 11:
                return f"<select><option>{said()}<option>{said()}</select>"
            case 12:
                return f"<input value='{quoted()}' title='{quoted()}'>"
            case 13:
                return f"<div style='cursor:pointer'>{said()}{thing(depth + 3)}</div>"
            case 14 | 15:
                rows = "".join(f"<tr><td>{said()}<td>{said()}<td><button>{said()}</button>" for _ in range(3))
                return f"<table>{rows}</table>"
            case 16 | 17:
                return "<ul>" + "".join(f"<li>{said()} {thing(depth + 1)}" for _ in range(3)) + "</ul>"
            case 18:
                return f"<section aria-label='{quoted()}'>{thing(depth + 1)}{thing(depth + 1)}</section>"
            case 19:
                return f"<div style='height:{draw.choice((30, 900))}px;overflow:auto'>{thing(depth + 1)}<div style='height:700px'></div>{thing(depth + 1)}</div>"
            case 20:
                return f"<div style='position:{draw.choice(('relative', 'absolute;top:1500px', 'fixed;right:0;top:0'))}'>{thing(depth + 1)}</div>"
            case 21:
                return f"<details {draw.choice(('open', ''))}><summary>{said()}</summary>{thing(depth + 1)}</details>"
            case 22:
                return f"<fieldset><legend>{said()}</legend>{thing(depth + 1)}{thing(depth + 1)}</fieldset>"
            case _:
                return f"<div {draw.choice(('', 'style=display:contents', 'style=display:none', 'style=opacity:0'))}>{thing(depth + 1)}{thing(depth + 1)}</div>"

    return "".join(thing(0) for _ in range(30))


def targets(draw: random.Random) -> list[Ax]:
    """Return titles with and without a role, and within what holds another."""
    found: list[Ax] = []
    for title in TITLES:
        found.append(Ax(title=title))
        found.append(Ax(title=title, role=draw.choice(ROLES)))
        found.append(Ax(title=title, within=Ax(title=draw.choice(TITLES))))
        found.append(Ax(role=draw.choice(ROLES), within=Ax(title=draw.choice(TITLES))))
        found.append(Ax(role="button", within=Ax(title=draw.choice(TITLES), role="row")))
    return found


def signature(node: Node) -> tuple[str, str, str, str]:
    return node.handle, node.role, node.name, node.value


@pytest.mark.parametrize("seed", range(12))
async def test_what_is_left_out_of_candidates_could_not_be_meant(seed: int, show: OpenPage) -> None:
    """Z27: the same element, the same tie or nothing, as on the whole page."""
    driver = await show(page(seed))
    whole = await driver.tree()
    assert whole.complete
    narrowed = 0
    for ax in targets(random.Random(seed)):
        part = await driver.computer.candidates(ax)
        lost = _lost(part, whole, ax)
        assert agrees_with_whole(part, whole, ax, IdBook()), (ax, lost)
        narrowed += not part.complete
    assert narrowed > len(TITLES)  # and it is narrowed indeed


def _lost(part: Tree, whole: Tree, ax: Ax) -> list[tuple[str, str, str, str]]:
    if ax.title is None:
        return []
    wanted = Wanted(ax.title)
    there = {signature(node) for node in part.nodes}
    meant = [signature(node) for node in whole.nodes if rank_node(wanted, node, close=False) is not None]
    return [one for one in meant if one not in there]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("scrolled", [0, 350], ids=["top", "scrolled"])
async def test_what_is_on_the_screen_is_observed_as_the_whole_walk_tells_it(
    seed: int, scrolled: int, show: OpenPage
) -> None:
    """O1, O2: nothing that shows is missing or called otherwise, and what is left out is counted."""
    driver = await show(page(seed), viewport=(900, 500))
    await driver.page.evaluate(f"scrollTo(0, {scrolled})")
    observed = await driver.computer.observe()
    whole = await driver.tree()
    there = {signature(node) for node in observed.nodes}
    shown = [node for node in whole.nodes if node.onscreen and not (node.role == "option" and node.box is None)]
    assert [signature(node) for node in shown if signature(node) not in there] == []
    assert len(outline(observed, IdBook()).text) <= len(outline(whole, IdBook()).text) + 400
    acting = sum(node.interactive and not node.onscreen and node.role != "option" for node in whole.nodes)
    assert acting == 0 or any(left.elements for left in observed.more), observed.more


LONG = """<ul id=list></ul><script>
const states = ["open", "paid", "late", "void"];
const draw = (li, i) => { li.innerHTML = `<b>Order ${i}</b> <i>${states[i % 4]}</i> <button>Delete</button>`;
  li.querySelector("button").onclick = () => said("deleted", i); };
for (let i = 0; i < 300; i++) draw($("list").appendChild(document.createElement("li")), i);
</script>"""


class Ids:
    """A long list, observed; its first rows' *Delete* by id."""

    def __init__(self, driver: Driver, book: IdBook, ids: list[str]) -> None:
        self.driver, self.book, self.ids = driver, book, ids

    async def resolved(self, row: int, *, whole: bool = False) -> Found | Missing | Ambiguous:
        issued = self.book.issued(self.ids[row])
        assert issued is not None
        ax = Ax(id=self.ids[row])
        return resolve(await self.driver.computer.candidates(ax, whole=whole, known=[issued.handle]), ax, self.book)

    async def clicked(self, row: int) -> list[str]:
        """Resolve as a run does, and click what was found, if anything."""
        found = await self.resolved(row)
        if isinstance(found, Missing) and found.needs_whole:
            found = await self.resolved(row, whole=True)
        if isinstance(found, Found):
            x, y = await self.driver.computer.prepare(found.node.handle, "click", 2.0)
            await self.driver.computer.perform(ClickAt(x=x, y=y, handle=found.node.handle))
        return await self.driver.log()


async def listed(show: OpenPage) -> Ids:
    driver = await show(LONG)
    tree = await driver.computer.observe()
    assert len(tree.nodes) < 200
    assert [left.region for left in tree.more] == ["below"]
    book = IdBook()
    ids = book.issue(tree)
    return Ids(driver, book, [ids[node.handle] for node in tree.nodes if node.role == "button" and node.onscreen])


async def test_an_id_in_a_row_in_which_nothing_was_changed_needs_no_whole_walk(show: OpenPage) -> None:
    """Z27: what happens elsewhere on the page is no matter."""
    ids = await listed(show)
    await ids.driver.page.evaluate("$('list').children[200].querySelector('i').textContent = 'void'")
    assert isinstance(await ids.resolved(3), Found)
    assert await ids.clicked(3) == ["deleted 3"]


async def test_an_id_in_a_row_that_was_drawn_anew_with_its_own_data_is_known(show: OpenPage) -> None:
    """T2."""
    ids = await listed(show)
    await ids.driver.page.evaluate("draw($('list').children[3], 3)")
    assert await ids.clicked(3) == ["deleted 3"]


async def test_an_id_is_not_taken_for_a_row_that_shows_another_s_data_now(show: OpenPage) -> None:
    """Z2: the button is the same, its row says *open* as before, and it would delete another order."""
    ids = await listed(show)
    await ids.driver.page.evaluate(
        """const li = $('list').children[4]; li.querySelector('b').textContent = 'Order 204';
        li.querySelector('button').onclick = () => said('deleted 204'); 0"""
    )
    assert await ids.clicked(4) == []


async def test_an_id_of_a_row_that_went_is_not_followed_to_one_from_below(show: OpenPage) -> None:
    """T2: below stand others with the same words."""
    ids = await listed(show)
    await ids.driver.page.evaluate("for (const i of [5, 4, 2]) $('list').children[i].remove()")
    assert await ids.clicked(4) == []
    assert await ids.clicked(2) == []
    assert await ids.clicked(3) == ["deleted 3"]


CHANGING = """<div id=host></div><p id=p>One</p><button id=b aria-label=Two>x</button><input id=i value=Three>
<div id=deep></div><label id=l>Four <input></label><select id=s><option>Five<option>Six</select><b id=n>Seven</b>
<button id=by>x</button><div id=shut></div><script>
deep.attachShadow({mode: "open"}).innerHTML = "<button>Eight</button>";
var root = shut.attachShadow({mode: "closed"}); root.innerHTML = "<button>Nine</button>";</script>"""


@pytest.mark.parametrize(
    ("change", "title"),
    [
        ("host.attachShadow({mode: 'open'}).innerHTML = '<button>Found</button>'", "Found"),
        ("host.attachShadow({mode: 'closed'}).innerHTML = '<button>Found</button>'", "Found"),
        ("p.firstChild.data = 'Found'", "Found"),
        ("p.innerHTML = 'Fo<b>und</b>'", "Found"),
        ("b.setAttribute('aria-label', 'Found')", "Found"),
        ("i.value = 'Found'", "Found"),
        ("deep.shadowRoot.querySelector('button').firstChild.data = 'Found'", "Found"),
        ("root.querySelector('button').textContent = 'Found'", "Found"),
        ("s.options[1].textContent = 'Found'", "Found"),
        ("by.setAttribute('aria-labelledby', 'n')", "Seven"),
        ("p.setAttribute('role', 'dialog'), p.setAttribute('aria-label', 'Found')", "Found"),
        ("document.body.append(Object.assign(document.createElement('button'), {title: 'Found'}))", "Found"),
        ("document.body.setHTMLUnsafe('<div><template shadowrootmode=open><button>Found</button></template></div>')", "Found"),
    ],
)  # fmt: skip
async def test_what_was_kept_of_a_page_is_made_anew_when_it_changes(change: str, title: str, show: OpenPage) -> None:
    """Z27: also where nothing of a change is heard but the change itself."""
    driver = await show(CHANGING)
    before = [await driver.computer.candidates(Ax(title=title)) for _ in range(2)]
    await driver.page.evaluate(f"{{ {change}; 0 }}")
    whole = await driver.tree()
    part = await driver.computer.candidates(Ax(title=title))
    assert agrees_with_whole(part, whole, Ax(title=title), IdBook())
    names = [node.name for node in part.nodes] + [node.value for node in part.nodes]
    assert title in names
    assert title == "Seven" or title not in [node.name for tree in before for node in tree.nodes]
    if title == "Seven":
        assert [node.name for node in part.nodes if node.role == "button"] == ["Seven"]
