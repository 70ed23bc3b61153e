"""A GPU pod whose environment hides its GPUs."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.subject import Subject

_HIDING = {"void", "none", ""}


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        for var in group.env:
            hides = var.name == "NVIDIA_VISIBLE_DEVICES" and var.value in _HIDING
            hides = hides or (var.name == "CUDA_VISIBLE_DEVICES" and var.value in ("", "-1"))
            if group.gpus and hides:
                yield Hit(var.path, f"{var.name}={var.value!r} on a pod with {group.gpus} GPUs", (Drop(var.path),))


RULE = Rule(
    id="TD711",
    title="a GPU pod that cannot see its GPUs",
    severity="error",
    why="The container runtime mounts no GPU then: the node is paid for, and vLLM finds no device.",
    fix="Remove it; it belongs on pods without a GPU.",
    sources=("https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",),
    find=_find,
)
