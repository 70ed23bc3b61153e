"""A route prefix that Serve refuses."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for app in subject.apps:
        prefix, path = app.data.get("route_prefix"), (*app.path, "route_prefix")
        if not isinstance(prefix, str):
            continue
        if "{" in prefix or "}" in prefix:
            yield Hit(path, f"{prefix!r} has wildcards", fix="Remove the braces.")
        elif prefix != _normal(prefix):
            yield Hit(path, f"{prefix!r}", (Put(path, _normal(prefix)),))


def _normal(prefix: str) -> str:
    return "/" + prefix.strip("/")


RULE = Rule(
    id="TD017",
    title="a route prefix that Serve refuses",
    severity="error",
    why="A route prefix starts with a slash and, unless it is the slash alone, does not end with one.",
    fix="Write it as /name.",
    sources=(f"{RAY}/serve/schema.py",),
    find=_find,
)
