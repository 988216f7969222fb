"""The scene format's documents are those of the code: schema, table of keys, examples."""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import msgspec
import pytest

from axstream.computer.memory import parse_scene, scene_schema
from axstream.computer.memory.scene import VERBS, App, Element, Page, Scene, SetState
from tests.computer.memory.scene_fixture import SCENE

DOCS = Path(__file__).parents[3] / "docs"
DEFAULT = Path(str(files("axstream").joinpath("data", "scenes", "default.json")))


def test_committed_schema_is_the_generated_one() -> None:
    """Run with AXSTREAM_REGENERATE=1 to write it."""
    committed = DOCS / "scene.schema.json"
    text = json.dumps(scene_schema(), indent=2, sort_keys=True) + "\n"
    if os.environ.get("AXSTREAM_REGENERATE"):
        committed.write_text(text, encoding="utf-8")
    assert committed.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("scene", [DEFAULT, SCENE], ids=["default", "contract"])
def test_schema_accepts_the_scenes(scene: Path) -> None:
    jsonschema.validate(json.loads(scene.read_text(encoding="utf-8")), scene_schema())


def test_schema_refuses_what_the_loader_refuses() -> None:
    for screen in ([{"role": "buton"}], [{"role": "button", "on_click": [{"show": "a", "hide": "a"}]}], [{}]):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"screen": screen}, scene_schema())


def test_document_names_every_key_and_verb() -> None:
    text = (DOCS / "scenes.md").read_text(encoding="utf-8")
    names = {
        field.encode_name for kind in (Scene, App, Element, Page, SetState) for field in msgspec.structs.fields(kind)
    }
    missing = [
        name for name in sorted(names | {*VERBS, "after_ms"}) if not re.search(rf'[`"]{re.escape(name)}[`"]', text)
    ]
    assert missing == []


def test_documented_scene_runs() -> None:
    text = (DOCS / "scenes.md").read_text(encoding="utf-8")
    example = re.search(r"```json\n(\{\n.*?\n\})\n```", text, re.DOTALL)
    assert example is not None
    assert parse_scene(example[1]).screen[0].name == "Shop"
