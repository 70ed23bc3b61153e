"""Plain data as YAML for people: block style, keys in the order given, a comment that says what the file is."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

WIDTH = 120


def yaml_text(*documents: Mapping[str, Any], comment: str = "") -> str:
    """The documents one after the other, below `comment`. Texts of several lines become literal blocks."""
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    return head + "---\n".join(_document(document) for document in documents)


def _document(document: Mapping[str, Any]) -> str:
    yaml = YAML()
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    yaml.dump(_plain(document), stream)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    """A copy without aliases: one object in two places must not become an anchor."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, str):
        return LiteralScalarString(value) if "\n" in value else value
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    return value
