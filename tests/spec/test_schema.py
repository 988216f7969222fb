"""The JSON Schema and the codec agree on every vector, save for what a schema cannot say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from axstream.spec import Catalogue
from axstream.spec.actions import Action
from axstream.spec.generate import DATA, artefacts, main
from axstream.spec.schema import json_schema

from .strategies import actions

VECTORS = Path(__file__).resolve().parents[2] / "conformance" / "actions"
CASES = [case for file in sorted(VECTORS.glob("*.json")) for case in json.loads(file.read_text())["cases"]]
VALIDATORS = {spec: jsonschema.Draft202012Validator(json_schema(Catalogue(spec=spec))) for spec in ("0.1", "0.2")}

#: Key names, chords and a lone key's blankness are words, not shapes; a result's numbers may stand anywhere in it.
BEYOND_SCHEMA = {
    "actions/fields/key-f25",
    "actions/fields/key-two",
    "actions/fields/key-unknown",
    "actions/fields/key-blank",
    "actions/operations/done-result-infinite",
}


def lines() -> list[Any]:
    marked = []
    for case in CASES:
        event = case["events"][0]
        if event.get("reason") in ("not_json", "duplicate_key"):
            continue
        marked.append(pytest.param(case, event["event"] == "action", id=case["id"]))
    return marked


@pytest.mark.parametrize(("case", "valid"), lines())
def test_the_schema_agrees_with_the_vector(case: dict[str, Any], valid: bool) -> None:
    validator = VALIDATORS[case.get("options", {}).get("spec", "0.2")]
    try:
        line = json.loads(case["input"])
    except ValueError:  # more digits than Python's own reader takes
        return
    assert validator.is_valid(line) == (valid or case["id"] in BEYOND_SCHEMA)


@given(actions())
def test_every_canonical_action_is_valid(action: Action) -> None:
    assert VALIDATORS["0.2"].is_valid(Catalogue().encode(action))


def test_the_schema_is_one() -> None:
    for validator in VALIDATORS.values():
        jsonschema.Draft202012Validator.check_schema(validator.schema)


def test_the_committed_artefacts_are_what_the_catalogue_makes(tmp_path: Path) -> None:
    main([str(tmp_path)])
    for name, text in artefacts().items():
        committed = (DATA / name).read_text(encoding="utf-8")
        assert committed == text, f"run: python -m axstream.spec.generate ({name} differs)"
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_the_artefacts_are_written_where_no_folder_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axstream.spec.generate.DATA", tmp_path / "data")
    main([])
    assert {path.name for path in (tmp_path / "data").iterdir()} == artefacts().keys()


def test_one_command_remakes_them(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "axstream.spec.generate", str(tmp_path)], check=True, timeout=60)
    assert {path.name for path in tmp_path.iterdir()} == artefacts().keys()


def test_the_check_names_what_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"]) == 0
    main([str(tmp_path)])
    (tmp_path / "manual.md").write_text("edited by hand")
    (tmp_path / "axstream.gbnf").unlink()
    monkeypatch.setattr("axstream.spec.generate.DATA", tmp_path)
    assert main(["--check"]) == 1
    assert capsys.readouterr().err == "not what the catalogue makes: axstream.gbnf, manual.md; run: make generate\n"
