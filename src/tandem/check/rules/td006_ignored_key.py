"""A key that Ray drops in silence."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.check.walk import mismatches
from tandem.core.nearest import nearest


def _find(subject: Subject) -> Iterator[Hit]:
    for found in mismatches(subject):
        if found.kind != "unknown" or found.model.extra != "ignore":
            continue
        key, parent = str(found.path[-1]), found.path[:-1]
        close = nearest(key, [name for name, shape in found.model.fields.items() if not shape.mismatch(found.value)])
        edits = (Move(found.path, (*parent, close)),) if close else ()
        fix = f"Did you mean {close!r}?" if close else "Remove it."
        yield Hit(found.path, f"{key!r} is dropped in silence", edits, fix)


RULE = Rule(
    id="TD006",
    title="a key that Ray ignores",
    severity="warning",
    why="Serve's schema drops keys it does not know, so a misspelt setting runs as its default and nothing says so.",
    fix="Remove it, or correct its name.",
    sources=(f"{RAY}/serve/schema.py",),
    find=_find,
)
