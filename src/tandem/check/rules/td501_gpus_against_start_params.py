"""rayStartParams that tell Ray another number of GPUs than the pod has."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import KUBERAY
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        told = integer(group.start_params.get("num-gpus"))
        if told is not None and told != group.gpus:
            path = (*group.path, "rayStartParams", "num-gpus")
            yield Hit(path, f"num-gpus {told}, the pod's limit is {group.gpus}", (Put(path, str(group.gpus)),))


RULE = Rule(
    id="TD501",
    title="num-gpus is not what the pod has",
    severity="error",
    why=(
        "Ray believes num-gpus: with too many it places engines on GPUs that are not there, with too few a GPU "
        "stays idle."
    ),
    fix="Write the pod's GPU limit, or leave num-gpus out: KubeRay takes the limit.",
    sources=(
        f"{KUBERAY}/ray-operator/controllers/ray/common/pod.go",
        "https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/gpu.html",
    ),
    find=_find,
)
