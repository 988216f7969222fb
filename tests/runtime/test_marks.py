"""Marks on a picture: where labels stand, what is drawn and what never is (item 1 of the browser, R6)."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import axstream as ax
from axstream.ax import Box, IdBook, Surface, Tree, outline
from axstream.errors import UsageError
from axstream.runtime.marks import COLOURS, DISABLED, Mark, draw_marks, marks_of, place_labels
from tests.ax.trees import n, tree

SIZE = (600, 400)


def opened(picture: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(picture))
    assert image.format == "PNG"
    return image.convert("RGB")


def hexed(image: Image.Image, x: int, y: int) -> str:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return "#" + "".join(f"{int(part):02x}" for part in pixel[:3])


def screen(*branches: object) -> Tree:
    return tree(*branches, surface=Surface(width=SIZE[0], height=SIZE[1], title="Test"))  # type: ignore[arg-type]


def blank(scale: int = 1) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (SIZE[0] * scale, SIZE[1] * scale), "white").save(out, "PNG")
    return out.getvalue()


def mark(number: str, x: float, y: float, **more: object) -> Mark:
    return Mark(id=number, box=Box(x, y, 100, 40), kind=more.pop("kind", "button"), **more)  # type: ignore[arg-type]


def test_each_shown_element_gets_a_mark_with_its_id_and_kind() -> None:
    def box(row: int) -> Box:
        return Box(50, 20 + 40 * row, 100, 20)

    book = IdBook()
    seen_tree = screen(
        n("a", "button", "Go", box=box(0)),
        n("b", "link", "Home", box=box(1), covered=True),
        n("c", "textbox", "City", box=box(2), editable=True, enabled=False),
        n("d", "checkbox", "Agree", box=box(3)),
        n("t", "text", "not to be acted on", box=box(4)),
        n("e", "generic", "Area", box=box(5), interactive=True),
        n("f", "tab", "General", box=box(6)),
        n("g", "button", "Below", box=Box(0, 900, 9, 9), onscreen=False),
        n("h", "button", "Somewhere"),
    )
    seen = outline(seen_tree, book)
    marks = marks_of(seen_tree, seen, book)
    assert [(one.id, one.kind) for one in marks] == [
        *(("e1", "button"), ("e2", "link"), ("e3", "field"), ("e4", "choice"), ("e5", "other"), ("e6", "choice")),
    ]
    assert [one.id for one in marks if one.covered] == ["e2"]
    assert [one.id for one in marks if one.disabled] == ["e3"]


def test_a_mark_is_a_box_and_a_label_in_the_colour_of_its_kind() -> None:
    marks = [mark("e1", 100, 100), mark("e2", 300, 100, kind="link"), mark("e3", 100, 300, disabled=True)]
    image = opened(draw_marks(blank(), screen(), marks))
    assert image.size == SIZE
    for one, colour in zip(marks, (COLOURS["button"], COLOURS["link"], DISABLED), strict=True):
        x, y = round(one.box.x), round(one.box.y)
        assert hexed(image, x, y + 20) == colour
        assert hexed(image, x + 1, y - 2) == colour  # the label's ground, above its corner
        assert hexed(image, x + 50, y + 20) == "#ffffff"  # the element itself can be seen


def test_a_covered_element_has_a_broken_line_and_an_empty_label() -> None:
    image = opened(draw_marks(blank(), screen(), [mark("e1", 100, 100, covered=True)]))
    edge = {hexed(image, x, 100) for x in range(120, 200)}
    assert edge == {COLOURS["button"], "#ffffff"}
    assert hexed(image, 101, 98) == "#ffffff"


def test_a_picture_of_more_pixels_is_marked_in_its_own() -> None:
    image = opened(draw_marks(blank(2), screen(), [mark("e1", 100, 100)]))
    assert image.size == (1200, 800)
    assert hexed(image, 200, 240) == COLOURS["button"]
    assert hexed(image, 100, 120) == "#ffffff"


def test_labels_of_neighbours_do_not_cover_one_another() -> None:
    boxes = [(float(x), float(y), x + 60.0, y + 18.0) for x in range(50, 500, 62) for y in range(50, 350, 20)]
    placed = place_labels(boxes, [(24.0, 16.0)] * len(boxes), SIZE)
    assert len(placed) == len(boxes)
    assert not [(a, b) for i, a in enumerate(placed) for b in placed[i + 1 :] if shared(a, b) > 0]


def shared(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)


@given(
    st.lists(st.tuples(st.floats(-900, 900), st.floats(-900, 900), st.floats(0, 900), st.floats(0, 900)), max_size=20)
)
def test_every_mark_can_be_drawn_and_no_label_leaves_the_picture(boxes: list[tuple[float, ...]]) -> None:
    marks = [Mark(id=f"e{i}", box=Box(*box), kind="other", covered=i % 2 == 0) for i, box in enumerate(boxes)]
    assert opened(draw_marks(blank(), screen(), marks)).size == SIZE
    inside = [(x, y, x + w, y + h) for x, y, w, h in boxes if 0 <= x < 500 and 0 <= y < 300]
    for left, top, right, bottom in place_labels(inside, [(30.0, 16.0)] * len(inside), SIZE):
        assert (left >= 0, top >= 0, right < SIZE[0], bottom < SIZE[1]) == (True,) * 4


def test_without_a_picture_names_are_written_and_values_are_not() -> None:
    """R6: what stands in a field is not drawn from the tree."""
    field = n("f", "textbox", "", value="hunter2", box=Box(20, 100, 200, 30), password=True)
    words = n(
        "d", "alertdialog", "", n("w", "text", "Leave?", box=Box(20, 20, 200, 30)), field, box=Box(0, 0, 600, 200)
    )
    image = opened(draw_marks(None, screen(words), []))
    assert len({hexed(image, x, y) for x in range(20, 200) for y in range(20, 50)}) > 1
    assert {hexed(image, x, y) for x in range(0, 600, 2) for y in range(60, 200, 2)} == {"#ffffff"}


async def test_a_computer_without_a_picture_says_so() -> None:
    async with ax.memory() as screen:
        for options in ({"screenshot": True}, {"marks": True}):
            with pytest.raises(UsageError, match="the memory computer has no picture"):
                await ax.observe(screen, **options)
        assert (await ax.observe(screen)).picture is None
