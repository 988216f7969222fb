"""Which files may be given to a page: the policy's files, folders and globs, held against the file system.

Paths are resolved (links, ``..``) before they are compared, so that no name leads out of what was named. Nothing is
opened or read here, and whether a file that was not named exists is never told.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from axstream.ax.quote import quote
from axstream.errors import ActionDenied, TargetAmbiguous

LISTED = 25  # what a person would scan; more are counted, and found by their names
SEEN_FILES = 5000  # of each named folder, so that naming a whole disk costs a moment; the rest is found by its path
_NAMED_IN_ERRORS = 8
_MAGIC = frozenset("*?[")


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What may be given, by the shortest names that tell it apart, and how much more there is."""

    names: tuple[str, ...]
    more: int = 0


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the policy as it stands in the file system now: a file, a folder, or a glob below ``base``."""

    base: Path
    pattern: tuple[str, ...] = ()  # of a glob; empty for a file or a folder

    def holds(self, path: Path) -> bool:
        """Tell whether a resolved path is this file, lies in this folder, or fits this glob; hidden ones do not."""
        if not self.pattern and self.base.is_file():
            return path == self.base
        try:
            parts = path.relative_to(self.base).parts
        except ValueError:
            return False
        if self.pattern:
            return _fits(parts, self.pattern)
        return not any(part.startswith(".") for part in parts)

    def files(self) -> Iterator[Path]:
        """Yield the regular files, resolved, in the order of their names; links that lead out of it are not."""
        if not self.pattern and self.base.is_file():
            yield self.base
            return
        seen = 0
        for folder, folders, names in os.walk(self.base):
            folders.sort()
            for name in sorted(names):
                path = _resolved(Path(folder) / name)
                if path is not None and path.is_file() and self.holds(path):
                    yield path
            seen += len(names) + len(folders)
            if seen >= SEEN_FILES:
                return


class Uploads:
    """The files that a policy names. ``entries`` that are relative are so to the folder of this moment."""

    def __init__(self, entries: tuple[str, ...]) -> None:
        self._entries = tuple(Path.cwd() / entry for entry in entries)

    def listed(self, *, folders: bool) -> Listing:
        """Return the files that may be given, or with ``folders`` the folders, as names that ``find`` takes."""
        names = list(self._by_name(folders=folders))
        return Listing(names=tuple(names[:LISTED]), more=max(len(names) - LISTED, 0))

    def find(self, name: str, *, folders: bool) -> str:
        """Return the resolved path of a file (with ``folders`` a folder) that may be given, by its name or a path.

        Raises ActionDenied, naming what may be given, where the policy does not name it, whether it exists or not;
        TargetAmbiguous where the name means several.
        """
        known = self._by_name(folders=folders)
        found = {known[name]} if name in known else self._reached(name, folders=folders)
        if not found:  # by its last part alone
            found = {path for path in known.values() if path.name == name}
        if len(found) > 1:
            paths = ", ".join(sorted(quote(str(path), 120) for path in found))
            raise TargetAmbiguous(f"the file name {quote(name, 120)} means several: {paths}; type the whole path")
        if not found:
            raise ActionDenied(
                f"{quote(name, 120)} may not be uploaded, and nothing was chosen; {_named(known, folders)}"
            )
        path = found.pop()
        if folders:
            self._check_all_in(path)
        return str(path)

    # -- names -------------------------------------------------------------------------------------------------------

    def _now(self) -> Iterator[_Named]:
        for entry in self._entries:
            path = _resolved(entry)
            if path is not None:
                yield _Named(base=path)
                continue
            parts = entry.parts
            first = next((at for at, part in enumerate(parts) if _MAGIC & set(part)), None)
            base = _resolved(Path(*parts[:first])) if first is not None else None
            if base is not None and base.is_dir():
                yield _Named(base=base, pattern=parts[first:])

    def _by_name(self, *, folders: bool) -> dict[str, Path]:
        """Return paths by the names that they are shown with: below their folder, or whole where two would be alike."""
        short: dict[Path, str] = {}
        for named in self._now():
            if folders:
                if named.base.is_dir() and not named.pattern:
                    short.setdefault(named.base, named.base.name or str(named.base))
                continue
            for path in named.files():
                short.setdefault(path, path.name if path == named.base else str(path.relative_to(named.base)))
        often = Counter(short.values())
        return {str(path) if often[name] > 1 else name: path for path, name in short.items()}

    def _reached(self, name: str, *, folders: bool) -> set[Path]:
        """Return what a path leads to, from the working folder or from a named one, where the policy names that."""
        entries = list(self._now())
        found = set()
        for start in (Path.cwd(), *(entry.base for entry in entries if entry.base.is_dir())):
            path = _resolved(start / name) if name and "\0" not in name else None
            if path is None or not (path.is_dir() if folders else path.is_file()):
                continue
            if any(entry.holds(path) for entry in entries if not (folders and entry.pattern)):
                found.add(path)
        return found

    def _check_all_in(self, folder: Path) -> None:
        """Raise ActionDenied where a folder holds what the policy does not name: hidden files, links that lead out."""
        entries = [entry for entry in self._now() if not entry.pattern]
        seen = 0
        for at, folders, names in os.walk(folder):
            for name in (*folders, *names):
                path = _resolved(Path(at) / name)
                seen += 1
                if path is None or not any(entry.holds(path) for entry in entries):
                    raise ActionDenied(
                        f"the folder {quote(folder.name, 120)} holds {quote(name, 120)}, hidden or a link that leads out "
                        "of what may be uploaded; nothing was chosen"
                    )
                if seen > SEEN_FILES:
                    raise ActionDenied(f"the folder {quote(folder.name, 120)} holds more than {SEEN_FILES} files")


def _resolved(path: Path) -> Path | None:
    """Return a path with its links and ``..`` followed, None where it leads to nothing."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # not there, a circle of links, a NUL
        return None


def _fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Tell whether the parts of a path fit a glob: ``**`` is any number of folders; ``*`` begins no hidden name."""
    if not pattern:
        return not parts
    head, rest = pattern[0], pattern[1:]
    if head == "**":
        if _fits(parts, rest):
            return True
        return bool(parts) and not parts[0].startswith(".") and _fits(parts[1:], pattern)
    if not parts or (parts[0].startswith(".") and not head.startswith(".")):
        return False
    return fnmatchcase(parts[0], head) and _fits(parts[1:], rest)


def _named(known: dict[str, Path], folders: bool) -> str:
    what = "folder" if folders else "file"
    if not known:
        return f"the policy names no {what} that may be uploaded"
    names = [quote(name, 80) for name in list(known)[:_NAMED_IN_ERRORS]]
    more = f" and {len(known) - len(names)} more" if len(known) > len(names) else ""
    return f"what may be uploaded: {', '.join(names)}{more}"
