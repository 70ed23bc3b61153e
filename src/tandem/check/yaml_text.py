"""Edits on YAML as text: only the touched lines change, so comments, quotes, order and indentation stay as they were.

ruamel's nodes say where each key and value stands. An edit that has no place in the text (its parent is a list, say)
gives None.
"""

import json
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from tandem.spec.source import KeyPath

_PLAIN = re.compile(r"[A-Za-z_./][\w./@^-]*")
_RESERVED = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"}


def put(text: str, path: KeyPath, value: Any, index: int = 0) -> str | None:
    """Sets the value at `path`, or adds it with the mappings that are missing above it."""
    root = _root(text, index)
    node, depth = _deepest(root, path)
    if depth == len(path):
        return _replace(text, root, path, _inline(value))
    missing: Any = value
    for key in reversed(path[depth + 1 :]):
        missing = {key: missing}
    return _add(text, root, node, path[: depth + 1], missing)


def drop(text: str, path: KeyPath, index: int = 0) -> str | None:
    """Removes the key or list item at `path`."""
    entry = _entry(_root(text, index), path)
    return None if entry is None else _without(text, *entry)


def move(text: str, path: KeyPath, to: KeyPath, data: Any, index: int = 0) -> str | None:
    """Takes the key at `path` to `to`. `data` is its plain value, for a place where the text cannot go as it is."""
    root = _root(text, index)
    entry = _entry(root, path)
    if entry is None or not isinstance(entry[0], MappingNode):
        return None
    if path[:-1] == to[:-1]:
        key = entry[0].value[entry[1]][0]
        return text[: key.start_mark.index] + _inline(str(to[-1])) + text[key.end_mark.index :]
    lines = None if entry[0].flow_style else _entry_lines(text, *entry)
    without = _without(text, *entry)
    if lines is None:
        return put(without, to, data, index)
    return _insert_lines(without, to, [_renamed(lines[0], to[-1]), *lines[1:]], data, index)


def _root(text: str, index: int) -> Node:
    nodes: list[Node] = list(YAML(typ="rt").compose_all(text))
    return nodes[index]


def _child(node: Node, key: str | int) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for name, value in node.value if name.value == str(key)), None)
    if isinstance(node, SequenceNode) and isinstance(key, int) and key < len(node.value):
        child: Node = node.value[key]
        return child
    return None


def _deepest(root: Node, path: KeyPath) -> tuple[Node, int]:
    """The last node on `path` that exists, and how many keys lead to it."""
    node = root
    for depth, key in enumerate(path):
        child = _child(node, key)
        if child is None:
            return node, depth
        node = child
    return node, len(path)


def _entry(root: Node, path: KeyPath) -> tuple[MappingNode | SequenceNode, int] | None:
    """The collection that holds the last key of `path`, and the position of the key in it."""
    parent, depth = _deepest(root, path[:-1])
    if depth < len(path) - 1:
        return None
    if isinstance(parent, MappingNode):
        names = [name.value for name, _ in parent.value]
        return (parent, names.index(str(path[-1]))) if str(path[-1]) in names else None
    if isinstance(parent, SequenceNode) and isinstance(path[-1], int) and path[-1] < len(parent.value):
        return parent, path[-1]
    return None


def _replace(text: str, root: Node, path: KeyPath, rendered: str) -> str | None:
    entry = _entry(root, path)
    if entry is None:
        return None
    parent, position = entry
    value = parent.value[position][1] if isinstance(parent, MappingNode) else parent.value[position]
    start, end = value.start_mark.index, _end(text, value)
    if isinstance(parent, MappingNode):
        colon = text.index(":", parent.value[position][0].end_mark.index) + 1
        if value.start_mark.index == value.end_mark.index:
            # No value is written: the mark of the empty one lies behind the line.
            return text[:colon] + " " + rendered + text[colon:]
        if _is_block(value):
            return text[:colon] + " " + rendered + text[end:]
    return text[:start] + rendered + text[end:]


def _add(text: str, root: Node, node: Node, path: KeyPath, value: Any) -> str | None:
    if isinstance(node, MappingNode) and node.value and not node.flow_style:
        indent = node.value[0][0].start_mark.column
        lines = [" " * indent + line for line in _block(str(path[-1]), value)]
        return _after_last(text, node, lines)
    if isinstance(node, MappingNode):
        return _add_to_flow(text, node, str(path[-1]), value)
    if isinstance(node, ScalarNode) and node.value in ("", "null", "~") and len(path) > 1:
        return _replace(text, root, path[:-1], _inline({path[-1]: value}))
    return None


def _add_to_flow(text: str, node: MappingNode, key: str, value: Any) -> str:
    entry = f"{_inline(key)}: {_inline(value)}"
    if not node.value:
        return text[: node.start_mark.index] + "{ " + entry + " }" + text[node.end_mark.index :]
    end = _end(text, node.value[-1][1])
    return text[:end] + ", " + entry + text[end:]


def _after_last(text: str, node: Node, lines: list[str]) -> str:
    """`lines` below the last line of a block collection."""
    end = _line_end(text, _end(text, node))
    block = "\n".join(lines)
    return text[:end] + "\n" + block + text[end:]


def _insert_lines(text: str, to: KeyPath, lines: list[str], data: Any, index: int) -> str | None:
    """The moved lines as the last entry of their new mapping, which is made when it is missing."""
    root = _root(text, index)
    node, depth = _deepest(root, to[:-1])
    if not isinstance(node, MappingNode) or node.flow_style or not node.value:
        return put(text, to, data, index)
    indent = node.value[0][0].start_mark.column
    parents = [" " * (indent + 2 * level) + f"{_inline(str(key))}:" for level, key in enumerate(to[depth:-1])]
    shift = " " * (indent + 2 * len(parents))
    return _after_last(text, node, [*parents, *(shift + line if line.strip() else line for line in lines)])


def _without(text: str, parent: MappingNode | SequenceNode, position: int) -> str:
    first, last = _bounds(text, parent, position)
    if parent.flow_style:
        return _without_in_flow(text, parent, position, first, last)
    if len(parent.value) == 1:
        empty = "{}" if isinstance(parent, MappingNode) else "[]"
        return text[: parent.start_mark.index].rstrip(" \n") + " " + empty + text[_line_end(text, last) :]
    start = text.rfind("\n", 0, first) + 1
    if not text[start:first].strip(" -") and (isinstance(parent, SequenceNode) or not text[start:first].strip()):
        return text[:start] + text[_line_end(text, last) + 1 :]
    # The key shares its line with the dash of its list item: the next key takes its place.
    following = _bounds(text, parent, position + 1)[0]
    return text[:first] + text[following:]


def _without_in_flow(text: str, parent: Node, position: int, first: int, last: int) -> str:
    if position + 1 < len(parent.value):
        return text[:first] + text[_bounds(text, parent, position + 1)[0] :]
    if position:
        return text[: _bounds(text, parent, position - 1)[1]] + text[last:]
    return text[:first].rstrip(" ") + text[last:].lstrip(" ")


def _bounds(text: str, parent: Node, position: int) -> tuple[int, int]:
    """First and last index of an entry's own text."""
    entry = parent.value[position]
    if isinstance(parent, MappingNode):
        key, value = entry
        return key.start_mark.index, max(_end(text, value), text.index(":", key.end_mark.index) + 1)
    return entry.start_mark.index, _end(text, entry)


def _entry_lines(text: str, parent: Node, position: int) -> list[str]:
    """The lines of a block entry, the first without its indentation, the others relative to it."""
    first, last = _bounds(text, parent, position)
    column = parent.value[position][0].start_mark.column
    lines = text[first : _line_end(text, last)].split("\n")
    return [lines[0], *(line[column:] if not line[:column].strip() else line for line in lines[1:])]


def _renamed(line: str, key: str | int) -> str:
    return f"{_inline(str(key))}{line[line.index(':') :]}"


def _end(text: str, node: Node) -> int:
    """Index after the last character of a node. A block collection's own mark lies behind the comments below it."""
    if _is_block(node) and node.value:
        last = node.value[-1]
        if isinstance(node, MappingNode):
            key, value = last
            return max(_end(text, value), text.index(":", key.end_mark.index) + 1)
        return _end(text, last)
    end = int(node.end_mark.index)
    if isinstance(node, ScalarNode) and node.style in ("|", ">"):
        return len(text[:end].rstrip("\n"))
    return end


def _is_block(node: Node) -> bool:
    return isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def _block(key: str, value: Any) -> list[str]:
    """A new entry in block style: nested mappings indented by two, anything else on the key's line."""
    if isinstance(value, dict) and value:
        inner = [line for name, item in value.items() for line in _block(str(name), item)]
        return [f"{_inline(key)}:", *("  " + line for line in inner)]
    return [f"{_inline(key)}: {_inline(value)}"]


def _inline(value: Any) -> str:
    """A value on one line. Text that YAML would read as something else is quoted."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_inline(str(k))}: {_inline(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)


def embedded(text: str, path: KeyPath, index: int = 0) -> str:
    """The text that stands as a value at `path`."""
    node, _ = _deepest(_root(text, index), path)
    return str(node.value)


def put_embedded(text: str, path: KeyPath, inner: str, index: int = 0) -> str:
    """Replaces the text at `path`; its header line and its indentation stay when it is a literal block."""
    root = _root(text, index)
    node, _ = _deepest(root, path)
    key_column = _deepest(root, path[:-1])[0].value[0][0].start_mark.column
    start, end = int(node.start_mark.index), _end(text, node)
    written = text[start:end]
    literal = isinstance(node, ScalarNode) and node.style == "|"
    header = written.split("\n", 1)[0] if literal else "|"
    first = next((line for line in written.split("\n")[1:] if line.strip()), "") if literal else ""
    indent = first[: len(first) - len(first.lstrip())] or " " * (key_column + 2)
    lines = [indent + line if line.strip() else line for line in inner.rstrip("\n").split("\n")]
    return text[:start] + header + "\n" + "\n".join(lines) + text[end:]
