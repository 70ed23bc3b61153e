"""A Serve switch on the head or on the workers only."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.pods import PodGroup
from tandem.check.subject import Subject

_BOTH = (
    "RAY_SERVE_ENABLE_HA_PROXY",
    "RAY_SERVE_THROUGHPUT_OPTIMIZED",
    "RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING",
    "VLLM_USE_RAY_V2_EXECUTOR_BACKEND",
)


def _find(subject: Subject) -> Iterator[Hit]:
    head = next((group for group in subject.groups if group.head), None)
    for worker in subject.workers:
        for name in _BOTH:
            ours, theirs = _value(head, name), _value(worker, name)
            if head and ours != theirs:
                side = worker if theirs is not None else head
                path = next(var.path for var in side.env if var.name == name)
                yield Hit(path, f"{name}: head {ours or 'unset'}, {worker.name} {theirs or 'unset'}")


def _value(group: PodGroup | None, name: str) -> str | None:
    return next((var.value for var in group.env if var.name == name), None) if group else None


RULE = Rule(
    id="TD709",
    title="a Serve switch on one side only",
    severity="warning",
    why=(
        "The controller on the head and the replicas on the workers both read it: half of the application then "
        "works the other way."
    ),
    fix="Set it on the head and on every worker group, or nowhere.",
    sources=(
        "https://github.com/ray-project/kuberay/blob/master/ray-operator/config/samples/ray-service.high-throughput-llm.yaml",
    ),
    find=_find,
)
