"""What changed between two outlines, as lines that a model reads, and how to read them (O3). No outline is made here.

::

    ~ screen 1280x800 "Cart (2)" https://shop.example/cart (was "Cart (1)")
    ~ e2 checkbox "Buy milk" checked (was unchecked)
    - dialog "Save changes?" and all in it
    - e7, e9-e11
    after e4, in list "To do":
    +   e13 checkbox "Bread" unchecked
    - "3 items left"
    + "4 items left"

Nothing is lost: ``apply_changes`` makes the new outline's lines out of the old ones and these, exactly. They stand in
the old outline's order. ``~`` is a line that is still there, as it is now; ``-`` lines that went; ``+`` lines that
came, with their own indentation, where the lines right above them went, else after the line that is named. A line is
named by its id, or by how it begins: the first such line from there on, or the one counted (``(2nd)``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from axstream.ax.outline import Outline, tokens
from axstream.errors import UsageError

NOTHING = "nothing changed"
MAX_LINES = 1000  # of either outline: comparing takes longer than linear, 0.1 s here; a default outline has some 400
_MAX_ADDRESS = 60  # characters by which a line without an id is named
_MAX_WAS = 60  # characters of what a line said before; it stands in the old outline in full
_ALL = " and all in it"
_TOP = "at the top:"
_ID = re.compile(r"e\d+(?= |$)")
_IDS = re.compile(r"e\d+(?:-e\d+)?(?:, e\d+(?:-e\d+)?)*")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_WORD = re.compile(rf'(?:{_QUOTED}|[^ "])+|"')
_COUNTED = re.compile(r" \((\d+)(?:st|nd|rd|th)\)$")
_IN = re.compile(rf"((?:{_QUOTED}|[^\"])*?), in ")
_WAS = re.compile(rf"((?:{_QUOTED}|[^\"])*?) \(was .*\)$")
_COUNT = re.compile(r"\d+ (?:elements?|texts?|more)(?:, )?")
_Key = str | tuple[int, str]


def changes(old: Outline, new: Outline) -> str | None:
    """Return what changed from one outline to the next of the same book; ``NOTHING`` where they are equal (O7).

    None where that would not be shorter than the whole new one, by the estimate of tokens.
    """
    if old.text == new.text:
        return NOTHING
    before, after = old.text.split("\n"), new.text.split("\n")
    if max(len(before), len(after)) > MAX_LINES:
        return None
    said = "\n".join(_Writer(before, after).lines())
    return said if tokens(said) < tokens(new.text) else None


def apply_changes(old: str, said: str) -> str:
    """Return the text of the new outline, from the old one's and what ``changes`` said.

    Raises UsageError, quoting the line, where the two do not belong together.
    """
    if said == NOTHING:
        return old
    reader = _Reader(old.split("\n"))
    for line in said.split("\n"):
        reader.read(line)
    return "\n".join(reader.rest())


# -- lines, and how they are named ------------------------------------------------------------------------------------


def _body(line: str) -> str:
    return line.lstrip(" ")


def _depth(line: str) -> int:
    return len(line) - len(_body(line))


def _key(line: str) -> _Key:
    """Return what tells a line from others while what it says changes: its id, what it counts; else the line itself."""
    body = _body(line)
    if found := _ID.match(body):
        return _depth(line), found[0]
    if body.startswith("screen "):
        return _depth(line), "screen"
    if body.startswith("… "):
        return _depth(line), _COUNT.sub("", body)
    return line


def _find(lines: Sequence[str], start: int, matches: Callable[[str], bool], nth: int = 1) -> int:
    """Return the index of the nth line from ``start`` on that matches, -1 for none."""
    for index in range(start, len(lines)):
        if matches(lines[index]):
            nth -= 1
            if nth == 0:
                return index
    return -1


def _begins(address: str) -> Callable[[str], bool]:
    """Return the test whether a line is named by an address."""
    if _ID.fullmatch(address):
        return lambda line: _body(line).startswith(address + " ")
    beginning = address.removesuffix('"').removesuffix("…") if address.endswith(("…", '…"')) else None
    return lambda line: _body(line) == address or (beginning is not None and _body(line).startswith(beginning))


def _locate(lines: Sequence[str], start: int, address: str) -> int:
    counted = _COUNTED.search(address)
    if counted is None:
        return _find(lines, start, _begins(address))
    return _find(lines, start, _begins(address[: counted.start()]), int(counted[1]))


def _locate_changed(lines: Sequence[str], start: int, now: str) -> int:
    """Return the index of the line that says ``now`` by now."""
    return _find(lines, start, lambda line: _key(line) == _key(" " * _depth(line) + now))


def _address(lines: Sequence[str], start: int, index: int) -> str:
    """Name a line so that ``_locate`` finds it from ``start`` on."""
    body = _body(lines[index])
    if found := _ID.match(body):
        return found[0]
    name = body
    if len(body) > _MAX_ADDRESS:
        name = body[:_MAX_ADDRESS]
        name += '…"' if '"' in re.sub(_QUOTED, "", name) else "…"
    if _locate(lines, start, name) == index and not name.endswith(_ALL):
        return name
    nth = sum(map(_begins(name), lines[start : index + 1]))
    return f"{name} ({nth}{_ORDINALS.get(nth % 100 if nth % 100 in (11, 12, 13) else nth % 10, 'th')})"


_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def _end_of(lines: Sequence[str], index: int) -> int:
    """Return the index behind a line and all that stands in it."""
    return _find([*lines, ""], index + 1, lambda line: _depth(line) <= _depth(lines[index]))


def _anchor(said: str) -> str:
    """Return the address out of ``after ADDRESS, in LINE:``."""
    body = said.removeprefix("after ").removesuffix(":")
    found = None if body.startswith(("note: ", "… ")) else _IN.match(body)
    return found[1] if found else body


def _now(said: str) -> str:
    """Return a changed line without what it said before."""
    found = _WAS.match(said)
    return found[1] if found else said


# -- writing ----------------------------------------------------------------------------------------------------------


class _Writer:
    """Says how to come from the lines before to those after. ``at`` is how many of the old ones are dealt with."""

    def __init__(self, before: list[str], after: list[str]) -> None:
        self._old = before
        self._new = after
        self._at = 0

    def lines(self) -> Iterator[str]:
        matcher = SequenceMatcher(None, [*map(_key, self._old)], [*map(_key, self._new)], autojunk=False)
        for kind, first, last, begin, end in matcher.get_opcodes():
            if kind == "equal":
                for index in range(last - first):
                    yield from self._change(first + index, begin + index)
                continue
            yield from self._drop(first, last)
            if begin < end and first == last:
                yield self._place(first, begin)
            yield from (f"+ {line}" for line in self._new[begin:end])

    def _change(self, index: int, position: int) -> Iterator[str]:
        old, new = self._old[index], self._new[position]
        if old == new:
            return
        body, was = _body(new), _was(_body(old), _body(new))
        said = f"{body} (was {was})" if was else body
        if _now(said) == body and _locate_changed(self._old, self._at, body) == index:
            self._at = index + 1
            yield f"~ {said}"
            return
        yield from self._drop(index, index + 1)
        yield f"+ {new}"

    def _drop(self, first: int, last: int) -> Iterator[str]:
        index = first
        while index < last:
            end, start = _end_of(self._old, index), self._at
            if index + 1 < end <= last:
                yield f"- {_address(self._old, start, index)}{_ALL}"
            elif _ID.match(_body(self._old[index])):
                end = index + 1
                while end < last and _ID.match(_body(self._old[end])) and _end_of(self._old, end) == end + 1:
                    end += 1
                yield f"- {_ranges([_address(self._old, start, each) for each in range(index, end)])}"
            else:
                end = index + 1
                yield f"- {_address(self._old, start, index)}"
            index = self._at = end

    def _place(self, index: int, position: int) -> str:
        """Say after what, and in what, the new lines at ``position`` come that stand behind the old line ``index``."""
        if index == 0:
            return _TOP
        start = max(self._at - 1, 0)
        address = _address(self._old, start, index - 1)
        self._at = index
        depth = _depth(self._new[position])
        around = next((line for line in reversed(self._new[:position]) if _depth(line) < depth), None)
        if around is not None and _key(around) != _key(self._old[index - 1]):
            within = _address([around], 0, 0)
            said = f"after {address}, in {within}:"
            if _anchor(said) == address:
                return said
        return f"after {address}:"


def _was(old: str, new: str) -> str:
    """Return the words of an old line that the new one does not have in their place, cut."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    words = " ".join(before[first : len(before) - last])
    return words if len(words) <= _MAX_WAS else words[:_MAX_WAS] + "…"


def _ranges(ids: list[str]) -> str:
    """Join ids that follow one another: three or more in a row of numbers as a range."""
    said: list[str] = []
    index = 0
    while index < len(ids):
        end = index
        while end + 1 < len(ids) and int(ids[end + 1][1:]) == int(ids[end][1:]) + 1:
            end += 1
        if end - index < 2:
            end = index
        said.append(ids[index] if end == index else f"{ids[index]}-{ids[end]}")
        index = end + 1
    return ", ".join(said)


# -- reading ----------------------------------------------------------------------------------------------------------


class _Reader:
    """Makes the new lines, one line of what was said after the other."""

    def __init__(self, lines: list[str]) -> None:
        self._old = lines
        self._at = 0
        self._made: list[str] = []

    def read(self, said: str) -> None:
        if said.startswith("+ "):
            self._made.append(said[2:])
        elif said.startswith("~ "):
            now = _now(said[2:])
            index = self._found(_locate_changed(self._old, self._at, now), said)
            self._keep(index)
            self._made.append(" " * _depth(self._old[index]) + now)
            self._at = index + 1
        elif said.startswith("- "):
            self._drop(said)
        elif said != _TOP:
            self._keep(self._found(_locate(self._old, max(self._at - 1, 0), _anchor(said)), said) + 1)

    def _drop(self, said: str) -> None:
        address = said[2:]
        whole = address.removesuffix(_ALL)
        if _IDS.fullmatch(address):
            for part in address.split(", "):
                first, _, last = part.partition("-")
                begin = self._found(_locate(self._old, self._at, first), said)
                self._keep(begin)
                self._at = self._found(_locate(self._old, begin, last or first), said) + 1
            return
        index = self._found(_locate(self._old, self._at, whole), said)
        self._keep(index)
        self._at = index + 1 if whole == address else _end_of(self._old, index)

    def _keep(self, end: int) -> None:
        self._made += self._old[self._at : end]
        self._at = max(self._at, end)

    def _found(self, index: int, said: str) -> int:
        if index < 0:
            raise UsageError(f"these changes are of another outline: nothing in it fits {said!r}")
        return index

    def rest(self) -> list[str]:
        return [*self._made, *self._old[self._at :]]
