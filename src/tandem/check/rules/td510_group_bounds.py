"""Worker replicas that exclude each other."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY_VALIDATION
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.workers:
        low, high = integer(group.data.get("minReplicas")), integer(group.data.get("maxReplicas"))
        now = integer(group.data.get("replicas"))
        if (low or 0) < 0 or (high or 0) < 0:
            yield Hit((*group.path, "minReplicas"), "below zero")
        elif low is not None and high is not None and low > high:
            yield Hit((*group.path, "minReplicas"), f"minReplicas {low}, maxReplicas {high}")
        elif now is not None and (now < (low or 0) or (high is not None and now > high)):
            yield Hit((*group.path, "replicas"), f"replicas {now}, not within {low or 0} to {high}", severity="warning")


RULE = Rule(
    id="TD510",
    title="worker replicas that exclude each other",
    severity="error",
    why="KubeRay marks the RayService ValidationFailed, or moves replicas into the bounds without saying so.",
    fix="Order them: minReplicas ≤ replicas ≤ maxReplicas.",
    sources=(KUBERAY_VALIDATION,),
    find=_find,
)
