"""More EFA interfaces than the instance type has."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.pods import EFA
from tandem.check.sources import EFA_TYPES
from tandem.check.subject import Subject
from tandem.facts.efa import gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.workers:
        known = gpu_type(group.node_type or "")
        if known and group.efa > known.efa:
            yield Hit(group.resource_path(EFA), f"{group.efa} asked for, {known.name} has {known.efa}")


RULE = Rule(
    id="TD405",
    title="more EFA interfaces than the node has",
    severity="error",
    why="The pod stays Pending for ever: no node of this type can offer them.",
    fix="Ask for as many as the type has, at most.",
    sources=(EFA_TYPES,),
    find=_find,
)
