"""A number or true/false where the Kubernetes API wants text: environment values and rayStartParams."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import KUBERAY
from tandem.check.subject import Subject
from tandem.spec.reading import at, items, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        for key, value in group.start_params.items():
            if not isinstance(value, str):
                path = (*group.path, "rayStartParams", key)
                yield Hit(path, f"{value!r} is not text", (Put(path, _text(value)),))
        for index, entry in enumerate(items(at(subject.data, (*group.container_path, "env")))):
            value = mapping(entry).get("value")
            if value is not None and not isinstance(value, str):
                path = (*group.container_path, "env", index, "value")
                yield Hit(path, f"{value!r} is not text", (Put(path, _text(value)),))


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


RULE = Rule(
    id="TD023",
    title="a value that Kubernetes wants as text",
    severity="error",
    why="rayStartParams and environment values are strings in the API; an unquoted number makes the apply fail.",
    fix="Put it in quotes.",
    sources=(
        f"{KUBERAY}/helm-chart/kuberay-operator/crds/ray.io_rayservices.yaml",
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables",
    ),
    find=_find,
)
