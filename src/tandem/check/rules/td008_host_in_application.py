"""`host` or `port` inside an application: refused in a config with several applications."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    base = subject.document.serve_path or ()
    options = mapping(subject.serve.get("http_options"))
    for app in subject.apps:
        for key in ("host", "port"):
            if key in app.data:
                path = (*app.path, key)
                edits = () if key in options else (Move(path, (*base, "http_options", key)),)
                yield Hit(path, f"{key} stands inside the application", edits)


RULE = Rule(
    id="TD008",
    title="host or port inside an application",
    severity="error",
    why="Serve has one HTTP proxy for all applications and refuses a host or port that one of them names.",
    fix="Move it to http_options at the top of the Serve config.",
    sources=(f"{RAY}/serve/schema.py",),
    find=_find,
)
