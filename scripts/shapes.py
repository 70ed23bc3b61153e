"""Type hints of another package, reduced to what a check needs: kinds, choices, bounds.

Run by the scripts beside it with the Python of the serving environment; nothing here is imported by the package.
"""

import dataclasses
import enum
import json
import types
import typing
from pathlib import Path
from typing import Any

SIMPLE = {bool: "bool", int: "int", float: "float", str: "str", type(None): "null"}
CONTAINERS = {list: "list", tuple: "list", set: "list", dict: "dict", typing.Mapping: "dict"}
BOUNDS = {"ge": "ge", "gt": "gt", "le": "le", "lt": "lt"}


def shape(annotation: Any, metadata: typing.Iterable[Any] = ()) -> dict[str, Any]:
    """Kinds (JSON type names), choices when the type is a closed set, bounds from `annotated-types` metadata."""
    kinds: set[str] = set()
    choices: list[Any] = []
    bounds: dict[str, Any] = {}
    _collect(annotation, kinds, choices, bounds)
    _bounds(metadata, bounds)
    found: dict[str, Any] = {"kinds": sorted(kinds)}
    if choices and "str" not in kinds:
        found["choices"] = choices
    return {**found, **bounds}


def write(path: Path, data: Any) -> None:
    """One entry a line, sorted, so that a change of the pinned release reads as a diff."""
    path.write_text(json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def _collect(annotation: Any, kinds: set[str], choices: list[Any], bounds: dict[str, Any]) -> None:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        _bounds(annotation.__metadata__, bounds)
        _collect(annotation.__origin__, kinds, choices, bounds)
    elif origin in (typing.Union, types.UnionType):
        for part in typing.get_args(annotation):
            _collect(part, kinds, choices, bounds)
    elif origin is typing.Literal:
        choices.extend(typing.get_args(annotation))
        kinds.update("choice:" + SIMPLE[type(value)] for value in typing.get_args(annotation))
    else:
        kinds.add(_kind(annotation, origin, choices))


def _kind(annotation: Any, origin: Any, choices: list[Any]) -> str:
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    kind = CONTAINERS.get(origin or annotation)
    if kind:
        return kind
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        values = [member.value for member in annotation]
        by_value = all(isinstance(value, str) and "." not in value for value in values)
        choices.extend(values if by_value else [member.name for member in annotation])
        return "choice:str"
    if isinstance(annotation, type) and (dataclasses.is_dataclass(annotation) or hasattr(annotation, "model_fields")):
        return "dict"
    return "any"


def _bounds(metadata: typing.Iterable[Any], bounds: dict[str, Any]) -> None:
    for item in metadata:
        for name in BOUNDS:
            value = getattr(item, name, None)
            if value is not None:
                bounds[name] = value
