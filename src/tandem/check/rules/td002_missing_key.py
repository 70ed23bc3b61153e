"""A key without which Ray cannot build the application."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.check.walk import mismatches


def _find(subject: Subject) -> Iterator[Hit]:
    for found in mismatches(subject):
        if found.kind == "missing":
            yield Hit(found.path, f"{found.path[-1]!r} is missing", fix=f"Add {found.path[-1]}.")
    for app in subject.apps:
        if app.disaggregated and not isinstance(app.data.get("args"), dict):
            yield Hit((*app.path, "args"), "'args' with prefill_config and decode_config is missing")


RULE = Rule(
    id="TD002",
    title="a required key is missing",
    severity="error",
    why="Ray refuses the config when it is deployed; on a RayService the error stands only in the operator's events.",
    fix="Add the key.",
    sources=(f"{RAY_LLM}/core/configs/llm_config.py", f"{RAY_LLM}/serving_patterns/prefill_decode/builder.py"),
    find=_find,
)
