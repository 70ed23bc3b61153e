"""A positive NCCL_SOCKET_IFNAME beside EFA."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if not any(group.efa for group in subject.workers) and not any("LIBFABRIC" in e.backends for e in subject.engines):
        return
    for var in subject.environment():
        if var.name == "NCCL_SOCKET_IFNAME" and var.value and not var.value.startswith("^"):
            path = (*var.path, "value") if isinstance(var.path[-1], int) else var.path
            yield Hit(var.path, f"NCCL_SOCKET_IFNAME={var.value}", (Put(path, "^docker,lo,veth"),))


RULE = Rule(
    id="TD703",
    title="NCCL is pinned to an interface beside EFA",
    severity="warning",
    why=(
        "A list of wanted interfaces hides EFA from NCCL; 28 times slower was measured. A list of unwanted ones "
        "does not."
    ),
    fix="Exclude instead of choosing: NCCL_SOCKET_IFNAME=^docker,lo,veth.",
    sources=("https://github.com/aws-samples/awsome-distributed-training/blob/main/1.architectures/efa-cheatsheet.md",),
    find=_find,
)
