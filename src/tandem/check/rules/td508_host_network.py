"""Engine pods on the host's network."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM, ray
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.disaggregated():
        return
    for group in subject.workers:
        if group.pod.get("hostNetwork") is True:
            yield Hit((*group.pod_path, "hostNetwork"), f"{group.name} uses the host's network")


RULE = Rule(
    id="TD508",
    title="engines on the host's network",
    severity="warning",
    why=(
        "With hostNetwork the address that NIXL advertises can be the node's public one, and the handshake between "
        "nodes times out; its ports and Ray's are open on the node."
    ),
    fix="Remove hostNetwork. EFA works with the pod's own network.",
    sources=(ray(60817), f"{RAY_LLM}/engines/vllm/kv_transfer/nixl.py"),
    find=_find,
)
