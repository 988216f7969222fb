"""What starting the command loads: nothing of the extras on the light paths. Counted in modules, never timed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import environment

EXTRAS = ("playwright", "openai", "xllamacpp", "rich", "jsonschema", "httpx", "pydantic")
LIGHT = ("msgspec", "anyio", "rapidfuzz", "axstream", "sniffio", "idna", "typing_extensions")

PROBE = """
import json, sys
before = set(sys.modules)
from axstream.cli.main import main
main(json.loads(sys.argv[1]))
loaded = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
sys.stderr.write("\\n" + json.dumps([loaded, sorted(name for name in sys.modules if name.startswith("axstream."))]))
"""


def loaded(*words: str, stdin: bytes = b"") -> tuple[set[str], set[str]]:
    """Return the top-level packages that a command loaded, and the modules of axstream."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(words)],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=True,
        env=environment(),
    )
    packages, own = json.loads(done.stderr.decode().splitlines()[-1])
    return set(packages), set(own)


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), ("check",), ("check", "--json"), ("exec", "--help"), ("spec", "schema"), ("rum",)],
)
def test_the_light_paths_load_no_extra(words: tuple[str, ...]) -> None:
    packages, _ = loaded(*words, stdin=b'hi\n```\n{"op":"key","keys":"ctrl+s"}\n```\n')
    assert not packages.intersection(EXTRAS)
    foreign = {name for name in packages - set(sys.stdlib_module_names) if not name.startswith(("_cython", "cython"))}
    assert foreign <= set(LIGHT)


def test_help_loads_no_floor_but_errors() -> None:
    _, own = loaded("--help")
    assert {name.split(".")[1] for name in own} == {"cli", "errors"}


def test_check_loads_no_event_loop_and_no_computer() -> None:
    packages, own = loaded("check", stdin=b"hi\n")
    assert "asyncio" not in packages
    assert "anyio" not in packages
    assert not {name.split(".")[1] for name in own} & {"computer", "models", "runtime", "policy", "ax"}
