"""Two applications with the same name or the same route."""

from collections import Counter
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for key, default in (("name", "default"), ("route_prefix", "/")):
        values = [app.data.get(key, default) for app in subject.apps]
        counts = Counter(value for value in values if isinstance(value, str))
        for app, value in zip(subject.apps, values, strict=True):
            if isinstance(value, str) and counts[value] > 1:
                yield Hit((*app.path, key), f"{key} {value!r} is used {counts[value]} times")
    for app in subject.apps:
        if app.data.get("name") == "":
            yield Hit((*app.path, "name"), "the name is empty")


RULE = Rule(
    id="TD007",
    title="applications that share a name or a route",
    severity="error",
    why="Serve refuses the config: an application's name and its route_prefix are unique.",
    fix="Give each application its own.",
    sources=(f"{RAY}/serve/schema.py",),
    find=_find,
)
