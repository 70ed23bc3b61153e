"""A plain vLLM workload that never says which address its peers can reach."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_USAGE, vllm
from tandem.check.subject import Subject

_HOST = "VLLM_NIXL_SIDE_CHANNEL_HOST"


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "workload":
        return
    for engine in subject.engines:
        if engine.uses_nixl and _HOST not in {var.name for var in engine.env}:
            yield Hit((*engine.path, "env"), f"{_HOST} is not set")


RULE = Rule(
    id="TD123",
    title="plain vLLM advertises localhost",
    severity="error",
    why="vLLM's default is localhost: the other pod's handshake goes nowhere, and decode computes every prompt again.",
    fix="Set VLLM_NIXL_SIDE_CHANNEL_HOST from the pod's status.podIP.",
    sources=(vllm(27083), NIXL_USAGE),
    find=_find,
)
