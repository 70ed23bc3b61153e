"""YAML text with the line of every key, so that an error can point at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

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
    documents = parse_documents(text, file)
    data = documents[0] if documents else None
    if data is None:
        data = {}
    if not isinstance(data, Mapping):
        problem = Problem(path="", file=file, line=1, found="the top of the file is not a mapping", fix="Write keys.")
        raise InputError(f"{file} is not a spec", problems=[problem])
    return Source(file=file, data=plain(data), lines=dict(key_lines(data)))


def parse_documents(text: str, file: str) -> list[Any]:
    """Every YAML document of a file as ruamel's nodes, which know their lines.

    Raises:
        InputError: the text is not YAML; the line where it stops being so is in the problem.
    """
    try:
        return list(YAML(typ="rt").load_all(StringIO(text)))
    except (YAMLError, ValueError) as error:
        # ruamel raises plain ValueError for a scalar that looks like a date and is none.
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else None
        found = str(getattr(error, "problem", None) or error)
        problem = Problem(path="", file=file, line=line, found=found, fix="Mend the YAML.")
        raise InputError(f"{file} is not valid YAML", problems=[problem]) from error


def key_lines(node: Any, path: KeyPath = ()) -> list[tuple[KeyPath, int]]:
    """The 1-based line of every key and list item below `node`."""
    found: list[tuple[KeyPath, int]] = []
    for key, value, line in _children(node):
        found.append(((*path, key), line + 1))
        found.extend(key_lines(value, (*path, key)))
    return found


def plain(node: Any) -> Any:
    """The same data without ruamel's types, so that nothing downstream depends on the parser."""
    if isinstance(node, Mapping):
        return {str(key): plain(value) for key, value in node.items()}
    if _is_list(node):
        return [plain(value) for value in node]
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node


def _children(node: Any) -> list[tuple[str | int, Any, int]]:
    if isinstance(node, Mapping) and hasattr(node, "lc"):
        return [(str(key), value, _line_of(node, key)) for key, value in node.items()]
    if _is_list(node) and hasattr(node, "lc"):
        return [(index, value, _line_of(node, index)) for index, value in enumerate(node)]
    return []


def _line_of(node: Any, key: Any) -> int:
    """Line of a key or item; what a merge key (`<<`) brings in has none of its own and gets its mapping's."""
    place = (node.lc.data or {}).get(key)
    return int(place[0] if place else node.lc.line or 0)


def _is_list(node: Any) -> bool:
    return isinstance(node, Sequence) and not isinstance(node, (str, bytes))
