"""Every link of the shipped scene leads to a page of the shipped scene."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from axstream.computer.memory import Element, default_scene
from axstream.computer.memory.pages import find


def _links(elements: tuple[Element, ...]) -> Iterator[str]:
    for element in elements:
        if element.role == "link" and element.url:
            yield element.url
        yield from _links(element.children)


LINKS = sorted({url for page in default_scene().pages for url in _links(page.children)})


def test_there_are_links() -> None:
    assert len(LINKS) >= 4


@pytest.mark.parametrize("url", LINKS)
def test_a_link_of_the_shipped_scene_leads_somewhere(url: str) -> None:
    assert find(default_scene(), url).title != "Page not found"
