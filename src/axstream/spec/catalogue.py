"""Which acts a line may name, by version and with the embedder's own; decodes and encodes whole lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from axstream.errors import UsageError
from axstream.spec.actions import ACTS, OPERATIONS, Act, Action, Assert, BuiltinAct, Custom, Done, Observe
from axstream.spec.codec import (
    Decoded,
    encode_fields,
    is_risky,
    read_custom,
    read_fields,
)
from axstream.spec.custom import CustomAct
from axstream.spec.fields import example_of, fields_of
from axstream.spec.reading import Reading, Refusal
from axstream.spec.strict_json import JSON, JsonProblem, read_object
from axstream.spec.wording import list_words, nearest, quote

Version = Literal["0.1", "0.2"]
VERSIONS: tuple[Version, ...] = ("0.1", "0.2")


class Catalogue:
    """The acts and operations of one version of the format, with custom acts. Immutable.

    ``spec="0.1"`` refuses the additive acts and fields (N, Z11). Raises ``UsageError`` for an unknown version, for
    custom acts under 0.1, and for two custom acts of one name.
    """

    def __init__(self, *, spec: Version = "0.2", acts: Sequence[CustomAct] = ()) -> None:
        if spec not in VERSIONS:
            raise UsageError(f"there is no axstream-spec {quote(spec)}: give {list_words(VERSIONS)}.")
        if acts and spec == "0.1":
            raise UsageError('acts of your own are not part of axstream-spec 0.1: use spec="0.2".')
        self.spec: Version = spec
        self.additive = spec != "0.1"
        self.custom: Mapping[str, CustomAct] = {act.name: act for act in acts}
        if len(self.custom) != len(acts):
            raise UsageError(f"two acts have one name: {list_words([act.name for act in acts], 'and')}.")
        self.builtin: Mapping[str, type[BuiltinAct]] = {
            act.do: act for act in ACTS if self.additive or act.since == "0.1"
        }
        self.operations: Mapping[str, type[Assert | Observe | Done]] = {
            operation.op: operation for operation in OPERATIONS
        }

    @property
    def acts(self) -> tuple[type[BuiltinAct] | CustomAct, ...]:
        """The acts that a line may name, built-in ones first."""
        return (*self.builtin.values(), *self.custom.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those acts."""
        return (*self.builtin, *self.custom)

    def decode(self, text: str) -> Decoded | Refusal:
        """One line's action, or why it is none. Never raises, whatever the text."""
        line = read_object(text)
        if isinstance(line, JsonProblem):
            return Refusal(line.reason, line.message)
        return self.decode_object(line)

    def decode_object(self, line: Mapping[str, JSON]) -> Decoded | Refusal:
        """The same for a line that was read as an object already."""
        if "op" not in line:
            return Refusal("missing_field", _without_op(line, self.names))
        op = line["op"]
        if not isinstance(op, str):
            return Refusal("unknown_op", f'"op" is {quote(op)}, and must be a string like "click".')
        if op == "act":
            if "do" not in line:
                return Refusal("missing_field", '"do" is missing: name the act, as in {"op":"act","do":"click",…}.')
            return self._decode_act(line["do"], line, shorthand=False)
        if op in self.operations:
            return self._decode_operation(self.operations[op], line)
        if op in self.names or _is_withheld(op):
            return self._decode_act(op, line, shorthand=True)
        return Refusal(
            "unknown_op", f'"op" is {quote(op)}, which is no operation: {self._choose(op, operations=True)}.'
        )

    def encode(self, action: Action) -> dict[str, JSON]:
        """The canonical form: shorthand and aliases resolved, defaults omitted; it decodes to an equal action."""
        if isinstance(action, Custom):
            line: dict[str, JSON] = {"op": "act", "do": action.name}
            line.update(self.custom[action.name].encode(action.args))
        elif isinstance(action, Act):
            line = {"op": "act", "do": action.do, **encode_fields(action)}
        else:
            return {"op": action.op, **encode_fields(action)}
        if action.risk == "risky":
            line["risk"] = "risky"
        return line

    def _decode_act(self, do: JSON, line: Mapping[str, JSON], *, shorthand: bool) -> Decoded | Refusal:
        if not isinstance(do, str):
            return Refusal("unknown_action", f'"do" is {quote(do)}, and must be a string like "click".')
        if do in self.custom:
            return self._decode_custom(self.custom[do], line, shorthand=shorthand)
        if do not in self.builtin:
            if _is_withheld(do):
                return Refusal("unknown_action", f'"{do}" is not part of axstream-spec {self.spec}: use another act.')
            return Refusal("unknown_action", f'"do" is {quote(do)}, which is no act: {self._choose(do)}.')
        struct = self.builtin[do]
        reading = Reading(additive=self.additive, example=example_of(struct, additive=self.additive))
        values = read_fields(struct, line, reading)
        reading.look_alikes(line, shorthand=shorthand)
        reading.ignore(line, ("op", "do", "risk", *(field.name for field in fields_of(struct))))
        refusal = reading.refusal()
        if refusal is not None:
            return refusal
        return Decoded(struct(risk="risky" if is_risky(line) else "safe", **values), tuple(reading.ignored))

    def _decode_custom(self, act: CustomAct, line: Mapping[str, JSON], *, shorthand: bool) -> Decoded | Refusal:
        reading = Reading(additive=True, example=act.example)
        args = read_custom(act, line, reading)
        own = [parameter.name for parameter in act.parameters]
        reading.look_alikes(line, shorthand=shorthand, own=own)
        reading.ignore(line, ("op", "do", "risk", *own))
        refusal = reading.refusal()
        if refusal is not None:
            return refusal
        risky = act.risk == "risky" or is_risky(line)
        return Decoded(Custom(name=act.name, args=args, risk="risky" if risky else "safe"), tuple(reading.ignored))

    def _decode_operation(self, struct: type[Assert | Observe | Done], line: Mapping[str, JSON]) -> Decoded | Refusal:
        reading = Reading(additive=self.additive, example=example_of(struct, additive=self.additive))
        values = read_fields(struct, line, reading)
        reading.ignore(line, ("op", *(field.name for field in fields_of(struct))))
        refusal = reading.refusal()
        if refusal is not None:
            return refusal
        return Decoded(struct(**values), tuple(reading.ignored))

    def _choose(self, word: str, *, operations: bool = False) -> str:
        if not operations and word in self.operations:
            return f'it is an operation, write {{"op":"{word}",…}}'
        names = [*(self.operations if operations else ()), *self.names]
        near = nearest(word, names)
        if near:
            return f"the nearest is {list_words(near)}"
        return f"use one of {', '.join(names)}"


def name_of(action: Action) -> str:
    """The act's name (``click``, ``get_code``) or the operation's (``assert``)."""
    if isinstance(action, Custom):
        return action.name
    if isinstance(action, Act):
        return action.do
    return action.op


def _is_withheld(name: str) -> bool:
    return any(act.do == name and act.since != "0.1" for act in ACTS)


def _without_op(line: Mapping[str, JSON], names: Sequence[str]) -> str:
    """One sentence for a line without ``op``; models often put the act under another key."""
    for value in line.values():
        if isinstance(value, str) and value in names:
            return f'"op" is missing: write {{"op":"{value}",…}}.'
    return '"op" is missing: every line says it, as in {"op":"click",…} or {"op":"observe"}.'
