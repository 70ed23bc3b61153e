"""A group without a container, or without a group at all."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY_VALIDATION
from tandem.check.subject import Subject
from tandem.spec.reading import items


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    if not any(group.head for group in subject.groups):
        yield Hit(("spec", "rayClusterConfig", "headGroupSpec"), "there is no head group")
    for group in subject.groups:
        if not items(group.pod.get("containers")):
            yield Hit((*group.pod_path, "containers"), f"{group.name} has no containers")


RULE = Rule(
    id="TD514",
    title="a group without containers",
    severity="error",
    why="KubeRay takes the first container of a group as Ray's. Without one it marks the RayService ValidationFailed.",
    fix="Add the Ray container as the first one.",
    sources=(KUBERAY_VALIDATION,),
    find=_find,
)
