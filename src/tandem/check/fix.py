"""The edits of the findings, applied to the file's text until none is left to apply."""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from tandem.check.finding import Drop, Edit, Finding, Move, Put
from tandem.check.run import check_document
from tandem.check.subject import NOTHING_SAID, Surroundings
from tandem.check.yaml_text import drop, embedded, move, put, put_embedded
from tandem.core.errors import InputError
from tandem.spec.manifest import SERVE_CONFIG, Document, read_text
from tandem.spec.reading import at, dotted
from tandem.spec.source import KeyPath

_ROUNDS = 8
"""A fix can make another one possible (a key that is moved can then be seen by its own rule)."""


@dataclass(frozen=True)
class Change:
    """One edit that was made: by which rule, at which line of the file as it was then, and what."""

    rule: str
    line: int | None
    text: str


def fix_text(text: str, file: str = "<text>", around: Surroundings = NOTHING_SAID) -> tuple[str, list[Change]]:
    """The corrected text and every change in it. Only the lines that a change names are touched.

    Raises:
        InputError: the text is not YAML.
    """
    changes: list[Change] = []
    for _ in range(_ROUNDS):
        text, made = _round(text, file, around)
        if not made:
            break
        changes.extend(made)
    return text, changes


def _round(text: str, file: str, around: Surroundings) -> tuple[str, list[Change]]:
    made: list[Change] = []
    for document in read_text(text, file):
        for finding, edit in _ordered(check_document(document, around)):
            changed = apply_edit(text, document, edit)
            if changed is not None and changed != text:
                line = document.source.line(edit.path)
                made.append(Change(finding.id, line, describe(edit)))
                text = changed
    return text, made


def apply_edit(text: str, document: Document, edit: Edit) -> str | None:
    """`text` with one edit, or None when the edit has no place in it or would change anything else."""
    now = _reread(text, document)
    if now is None:
        return None
    changed = _edited(text, now, edit)
    after = _reread(changed, document) if changed is not None else None
    expected = _expected(now.source.data, edit)
    return changed if after is not None and expected is not None and after.source.data == expected else None


def describe(edit: Edit) -> str:
    """An edit in words."""
    if isinstance(edit, Put):
        return f"set {dotted(edit.path)} to {edit.value!r}"
    if isinstance(edit, Drop):
        return f"removed {dotted(edit.path)}"
    if edit.path[:-1] == edit.to[:-1]:
        return f"renamed {dotted(edit.path)} to {edit.to[-1]}"
    return f"moved {dotted(edit.path)} to {dotted(edit.to)}"


def _ordered(findings: list[Finding]) -> list[tuple[Finding, Edit]]:
    """Moves alone, from the inside out, while there are any: what is missing may only stand in the wrong place.

    Then values, then removals, from the end of a list backwards.
    """
    pairs = [(finding, edit) for finding in findings for edit in finding.edits]
    moves = [pair for pair in pairs if isinstance(pair[1], Move)]
    return sorted(
        moves or pairs, key=lambda pair: (isinstance(pair[1], Drop), -len(pair[1].path), _backwards(pair[1].path))
    )


def _backwards(path: KeyPath) -> tuple[int, ...]:
    return tuple(-part for part in path if isinstance(part, int))


def _reread(text: str, document: Document) -> Document | None:
    try:
        documents = read_text(text, document.source.file)
    except InputError:
        return None
    return next((other for other in documents if other.index == document.index), None)


def _edited(text: str, document: Document, edit: Edit) -> str | None:
    if not document.embedded or edit.path[: len(SERVE_CONFIG)] != SERVE_CONFIG:
        return _on_text(text, document.source.data, edit, document.index)
    inner = embedded(text, SERVE_CONFIG, document.index)
    changed = _on_text(inner, at(document.source.data, SERVE_CONFIG), _inside(edit), 0)
    return None if changed is None else put_embedded(text, SERVE_CONFIG, changed, document.index)


def _inside(edit: Edit) -> Edit:
    """The same edit with paths that start at the embedded Serve config."""
    depth = len(SERVE_CONFIG)
    if isinstance(edit, Move):
        return Move(edit.path[depth:], edit.to[depth:])
    return replace(edit, path=edit.path[depth:])


def _on_text(text: str, data: Any, edit: Edit, index: int) -> str | None:
    if isinstance(edit, Put):
        return put(text, edit.path, edit.value, index)
    if isinstance(edit, Drop):
        return drop(text, edit.path, index)
    return move(text, edit.path, edit.to, at(data, edit.path), index)


def _expected(data: Any, edit: Edit) -> Any:
    """The data after the edit, or None when the edit has no place in it."""
    after = deepcopy(data)
    if isinstance(edit, Put):
        return after if _set(after, edit.path, edit.value) else None
    parent = at(after, edit.path[:-1])
    key = edit.path[-1]
    if at(after, edit.path) is None and not (isinstance(parent, dict) and key in parent):
        return None
    value = parent.pop(key)
    return after if isinstance(edit, Drop) or _set(after, edit.to, value) else None


def _set(data: Any, path: KeyPath, value: Any) -> bool:
    node = data
    for key in path[:-1]:
        child = at(node, (key,))
        if child is None and isinstance(node, dict):
            child = node[key] = {}
        node = child
    last = path[-1]
    if isinstance(node, dict):
        node[last] = value
        return True
    if isinstance(node, list) and isinstance(last, int) and last < len(node):
        node[last] = value
        return True
    return False
