"""How a message quotes, cuts and names the nearest word, and what blank means. It knows no field and no act."""

from __future__ import annotations

import json
from collections.abc import Iterable

QUOTE_LIMIT = 200  # Z24: characters of a line that an event or a message quotes
VALUE_LIMIT = 60  # a value inside a sentence: enough to recognise it, short enough to read on
WORD_LIMIT = 64  # what is compared with known names: no name is longer, and the comparison stays cheap
NEAR = 60  # of 100, rapidfuzz's ratio: "clik" is near "click", "frobnicate" is near nothing

#: Unicode's White_Space property, spelled out: Python's ``isspace`` also counts the separators U+001C to U+001F.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def is_blank(text: str) -> bool:
    """True where the text is empty or white space alone (W5, W14)."""
    return not text.strip(WHITE_SPACE)


def cut(text: str, limit: int = QUOTE_LIMIT) -> str:
    """The first ``limit`` characters; nothing marks the cut, so that equal lines stay equal."""
    return text[:limit]


def quote(value: object) -> str:
    """A JSON value, compact, on one line, cut with an ellipsis."""
    if isinstance(value, str):
        value = value[: VALUE_LIMIT + 1]
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= VALUE_LIMIT else text[: VALUE_LIMIT - 1] + "…"


def list_words(words: Iterable[str], joiner: str = "or") -> str:
    """``"a", "b" or "c"``."""
    quoted = [f'"{word}"' for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {joiner} {quoted[-1]}"


def nearest(word: str, names: Iterable[str], limit: int = 3) -> list[str]:
    """The known names that look like ``word``, the best first; empty where none does."""
    from rapidfuzz import fuzz, process  # late: a fifth of what `axstream check` takes to start, for a wrong word only

    wanted = word[:WORD_LIMIT].casefold()
    found = process.extract(wanted, list(names), scorer=fuzz.ratio, score_cutoff=NEAR, limit=limit)
    return [name for name, _, _ in found]
