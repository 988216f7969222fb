"""Acts of the embedder's (N5)."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

import msgspec
import pytest

from axstream.errors import UsageError
from axstream.spec import Catalogue, CustomAct, Decoded, Refusal, name_of
from axstream.spec.actions import Custom
from axstream.spec.grammar import make_grammar
from axstream.spec.manual import manual
from axstream.spec.schema import json_schema


class Address(msgspec.Struct):
    street: str
    number: int = 1


class Chain(msgspec.Struct):
    link: str
    next: Chain | None = None


def get_code(account: str, digits: int = 6, channel: Literal["mail", "phone"] = "mail") -> str:
    """Fetch the login code that was sent.

    The rest is for people.
    """
    return f"{account}:{digits}:{channel}"


async def ship(to: Address, weights: list[float], note: str | None = None, *, count: int = 1) -> None:
    """Ship a parcel."""


CODE = CustomAct.from_function(get_code)
SHIP = CustomAct.from_function(ship, risk="risky")
CATALOGUE = Catalogue(acts=[CODE, SHIP])


def decode(line: str) -> Decoded | Refusal:
    return CATALOGUE.decode(line)


def test_a_line_becomes_the_function_s_arguments() -> None:
    decoded = decode('{"op":"get_code","account":"ada","channel":"phone","zone":1}')
    assert decoded == Decoded(
        Custom(name="get_code", args={"account": "ada", "digits": 6, "channel": "phone"}), ("zone",)
    )
    assert isinstance(decoded, Decoded)
    assert isinstance(decoded.action, Custom)
    assert name_of(decoded.action) == "get_code"
    assert CODE.call(decoded.action.args) == "ada:6:phone"
    assert not CODE.is_async
    assert SHIP.is_async


def test_the_canonical_form_omits_defaults_and_decodes_to_an_equal_action() -> None:
    line = {"op": "act", "do": "get_code", "account": "ada", "digits": 6.0, "risk": "Risky"}
    decoded = CATALOGUE.decode_object(line)
    assert isinstance(decoded, Decoded)
    canonical = CATALOGUE.encode(decoded.action)
    assert canonical == {"op": "act", "do": "get_code", "account": "ada", "risk": "risky"}
    assert CATALOGUE.decode_object(canonical) == decoded


def test_arguments_become_the_types_of_the_function() -> None:
    decoded = decode('{"op":"ship","to":{"street":"High","number":2.0},"weights":[1,2.5],"note":null,"count":2}')
    assert decoded == Decoded(
        Custom(
            name="ship",
            args={"to": Address("High", 2), "weights": [1.0, 2.5], "note": None, "count": 2},
            risk="risky",
        )
    )


def test_a_risky_act_stays_risky_whatever_the_line_says() -> None:  # R3
    decoded = decode('{"op":"ship","to":{"street":"a"},"weights":[],"risk":"safe"}')
    assert isinstance(decoded, Decoded)
    assert isinstance(decoded.action, Custom)
    assert decoded.action.risk == "risky"


def test_a_parameter_may_have_a_look_alike_s_name() -> None:  # Z11: it changes nothing, it is the act's own
    assert isinstance(decode('{"op":"ship","to":{"street":"a"},"weights":[],"count":2}'), Decoded)
    refusal = decode('{"op":"get_code","account":"a","count":2}')
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "bad_field"


@pytest.mark.parametrize(
    ("line", "reason", "part"),
    [
        ('{"op":"get_code"}', "missing_field", '"get_code" needs "account"'),
        ('{"op":"get_code","account":5}', "bad_field", "Expected `str`"),
        ('{"op":"get_code","account":null}', "bad_field", "Expected `str`"),
        ('{"op":"get_code","account":"a","digits":true}', "bad_field", "Expected `int`"),
        ('{"op":"get_code","account":"a","digits":2.5}', "bad_field", "Expected `int`"),
        ('{"op":"get_code","account":"a","channel":"fax"}', "bad_field", "fax"),
        ('{"op":"get_code","account":"a","do":"get_code"}', "bad_field", "shorthand"),
        ('{"op":"ship","to":{"street":"a"},"weights":[1e999]}', "bad_field", "too large"),
        ('{"op":"get_cod","account":"a"}', "unknown_op", '"get_code"'),
        ('{"op":"act","do":"get_cod"}', "unknown_action", '"get_code"'),
    ],
)
def test_arguments_that_do_not_fit_are_refused(line: str, reason: str, part: str) -> None:
    refusal = decode(line)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, part in refusal.message) == (reason, True), refusal


def test_it_joins_schema_grammar_and_manual() -> None:
    schema = json_schema(CATALOGUE)
    assert schema["$defs"]["get_code"]["properties"]["channel"]["anyOf"][0]["enum"] == ["mail", "phone"]
    assert "Address" in schema["$defs"]
    grammars = make_grammar(CATALOGUE)
    assert "get_code" in grammars.gbnf
    assert "get_code" in grammars.lark
    assert '{"op":"get_code","account":"…"}: fetch the login code that was sent\n' in manual(CATALOGUE)
    assert '{"op":"ship","to":{…},"weights":[…]}: ship a parcel\n' in manual(CATALOGUE)


def test_the_example_shows_the_first_choice() -> None:
    def pick(kind: Literal["a", "b"], many: bool) -> None:
        """Pick."""

    assert CustomAct.from_function(pick).example == '{"op":"pick","kind":"a","many":true}'


def test_an_act_whose_arguments_no_grammar_spells_is_left_out_of_the_grammar() -> None:
    def when(at: datetime.datetime) -> None:
        """Say when."""

    def size(width: Annotated[int, msgspec.Meta(ge=1)] = 1) -> None:
        """Say how wide."""

    def pull(chain: Chain) -> None:
        """Pull a chain."""

    catalogue = Catalogue(acts=[CustomAct.from_function(function) for function in (when, size, pull)])
    lark = make_grammar(catalogue).lark
    assert '{\\"op\\":\\"pull\\"' in lark
    assert '\\"when\\"' not in lark
    assert '{\\"op\\":\\"size\\"" ' in lark
    assert "width" not in lark


def undocumented(a: int) -> None: ...


def unannotated(a) -> None:  # type: ignore[no-untyped-def]  # the subject of the test
    """No annotation."""


def variadic(*a: int) -> None:
    """Any number."""


def reserved(risk: int) -> None:
    """A field that every line carries."""


def unreadable(a: Nowhere) -> None:  # type: ignore[name-defined]  # noqa: F821  # the subject of the test
    """An annotation that names nothing."""


def unspeakable(a: complex) -> None:
    """A type that JSON does not carry."""


def mutable(a: list[int] = [1]) -> None:  # noqa: B006  # the subject of the test
    """A default that cannot be shared."""


def click(a: int) -> None:
    """A name that is taken."""


def observe(a: int) -> None:
    """A name that is taken too."""


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (undocumented, "docstring"),
        (unannotated, '"a" of the act "unannotated" has no annotation'),
        (variadic, 'variadic positional argument "a"'),
        (reserved, '"risk", which every line carries'),
        (unreadable, "Nowhere"),
        (unspeakable, "JSON cannot carry"),
        (mutable, "default"),
        (click, '"click" is an act'),
        (observe, '"observe" is an act'),
        (lambda a: a, '"<lambda>" cannot name an act'),
    ],
)
def test_a_function_that_cannot_be_an_act_is_a_usage_error(function: Any, part: str) -> None:
    with pytest.raises(UsageError) as caught:
        CustomAct.from_function(function)
    assert part in str(caught.value)


def test_a_name_may_be_given() -> None:
    assert CustomAct.from_function(click, name="press").name == "press"
    with pytest.raises(UsageError):
        CustomAct.from_function(get_code, name="two words")
    with pytest.raises(UsageError):
        CustomAct.from_function(get_code, name="act")


def test_catalogues_refuse_acts_they_cannot_hold() -> None:
    with pytest.raises(UsageError, match="one name"):
        Catalogue(acts=[CODE, CODE])
    with pytest.raises(UsageError, match="not part of axstream-spec"):
        Catalogue(spec="0.1", acts=[CODE])
