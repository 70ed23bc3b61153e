"""Phases on node types with different transports."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EFA_TYPES
from tandem.check.subject import Subject
from tandem.facts.efa import gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = gpu_type(prefill.node_type or ""), gpu_type(decode.node_type or "")
        if ours and theirs and bool(ours.efa) != bool(theirs.efa) and "LIBFABRIC" not in decode.backends:
            found = f"prefill on {ours.name} ({ours.efa} EFA), decode on {theirs.name} ({theirs.efa} EFA)"
            yield Hit(("target", "eks", "decode_node"), found)


RULE = Rule(
    id="TD411",
    title="EFA on one phase only",
    severity="warning",
    why="A transfer is as fast as its slower end: EFA on one side is paid for and never used.",
    fix="Choose types with EFA for both phases, or for none.",
    sources=(EFA_TYPES,),
    find=_find,
)
