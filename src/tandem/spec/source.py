"""YAML text with the line of every key, so that an error can point at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from tandem.core.errors import InputError
from tandem.core.problem import Problem

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Source:
    """A parsed file: its name, its data, and the 1-based line of each path in it."""

    file: str
    data: Any
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int | None:
        """Line of `path`, or of the nearest ancestor that is written in the file."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.lines:
                return self.lines[path[:length]]
        return None


def read_source(text: str, file: str) -> Source:
    """Parses one YAML document.

    Raises:
        InputError: the text is not YAML, or not a mapping at its top.
    """
    data = _parse(text, file)
    if data is None:
        data = {}
    if not isinstance(data, Mapping):
        problem = Problem(path="", file=file, line=1, found="the top of the file is not a mapping", fix="Write keys.")
        raise InputError(f"{file} is not a spec", problems=[problem])
    return Source(file=file, data=_plain(data), lines=dict(_lines(data, ())))


def _parse(text: str, file: str) -> Any:
    try:
        return YAML(typ="rt").load(StringIO(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = Problem(
            path="", file=file, line=mark.line + 1 if mark else None, found=str(error.problem), fix="Mend the YAML."
        )
        raise InputError(f"{file} is not valid YAML", problems=[problem]) from error


def _lines(node: Any, path: KeyPath) -> list[tuple[KeyPath, int]]:
    found: list[tuple[KeyPath, int]] = []
    for key, value, line in _children(node):
        found.append(((*path, key), line + 1))
        found.extend(_lines(value, (*path, key)))
    return found


def _children(node: Any) -> list[tuple[str | int, Any, int]]:
    if isinstance(node, Mapping) and hasattr(node, "lc"):
        return [(key, value, node.lc.key(key)[0]) for key, value in node.items()]
    if _is_list(node) and hasattr(node, "lc"):
        return [(index, value, node.lc.item(index)[0]) for index, value in enumerate(node)]
    return []


def _plain(node: Any) -> Any:
    """The same data without ruamel's types, so that nothing downstream depends on the parser."""
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    if _is_list(node):
        return [_plain(value) for value in node]
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node


def _is_list(node: Any) -> bool:
    return isinstance(node, Sequence) and not isinstance(node, str)
