"""A pod that asks for more than its node type has."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.pods import GPU, PodGroup
from tandem.check.sources import EFA_TYPES
from tandem.check.subject import Subject
from tandem.core.sizes import GIB, parse_bytes
from tandem.facts.efa import GpuType, gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.workers:
        known = gpu_type(group.node_type or "")
        if known is None:
            continue
        if group.gpus > known.gpus:
            yield Hit(group.resource_path(GPU), f"{group.gpus} GPUs, {known.name} has {known.gpus}")
        yield from _above(group, known)


def _above(group: PodGroup, known: GpuType) -> Iterator[Hit]:
    """A node never offers all it has: the kubelet and the system keep a part."""
    for name, has in (("cpu", float(known.vcpus)), ("memory", float(known.memory_gib * GIB))):
        asked = group.resource(name, "requests") or group.resource(name) or ""
        amount = _amount(name, asked)
        if amount >= has:
            kind = "requests" if group.resource(name, "requests") else "limits"
            yield Hit(group.resource_path(name, kind), f"{asked} {name}, all of {known.name} or more")


def _amount(name: str, written: str) -> float:
    try:
        if name == "memory":
            return float(parse_bytes(written))
        return float(written[:-1]) / 1000 if written.endswith("m") else float(written)
    except ValueError:
        return 0.0


RULE = Rule(
    id="TD505",
    title="a pod larger than its node",
    severity="error",
    why="The pod stays Pending for ever. A node offers less than its type's size: the system keeps a part of it.",
    fix="Ask for less, or choose a larger type.",
    sources=("https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/", EFA_TYPES),
    find=_find,
)
