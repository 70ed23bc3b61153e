"""Whatever the loader of a Tandem spec refuses, told beside the other findings."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "spec":
        return
    # The models cost a fifth of a second to build, and only a spec needs them.
    from tandem.spec.loader import spec_problems

    for problem in spec_problems(subject.document.source):
        allowed = f" Allowed: {problem.allowed}." if problem.allowed else ""
        yield Hit(tuple(problem.path.split(".")), problem.found, fix=f"{problem.fix}{allowed}")


RULE = Rule(
    id="TD020",
    title="the spec cannot be read",
    severity="error",
    why="A key that is not known or a value that does not fit would otherwise run as a default.",
    fix="Correct the value.",
    sources=("https://docs.pydantic.dev/latest/concepts/models/",),
    find=_find,
)
