"""What starting costs and whether memory grows with the stream: subprocesses, measured from outside."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.table import show

RUNS = 9
HEAVY = ("playwright", "openai", "xllamacpp", "rich")
_PEAK = (
    "import resource, subprocess, sys; "
    "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
_COMMAND = (
    "import sys, io; sys.argv = ['axstream', *{0}]; sys.stdout = io.StringIO()\n"
    "from axstream.cli.main import main\ntry: main()\nexcept SystemExit: pass"
)
LINE = '{"op":"click","target":{"ax":{"role":"button","title":"Save"}}}\n'


#: As an installed package starts: its bytecode is kept, also where this shell asks Python not to.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _median_ms(code: str) -> float:
    times = []
    subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT, capture_output=True)
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=ENVIRONMENT, capture_output=True)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


def _peak_mib(lines: int, folder: Path) -> float:
    file = folder / f"{lines}.txt"
    with file.open("w") as out:
        out.write("```\n")
        for _ in range(lines):
            out.write(LINE)
        out.write("```\n")
    command = [sys.executable, "-m", "axstream", "check", "--json", str(file)]
    shown = subprocess.run([sys.executable, "-c", _PEAK, *command], check=True, capture_output=True, text=True)
    return int(shown.stdout) / 1024


def main() -> None:
    empty = _median_ms("pass")
    core = _median_ms("import msgspec, anyio, rapidfuzz")
    ours = _median_ms("import axstream; axstream.StreamParser, axstream.run")
    bare = _median_ms("import axstream")
    shown = subprocess.run(
        [sys.executable, "-c", "import axstream, sys; axstream.run; print(','.join(sys.modules))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    loaded = [name for name in HEAVY if name in shown.strip().split(",")]
    helped, checked = _median_ms(_COMMAND.format(["--help"])), _median_ms(_COMMAND.format(["check", os.devnull]))
    show(
        (f"start, median ms of {RUNS}", "ms", "less an empty python", "times the core dependencies"),
        [
            ("python -c pass", f"{empty:.0f}", "", ""),
            ("import msgspec, anyio, rapidfuzz", f"{core:.0f}", f"{core - empty:.0f}", "1.00"),
            ("import axstream", f"{bare:.0f}", f"{bare - empty:.0f}", f"{(bare - empty) / (core - empty):.2f}"),
            (
                "import axstream; .run, .StreamParser",
                f"{ours:.0f}",
                f"{ours - empty:.0f}",
                f"{(ours - empty) / (core - empty):.2f}",
            ),
            ("axstream --help", f"{helped:.0f}", f"{helped - empty:.0f}", f"{(helped - empty) / (core - empty):.2f}"),
            ("axstream check", f"{checked:.0f}", f"{checked - empty:.0f}", f"{(checked - empty) / (core - empty):.2f}"),
        ],
    )
    print(f"  of {', '.join(HEAVY)} loaded: {', '.join(loaded) or 'none'}")
    with tempfile.TemporaryDirectory() as name:
        small, large = _peak_mib(10_000, Path(name)), _peak_mib(1_000_000, Path(name))
    show(
        ("axstream check --json", "peak MiB"),
        [("10,000 lines", f"{small:.1f}"), ("1,000,000 lines", f"{large:.1f}")],
    )
