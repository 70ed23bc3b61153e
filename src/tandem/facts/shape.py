"""What a key of Ray's or vLLM's configuration takes: kinds, choices and bounds, and whether a value fits.

Both validate with pydantic in its lax mode (https://docs.pydantic.dev/latest/concepts/conversion_table/): text that
reads as a number is a number, `yes` is true. `mismatch` follows those rules, so that it refuses what they would refuse
and nothing else.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_BOUNDS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
_HOLDS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}
_TRUE_FALSE = {"true", "false", "yes", "no", "on", "off", "y", "n", "t", "f", "1", "0"}
_TYPES: dict[str, type] = {"str": str, "dict": Mapping, "list": list, "null": type(None)}
_WORDS = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "list": "a list",
    "dict": "a mapping",
    "null": "null",
}


@dataclass(frozen=True)
class Shape:
    """`kinds` are JSON type names, or `choice:<kind>` for a closed set; `model` names the model of a nested mapping."""

    kinds: frozenset[str]
    choices: tuple[Any, ...] = ()
    bounds: Mapping[str, float] = field(default_factory=dict)
    model: str | None = None
    required: bool = False

    def mismatch(self, value: object) -> bool:
        """True when the pinned release would refuse `value` for its type, its choices or its bounds."""
        if "any" in self.kinds or any(_is(kind, value) for kind in self.kinds - {"int", "float"}):
            return False
        if any(kind.startswith("choice:") for kind in self.kinds) and _in_choices(value, self.choices):
            return False
        number = _number(value, whole="float" not in self.kinds) if self.kinds & {"int", "float"} else None
        return number is None or not self._in_bounds(number)

    def allowed(self) -> str:
        """The kinds, choices and bounds in words."""
        words = [_WORDS[kind] for kind in sorted(self.kinds) if kind in _WORDS]
        words += [", ".join(str(choice) for choice in self.choices)] if self.choices else []
        bounds = " and ".join(f"{sign} {self.bounds[name]:g}" for name, sign in _BOUNDS.items() if name in self.bounds)
        return " or ".join(words) + (f" {bounds}" if bounds else "")

    def _in_bounds(self, number: float) -> bool:
        return all(_HOLDS[name](number, bound) for name, bound in self.bounds.items())


def read_shapes(data: Mapping[str, Any]) -> dict[str, Shape]:
    """Shapes by key from a generated table."""
    return {key: _shape(entry) for key, entry in data.items()}


def _shape(entry: Mapping[str, Any]) -> Shape:
    return Shape(
        kinds=frozenset(entry["kinds"]),
        choices=tuple(entry.get("choices", ())),
        bounds={name: entry[name] for name in _BOUNDS if name in entry},
        model=entry.get("model"),
        required=bool(entry.get("required")),
    )


def _is(kind: str, value: object) -> bool:
    if kind == "bool":
        return _is_bool(value)
    return kind in _TYPES and isinstance(value, _TYPES[kind])


def _is_bool(value: object) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _TRUE_FALSE
    return isinstance(value, (bool, int, float)) and value in (0, 1)


def _in_choices(value: object, choices: tuple[Any, ...]) -> bool:
    return any(value == choice and isinstance(value, type(choice)) for choice in choices)


def _number(value: object, whole: bool) -> float | None:
    if not isinstance(value, (bool, int, float, str)):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return None if whole and not number.is_integer() else number
