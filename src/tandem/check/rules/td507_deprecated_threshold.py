"""`serviceUnhealthySecondThreshold` and `deploymentUnhealthySecondThreshold`: nobody reads them."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import KUBERAY, kuberay
from tandem.check.subject import Subject
from tandem.spec.reading import mapping

_KEYS = ("serviceUnhealthySecondThreshold", "deploymentUnhealthySecondThreshold")


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    for key in _KEYS:
        if key in mapping(subject.data.get("spec")):
            yield Hit(("spec", key), key, (Drop(("spec", key)),))


RULE = Rule(
    id="TD507",
    title="a health threshold that nobody reads",
    severity="warning",
    why="KubeRay dropped both: an unhealthy application no longer makes a new cluster, whatever the number says.",
    fix="Remove it.",
    sources=(kuberay(1685), f"{KUBERAY}/ray-operator/apis/ray/v1/rayservice_types.go"),
    find=_find,
)
