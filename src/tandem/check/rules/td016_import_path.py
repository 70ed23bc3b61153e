"""An import path that Serve refuses, or a builder that ray.serve.llm does not have."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import serve_fields
from tandem.spec.reading import text

_MODULE = "ray.serve.llm"


def _find(subject: Subject) -> Iterator[Hit]:
    for app in subject.apps:
        written, path = text(app.data.get("import_path")), (*app.path, "import_path")
        if not written:
            continue
        module, _, name = written.partition(":") if ":" in written else written.rpartition(".")
        if not module or not name or ":" in name:
            yield Hit(path, f"{written!r} is not module:name")
        elif module == _MODULE and name not in serve_fields.builders():
            close = nearest(name, serve_fields.builders())
            edits = (Put(path, f"{_MODULE}:{close}"),) if close else ()
            yield Hit(path, f"{_MODULE} has no {name!r}", edits, f"Write {_MODULE}:{close}." if close else "")


RULE = Rule(
    id="TD016",
    title="an import path that leads nowhere",
    severity="error",
    why="Serve imports the application by this path on the cluster; a wrong one ends in DEPLOY_FAILED.",
    fix="Write module:name, such as ray.serve.llm:build_pd_openai_app.",
    sources=(f"{RAY}/serve/llm/__init__.py", f"{RAY}/serve/schema.py"),
    find=_find,
)
