"""Claims about names of models: which open what, and what a wrong one is told."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from axstream.errors import UsageError
from axstream.models import registry
from axstream.models.base import Model
from axstream.models.registry import open_model
from axstream.models.script import ScriptModel


def test_every_built_in_model_keeps_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    for model in (open_model(f"script:{tmp_path}/a.txt"), open_model("openai:tiny", base_url="http://localhost:1/v1")):
        assert isinstance(model, Model)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("opanai:tiny", "there is no model 'opanai'; did you mean openai? (local, openai, script)"),
        ("Script:a", "did you mean script?"),
        (
            "qwen3:8b",
            "there is no model 'qwen3'; there are local, openai, script (a model on a server is openai:qwen3:8b)",
        ),
        ("", "there is no model ''"),
    ],
)
def test_an_unknown_model_names_the_nearest(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(spec)
    assert message in str(caught.value)


def test_a_file_by_itself_is_told_about_script(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    with pytest.raises(UsageError, match="a recorded answer is script:"):
        open_model(str(tmp_path / "a.txt"))


def test_options_of_another_model_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="a pace is for script:FILE"):
        open_model("openai:tiny", pace=75)
    with pytest.raises(UsageError, match="script has none"):
        open_model("script:a.txt", base_url="http://localhost:1/v1")


OPENED: list[object] = []


def open_fake(argument: str, **options: object) -> Model:
    OPENED.append((argument, options))
    return ScriptModel(["one"])


def test_an_entry_point_adds_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint(name="mine", value=f"{__name__}:open_fake", group=registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [entry] if group == registry.GROUP else [])
    assert isinstance(open_model("mine:big:one", base_url="http://h/v1", seed=3, temperature=0.5), ScriptModel)
    assert OPENED == [("big:one", {"base_url": "http://h/v1", "seed": 3, "temperature": 0.5})]
    with pytest.raises(UsageError, match="did you mean mine"):
        open_model("mnie:x")


def test_opening_a_model_imports_no_extra() -> None:
    program = (
        "import sys; from axstream.models.registry import open_model; "
        "open_model('openai:tiny', base_url='http://localhost:1/v1'); "
        "print([m for m in ('openai', 'httpx2', 'pydantic', 'xllamacpp', 'playwright') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
