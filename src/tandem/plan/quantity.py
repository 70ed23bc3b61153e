"""A number that can say why: its rule, what it was computed from, and the facts behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tandem.core.errors import InputError
from tandem.core.nearest import nearest

Value = float | int | str | bool | None


@dataclass(frozen=True)
class Quantity:
    """One number of a plan."""

    path: str
    """Dotted name, such as `decode.replicas`."""
    value: Value
    """None when it cannot be known; `rule` then says what is missing."""
    unit: str
    rule: str
    inputs: tuple[str, ...] = ()
    """Paths of the quantities it was computed from."""
    sources: tuple[str, ...] = ()
    """Where the facts in it come from."""


@dataclass
class Book:
    """Collects the quantities of one plan while it is made."""

    quantities: dict[str, Quantity] = field(default_factory=dict)

    def put(
        self,
        path: str,
        value: float,
        unit: str,
        rule: str,
        inputs: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> float:
        """Enters a number and hands it back."""
        self.note(path, value, unit, rule, inputs, sources)
        return value

    def note(
        self,
        path: str,
        value: Value,
        unit: str,
        rule: str,
        inputs: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> None:
        """Enters a value of any kind."""
        self.quantities[path] = Quantity(path, value, unit, rule, tuple(inputs), tuple(s for s in sources if s))


def explain(quantities: Mapping[str, Quantity], path: str) -> list[tuple[int, Quantity]]:
    """The chain of reasons of `path`: (depth, quantity), each quantity once, inputs after what they explain.

    Raises:
        InputError: the plan has no such number.
    """
    if path not in quantities:
        below = [name for name in quantities if name.startswith(f"{path}.")]
        close = nearest(path, quantities)
        hint = f"Below it: {', '.join(below)}." if below else f"Did you mean {close!r}?" if close else ""
        raise InputError(f"the plan has no number {path!r}", fix=hint or "`--explain all` lists them.")
    chain: list[tuple[int, Quantity]] = []
    _walk(quantities, path, 0, chain, set())
    return chain


def _walk(
    quantities: Mapping[str, Quantity], path: str, depth: int, chain: list[tuple[int, Quantity]], seen: set[str]
) -> None:
    if path in seen or path not in quantities:
        return
    seen.add(path)
    chain.append((depth, quantities[path]))
    for name in quantities[path].inputs:
        _walk(quantities, name, depth + 1, chain, seen)
