"""LIBFABRIC in pods that ask for no EFA device."""

from collections.abc import Iterator

from tandem.check.finding import Edit, Hit, Put, Rule
from tandem.check.pods import EFA
from tandem.check.sources import EKS_EFA
from tandem.check.subject import Subject
from tandem.facts.efa import gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    if not any("LIBFABRIC" in engine.backends for engine in subject.engines):
        return
    for group in subject.workers:
        known = gpu_type(group.node_type or "")
        if group.gpus and not group.efa and (known is None or known.efa):
            edits: tuple[Edit, ...] = tuple(Put(group.resource_path(EFA, kind), "1") for kind in ("limits", "requests"))
            yield Hit(group.resource_path(EFA), f"{group.name} asks for no {EFA}", edits)


RULE = Rule(
    id="TD404",
    title="LIBFABRIC without an EFA device in the pod",
    severity="error",
    why=(
        "Without the resource the pod has no EFA device: libfabric falls back to TCP, and the log still says LIBFABRIC."
    ),
    fix="Ask for vpc.amazonaws.com/efa in limits and requests.",
    sources=(EKS_EFA,),
    find=_find,
)
