"""A value that Ray's models refuse: another type, out of range, or not one of the choices."""

from collections.abc import Iterator

from tandem.check.compare import shown
from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY, RAY_LLM
from tandem.check.subject import Subject
from tandem.check.walk import Mismatch, mismatches


def _find(subject: Subject) -> Iterator[Hit]:
    for found in mismatches(subject):
        if found.kind == "value" and found.shape and not _has_own_rule(found):
            yield Hit(found.path, shown(found.value), fix=f"Allowed: {found.shape.allowed()}.")


def _has_own_rule(found: Mismatch) -> bool:
    return found.model.name == "placement_group_config" and found.path[-1] == "strategy"


RULE = Rule(
    id="TD003",
    title="a value that Ray refuses",
    severity="error",
    why="Ray validates the config when it is deployed and refuses it as a whole.",
    fix="Correct the value.",
    sources=(f"{RAY_LLM}/core/configs/llm_config.py", f"{RAY}/serve/schema.py"),
    find=_find,
)
