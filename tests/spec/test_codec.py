"""Lines to actions and back (W6, W11-W14, A, N, Z10, Z11, Z24); the vectors hold most of it, this holds the rest."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axstream.errors import UsageError
from axstream.spec import Catalogue, Decoded, Refusal, name_of
from axstream.spec.actions import ACTS, OPERATIONS, Action, Click, Done, Key, Observe, Type, Wait
from axstream.spec.fields import example_of
from axstream.spec.targets import Ax, AxTarget, PointTarget, describe_ax, describe_target

from .strategies import actions

CATALOGUE = Catalogue()
OLD = Catalogue(spec="0.1")


def refused(line: str, catalogue: Catalogue = CATALOGUE) -> Refusal:
    refusal = catalogue.decode(line)
    assert isinstance(refusal, Refusal), refusal
    return refusal


def decoded(line: str, catalogue: Catalogue = CATALOGUE) -> Action:
    result = catalogue.decode(line)
    assert isinstance(result, Decoded), result
    return result.action


@given(actions())
def test_what_is_encoded_decodes_to_an_equal_action(action: Action) -> None:
    line = json.dumps(CATALOGUE.encode(action), ensure_ascii=False)
    assert CATALOGUE.decode(line) == Decoded(action)


@given(actions())
def test_the_shorthand_decodes_to_the_same_action(action: Action) -> None:  # W13
    line = CATALOGUE.encode(action)
    if "do" in line:
        line["op"] = line.pop("do")
    assert CATALOGUE.decode(json.dumps(line)) == Decoded(action)


@given(st.text() | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(repr))
def test_any_text_is_decoded_or_refused_with_one_line(text: str) -> None:
    result = CATALOGUE.decode(text)
    if isinstance(result, Refusal):
        assert result.message
        assert "\n" not in result.message
        result.message.encode()


@given(
    st.dictionaries(
        st.sampled_from(("op", "do", "target", "text", "keys", "ms", "clicks", "direction", "status", "from", "risk")),
        st.sampled_from(
            ("act", "click", "type", "key", "scroll", "drag", "done", "x", "", None, True, 5, 1e300, [], {})
        ),
    )
)
def test_any_object_of_known_names_is_decoded_or_refused(line: dict[str, object]) -> None:
    result = CATALOGUE.decode(json.dumps(line))
    if isinstance(result, Decoded):
        assert CATALOGUE.decode(json.dumps(CATALOGUE.encode(result.action))) == Decoded(result.action)


@pytest.mark.parametrize("struct", [*ACTS, *OPERATIONS])
def test_every_example_is_valid(struct: type) -> None:
    assert isinstance(decoded(example_of(struct)), struct)


@pytest.mark.parametrize("struct", [*(act for act in ACTS if act.since == "0.1"), *OPERATIONS])
def test_every_example_of_01_is_valid_in_01(struct: type) -> None:
    assert isinstance(decoded(example_of(struct, additive=False), OLD), struct)


def test_numbers_stay_whole_in_canonical_form() -> None:
    action = decoded('{"op":"click","target":{"x":420,"y":3.5}}')
    assert json.dumps(CATALOGUE.encode(action)) == '{"op": "act", "do": "click", "target": {"x": 420, "y": 3.5}}'


def test_integers_beyond_64_bits_become_doubles() -> None:  # W14: what every writer below can write
    action = decoded(f'{{"op":"done","status":"success","result":[{2**63 - 1},{2**63},{10**30}]}}')
    assert isinstance(action, Done)
    assert action.result == [2**63 - 1, float(2**63), 1e30]
    assert [type(number) for number in action.result] == [int, float, float]


def test_names_are_those_of_the_lines() -> None:
    assert name_of(Observe()) == "observe"
    assert name_of(Wait(ms=1)) == "wait"


def test_targets_are_described_in_a_few_words() -> None:
    assert describe_ax(Ax(role="button", title="Save", id="e1")) == 'button "Save" (e1)'
    assert describe_target(AxTarget(Ax(id="e1", within=Ax(title="Bob")))) == 'e1 within "Bob"'
    assert describe_target(PointTarget(1.5, 2)) == "the point 1.5,2"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("hello there", "put other text before the fence"),
        ("```json", "exactly three backticks"),
        ("// look", "comments"),
        ("{'op':'observe'}", "double quotes"),
        ("{op:1}", "double quotes"),
        ('{"op":"observe"} {"op":"observe"}', "one action a line"),
        ('{"op":"observe"};', 'after the object stands ";"'),
        ('{"op":"observe"', "not complete"),
        ('{"op":"observe', "not complete"),
        ('{"op":"type","text":"a\tb"}', "raw control character"),
        ('{"op":"observe",}', "trailing commas"),
        ('{"op":5}', '"op" is 5'),
        ('{"op":"clik"}', 'the nearest is "click"'),
        ('{"op":"frobnicate"}', "use one of assert, observe, done, click"),
        ('{"op":"act","do":"frobnicate"}', "use one of click"),
        ('{"op":"act","do":"rightclick"}', 'the nearest is "right_click"'),
        ('{"op":"act","do":"observe"}', 'write {"op":"observe",…}'),
        ('{"action":"click"}', 'write {"op":"click",…}'),
        ('{"x":1}', "every line says it"),
        ('{"op":"type","txt":"x"}', '("txt" is no field)'),
        ('{"op":"click","target":"e12"}', '{"ax":{"id":"e12"}}'),
        ('{"op":"click","target":"Save"}', '{"ax":{"title":"Save"}}'),
        ('{"op":"click","target":5}', '{"ax":{"role":"button","title":"Save"}}'),
        ('{"op":"click","target":{"role":"link","title":"Home"}}', '{"ax":{"role":"link","title":"Home"}}'),
        ('{"op":"click","target":{"y":5}}', '"target.x" is missing'),
        ('{"op":"click","target":{"ax":{"title":"a"},"selector":"#a"}}', '"target.selector" is no field'),
        ('{"op":"click","target":{"ax":{"title":"a","nth":2}}}', '"within" or "id"'),
        ('{"op":"click","count":2,"target":{"x":1,"y":2}}', "double_click"),
        ('{"op":"open","target":{"ax":{"title":"Notes"}}}', '{"op":"open","target":"Notes"}'),
        ('{"op":"wait","ms":"300"}', '"ms" is "300"'),
        ('{"op":"scroll","direction":"Down"}', '"up", "down", "left" or "right"'),
        ('{"op":"type","text":"\\u0007"}', "U+0007"),
        ('{"op":"key","keys":5}', 'a list of key names, as in ["cmd","s"]'),
    ],
)
def test_a_refusal_says_how_to_mend_the_line(line: str, part: str) -> None:  # W6
    message = refused(line).message
    assert part in message
    assert message.endswith(".")


def test_a_refusal_quotes_long_values_cut() -> None:
    assert len(refused(json.dumps({"op": "x" * 100_000})).message) < 400
    assert len(refused(json.dumps(["x"] * 100_000)).message) < 400
    assert len(refused(json.dumps({"op": "key", "keys": ["x" * 100_000]})).message) < 400


def test_refusals_of_01_teach_nothing_of_02() -> None:  # Z11
    assert "target" not in refused('{"op":"type"}', OLD).message
    assert "axstream-spec 0.1" in refused('{"op":"drag"}', OLD).message
    assert "axstream-spec 0.1" in refused('{"op":"done","status":"success","result":null}', OLD).message


def test_a_surrogate_in_the_text_is_not_json() -> None:  # Z24
    assert refused('{"op":"type","text":"\ud800"}').reason == "not_json"


def test_the_catalogue_lists_what_it_allows() -> None:
    assert CATALOGUE.acts == ACTS
    assert "right_click" not in OLD.names
    assert OLD.spec == "0.1"


def test_an_unknown_version_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r'"0.1" or "0.2"'):
        Catalogue(spec="0.3")  # type: ignore[arg-type]


def test_cautious_defaults_of_fields() -> None:
    assert decoded('{"op":"type","text":"a","clear":null}') == Type(text="a")
    assert decoded('{"op":"key","keys":"esc"}') == Key(keys=("escape",))
    assert decoded('{"op":"click","target":{"x":1,"y":2},"risk":[1]}') == Click(target=PointTarget(1, 2), risk="risky")
