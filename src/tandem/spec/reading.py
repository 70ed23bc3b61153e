"""Values out of data that may have any shape: a mapping where one is expected, else an empty one."""

from collections.abc import Iterable, Mapping
from typing import Any

from tandem.spec.source import KeyPath


def mapping(value: object) -> Mapping[str, Any]:
    """`value` when it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> list[Any]:
    """`value` when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def integer(value: object) -> int | None:
    """A whole number, also when written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.strip().lstrip("-").isdigit():
        return int(value)
    return None


def text(value: object) -> str:
    """`value` when it is text, else empty."""
    return value if isinstance(value, str) else ""


def at(data: object, path: Iterable[str | int]) -> Any:
    """The value at `path`, or None when the path is not there."""
    for key in path:
        data = _child(data, key)
    return data


def dotted(path: KeyPath) -> str:
    """`applications.0.args` from its parts."""
    return ".".join(str(part) for part in path)


def _child(data: object, key: str | int) -> Any:
    if isinstance(data, Mapping):
        return data.get(key)
    if isinstance(data, list) and isinstance(key, int) and 0 <= key < len(data):
        return data[key]
    return None
