"""Ray resources both in rayStartParams and in the group's `resources`."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY_VALIDATION
from tandem.check.subject import Subject
from tandem.spec.reading import mapping

_PARAMS = ("num-cpus", "num-gpus", "memory", "resources")


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        given = [key for key in _PARAMS if group.start_params.get(key)]
        if given and mapping(group.data.get("resources")):
            yield Hit((*group.path, "resources"), f"resources, and {', '.join(given)} in rayStartParams")
        if "labels" in group.start_params:
            yield Hit(
                (*group.path, "rayStartParams", "labels"), "labels in rayStartParams", fix="Use the group's labels."
            )


RULE = Rule(
    id="TD511",
    title="Ray resources given twice",
    severity="error",
    why="A pod has one number of CPUs and GPUs: KubeRay marks the RayService ValidationFailed when two are given.",
    fix="Keep one of the two.",
    sources=(KUBERAY_VALIDATION,),
    find=_find,
)
