"""Titles: what makes two of them the same, and how well one serves for another (T4, Z4, Z5). Strings only, no nodes.

A title is compared in its normal form: NFKC, case-folded, white space collapsed, invisible characters out, typographic
quotes and dashes made plain, a trailing ``…``, ``...``, ``:`` or ``*`` off, a mnemonic off. A mnemonic is

* ``&`` before a letter or digit, at the start of a word or before a small letter (``&File``, ``E&xit``; in ``R&D`` it
  is a letter of its own; ``&&`` is a plain ``&``);
* ``(&S)``, ``(_S)``, or ``(S)`` behind a script without spaces (``保存(S)``);
* ``_`` before a letter at the start of a word, where the title has one ``_``, is no file name, and at the very start
  only before a capital (``_File``, ``Save _As``; never ``my_file.txt``, ``_config.yml``, ``_layouts``).

Since ``&`` may be meant, a title with such an ``&`` has two normal forms; two titles are equal where they share one
(a title that is asked for with ``&`` inside a word means that ``&``).

Words: letters, digits and ``_``, and an apostrophe or hyphen between them (``don't``, ``re-send`` and ``1.50`` are one
word each). Scripts written without spaces have no word boundaries to check: there, two characters or more count as
whole words wherever they stand, and edit distance is not used, since each character is nearly a word.

A negation never serves for its positive, either way: below *equal* both titles must hold a negation, or none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from rapidfuzz import fuzz, process

from axstream.ax.quote import visible


class TitleRank(IntEnum):
    """How well a title serves for the one that was asked for; smaller is better."""

    IDENTICAL = 0
    EQUAL = 1  # the same in normal form
    WORDS_AT_START = 2
    WORDS_INSIDE = 3
    CLOSE = 4  # by edit distance


#: Similarity (rapidfuzz ``ratio``, 0..100) from which two titles are close: one letter lost or added in eight or more.
#: ``Setings`` is close to ``Settings`` (93), ``Cancle`` is not close to ``Cancel`` (83).
CLOSE_BAR = 88.0
#: A title, and a word of it that differs, under this length is never close to another (Z5).
MIN_CLOSE = 5
#: Prefixes that turn a word round (Z5, and their kin); a word and its opposite are never close.
NEGATING_PREFIXES = (
    "un",
    "dis",
    "de",
    "in",
    "im",
    "il",
    "ir",
    "non",
    "mis",
    "anti",
    "ent",
    "ne",
    "nie",
    "nicht",
    "dés",
)

#: Words that negate what stands with them, in normal form. Small on purpose: what buttons say, in the languages of
#: most screens. "No" alone is one: ``Thanks`` never finds ``No, thanks``.
_NEGATIONS = (
    # en
    "no not never none nor neither cannot without dont doesnt isnt cant wont arent "
    # de, nl
    "nicht nie niemals kein keine keinen keiner keinem keines nein ohne niet geen nooit nee zonder "
    # fr, es, ca, pt, it, ro
    "ne pas non jamais aucun aucune sans ni sin nunca ningún ninguna não nao nenhum nenhuma sem senza mai nessun "
    "nessuna nu fără "
    # sv, da, nb, fi, et
    "inte ej nej aldrig utan ikke ingen nei aldri uden uten ei älä ilman ära "
    # pl, cs, sk, hr, sl, ru, uk, bg, el
    "bez nigdy nikdy brez не нет без никогда ні никога μη μην δεν χωρίς όχι "
    # hu, tr, id, ms, vi
    "nem nélkül soha değil hayır olmadan jangan tidak tanpa bukan không đừng chưa "
    # he, ar, hi, ko
    "לא אל ללא בלי لا لن لم ليس عدم بدون नहीं मत बिना 안 못 아니오 아니요 없이"
)
NEGATIONS: frozenset[str] = frozenset(unicodedata.normalize("NFKC", _NEGATIONS.casefold()).split())
#: The same for scripts without spaces, and for endings: anywhere in the title. ``別`` is "other" in Japanese unless it
#: leads, ``無料`` is "free of charge".
_NEGATING_PARTS = re.compile(
    r"n't\b|[不未勿无非否沒没]|無(?!料)|^[别別](?!名|の)|ない|ません|なし|せず|ไม่|อย่า|않|없음|없는|마세요|지 마"
)
_FRENCH_ELISION = re.compile(r"\bn'(?=\w)")

#: Thai and Lao, Myanmar, Khmer, kana and Han, the rarer Han: first and last code point.
_SPACELESS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
_HANGUL = ((0x1100, 0x11FF), (0xAC00, 0xD7AF))  # has spaces, but a syllable is no letter
_SIGN = re.compile(r"[^\w\s.,;!?()'\"\-]")  # + is not −, C++ is not C#
_WORD = re.compile(r"\w+(?:['\-]\w+|(?<=\d)[.,]\d+)*")
_AMPERSAND = re.compile(r"(?<!&)&(?!&)(?=[^\W_])")
_AMPERSAND_MNEMONIC = re.compile(r"(?:(?<=^)|(?<=[\s(]))&(?=[^\W_])|(?<=\w)&(?=[^\W\d_A-Z])")
_MEANT_AMPERSAND = re.compile(r"\w&\w")
_PAREN_MNEMONIC = re.compile(r"\s*\([&_][^\W_]\)")
_PAREN_LETTER = re.compile(r"(\S)\s?\([A-Za-z0-9]\)(?=[\s.:*]*$)")
_UNDERSCORE_MNEMONIC = re.compile(r"^_(?=[^\W\d_a-z])|(?<=[\s(])_(?=[^\W\d_])")
_FILE_LIKE = re.compile(r"\w\.\w|/|\\")
_PLAIN = re.compile(r"[ \t\r\n!\"#$%'()*+,\-./0-9:;<=>?@A-Z\[\]^a-z{|}~]*")  # nothing here to fold but case and space
_FOLDS = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ‛′´`", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣", "-"),
    }
)
_PUNCTUATION = re.compile(r"[\s!-/:-@\[-`{-~]+")
_ALIKE_BAR = 70.0
_SUGGESTION_BAR = 55.0  # below this a suggestion is noise
_CACHED_LENGTH = 400  # longer texts are not kept in the cache: they are prose, and seldom met twice


def _is_in(character: str, *ranges: tuple[int, int]) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in ranges)


def _without_tail(text: str) -> str:
    """Take every trailing ``...``, ``:`` and ``*`` off, unless nothing would be left."""
    kept = text
    while True:
        shorter = kept.rstrip(" :*").removesuffix("...")
        if shorter == kept:
            return kept or text
        kept = shorter


def _finish(text: str) -> str:
    """Fold case and compatibility, and take the tail off."""
    text = unicodedata.normalize("NFKC", text.casefold()).translate(_FOLDS)
    text = text.replace("i\u0307", "i")  # what case-folding leaves of the Turkish İ
    return _without_tail(" ".join(text.split()))


def _forms(title: str) -> tuple[str, ...]:
    if _PLAIN.fullmatch(title):
        return (_without_tail(" ".join(title.lower().split())),)
    text = visible(unicodedata.normalize("NFKC", visible(title).translate(_FOLDS)))
    bare = _PAREN_MNEMONIC.sub("", text)
    letter = _PAREN_LETTER.search(bare)
    if letter is not None and _is_in(letter[1], *_SPACELESS, *_HANGUL):
        bare = bare[: letter.end(1)] + bare[letter.end() :]
    if bare.strip():
        text = bare
    if text.count("_") == 1 and not _FILE_LIKE.search(text):
        text = _UNDERSCORE_MNEMONIC.sub("", text)
    plain = _finish(text.replace("&&", "&"))
    if len(_AMPERSAND.findall(text)) != 1:
        return (plain,)
    without = _finish(_AMPERSAND_MNEMONIC.sub("", text).replace("&&", "&"))
    return (plain,) if without == plain else (without, plain)


_cached_forms = lru_cache(maxsize=65536)(_forms)


def forms(title: str) -> tuple[str, ...]:
    """Return the normal forms of a title: one, or two where an ``&`` may be a mnemonic, that without it first."""
    return _cached_forms(title) if len(title) <= _CACHED_LENGTH else _forms(title)


def normalise(title: str) -> str:
    """Return the (first) normal form of a title (T4)."""
    return forms(title)[0]


@lru_cache(maxsize=4096)
def is_negated(normal: str) -> bool:
    """Tell whether a title in normal form holds a negation."""
    if _NEGATING_PARTS.search(normal) or _FRENCH_ELISION.search(normal):
        return True
    return any(word in NEGATIONS for word in _words(normal))


def _words(normal: str) -> list[str]:
    """Return the words of a normal form; combining marks belong to the word that they stand in."""
    if normal.isascii():
        return _WORD.findall(normal)
    marked = "".join("_" if unicodedata.category(character)[0] == "M" else character for character in normal)
    return [normal[match.start() : match.end()] for match in _WORD.finditer(marked)]


def _is_wordly(character: str) -> bool:
    """Tell whether a character is part of a word wherever it stands: a letter, digit, ``_`` or combining mark."""
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _is_inner(text: str, at: int) -> bool:
    """Tell whether a cut before ``text[at]`` would go through a word; the ends of the text never do."""
    if at <= 0 or at >= len(text):
        return False
    before, after = text[at - 1], text[at]
    if _is_wordly(before) and _is_wordly(after):
        # Without spaces there is no telling, but a mark is never cut from its letter.
        spaceless = _is_in(before, *_SPACELESS) or _is_in(after, *_SPACELESS)
        return not spaceless or unicodedata.category(after)[0] == "M"
    if before == "-" and after.isdigit():
        return True  # 5 is not -5
    if _is_wordly(before) and after in "'-.,":
        return at + 1 < len(text) and _joins(before, after, text[at + 1])
    if _is_wordly(after) and before in "'-.,":
        return at > 1 and _joins(text[at - 2], before, after)
    return False


def _joins(before: str, mark: str, after: str) -> bool:
    """Tell whether a mark between two characters holds one word together: ``don't``, ``re-send``, ``1.50``."""
    if mark in ".,":
        return before.isdigit() and after.isdigit()
    return _is_wordly(before) and _is_wordly(after)


def _words_rank(wanted: str, actual: str) -> TitleRank | None:
    """Rank whole words of one normal form inside another."""
    start = actual.find(wanted)
    while start >= 0:
        if not _is_inner(actual, start) and not _is_inner(actual, start + len(wanted)):
            led = any(character.isalnum() for character in actual[:start])
            return TitleRank.WORDS_INSIDE if led else TitleRank.WORDS_AT_START
        start = actual.find(wanted, start + 1)
    return None


def _are_opposites(one: str, other: str) -> bool:
    """Tell whether two words differ by a negating prefix: one has it and the other not, or each has another."""
    stems = {(prefix, one.removeprefix(prefix)) for prefix in NEGATING_PREFIXES if one.startswith(prefix)} | {("", one)}
    others = {(p, other.removeprefix(p)) for p in NEGATING_PREFIXES if other.startswith(p)} | {("", other)}
    return any(
        prefix != other_prefix and fuzz.ratio(stem, other_stem) >= CLOSE_BAR
        for prefix, stem in stems
        for other_prefix, other_stem in others
    )


def _is_close(wanted: str, actual: str) -> bool:
    """Tell whether two normal forms are one typing slip apart, and cannot mean two things (Z5)."""
    if min(len(wanted), len(actual)) < MIN_CLOSE or fuzz.ratio(wanted, actual, score_cutoff=CLOSE_BAR) < CLOSE_BAR:
        return False
    if _SIGN.findall(wanted) != _SIGN.findall(actual):
        return False
    if any(_is_in(character, *_SPACELESS, *_HANGUL) for character in wanted + actual if character > "\u0dff"):
        return False
    words, others = _words(wanted), _words(actual)
    if "".join(words).replace("-", "") == "".join(others).replace("-", ""):
        return not any(character.isdigit() for character in wanted)  # log in / login, e-mail / email
    if len(words) != len(others):
        return False
    return all(
        word == other
        or (
            min(len(word), len(other)) >= MIN_CLOSE
            and word[0] == other[0]  # import / export, increase / decrease
            and not any(character.isdigit() for character in word + other)
            and not _are_opposites(word, other)
        )
        for word, other in zip(words, others, strict=True)
    )


class Wanted:
    """A title that is looked for, prepared once and ranked against many."""

    def __init__(self, title: str) -> None:
        self.title = title
        # Asked for as "r&d" it is no "Rd": inside a word the one who asks means the & that is written.
        self.forms = forms(title)[-1:] if _MEANT_AMPERSAND.search(title) else forms(title)
        self.negated = is_negated(self.forms[0])
        # One character, or none of a word (+, ×, …), is never looked for inside other titles.
        self._parts = tuple(form for form in self.forms if sum(map(str.isalnum, form)) >= 2)
        self._ranks: dict[str, TitleRank | None] = {}

    def rank(self, actual: str, *, close: bool = True) -> TitleRank | None:
        """Rank a title against this one, None where it does not serve; without ``close`` edit distance is left out."""
        if actual == self.title:
            return TitleRank.IDENTICAL
        if actual in self._ranks:
            rank = self._ranks[actual]
        else:
            rank = self._ranks[actual] = self._rank_words(forms(actual))
        if rank is None and close and self._close(forms(actual)):
            return TitleRank.CLOSE
        return rank

    def holds(self, text: str) -> bool:
        """Tell whether a longer text (a row's) holds this title as whole words; negations elsewhere are no matter."""
        return any(_words_rank(part, form) is not None for part in self._parts for form in forms(text))

    def _rank_words(self, actuals: tuple[str, ...]) -> TitleRank | None:
        if not actuals[0]:
            return None
        ranks: list[TitleRank] = []
        for actual in actuals:
            if actual in self.forms:
                return TitleRank.EQUAL
            for part in self._parts:
                if part in actual and (rank := _words_rank(part, actual)) is not None:
                    ranks.append(rank)
        if ranks and is_negated(actuals[0]) == self.negated:
            return min(ranks)
        return None

    def _close(self, actuals: tuple[str, ...]) -> bool:
        return any(
            _is_close(part, actual) and is_negated(actual) == self.negated for part in self._parts for actual in actuals
        )


def rank_title(wanted: str, actual: str) -> TitleRank | None:
    """Rank how well ``actual`` serves for ``wanted``, None where it does not (T4)."""
    return Wanted(wanted).rank(actual)


def needles(title: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a title's normal forms, free of punctuation: what a backend can look for quickly (Z27).

    In each text that the title may rank against without edit distance stand all words of one of them, in their order,
    with nothing but punctuation and white space between them.
    """
    return tuple(
        dict.fromkeys(
            tuple(word for word in _PUNCTUATION.split(form) if word) or (form,) for form in Wanted(title).forms
        )
    )


def nearest_titles(wanted: str, titles: Sequence[str], limit: int = 3) -> list[int]:
    """Return the positions of the titles that look most like one, best first: for suggestions, never for choosing."""
    normal, others = normalise(wanted), [normalise(title) for title in titles]
    found: list[int] = []
    for scorer, bar in ((fuzz.ratio, _ALIKE_BAR), (fuzz.WRatio, _SUGGESTION_BAR)):  # alike as a whole, then in part
        for _, _, position in process.extract(normal, others, scorer=scorer, score_cutoff=bar, limit=limit):
            if position not in found:
                found.append(position)
    return found[:limit]
