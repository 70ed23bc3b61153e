"""A service that is reachable from outside the cluster."""

from collections.abc import Iterator, Mapping
from typing import Any

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.spec.reading import at, mapping
from tandem.spec.source import KeyPath

_HEAD: KeyPath = ("spec", "rayClusterConfig", "headGroupSpec")
_INTERNAL = {
    "service.beta.kubernetes.io/aws-load-balancer-scheme": "internal",
    "service.beta.kubernetes.io/aws-load-balancer-internal": "true",
    "networking.gke.io/load-balancer-type": "Internal",
}


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    for path in (("spec", "serveService"), (*_HEAD, "headService")):
        service = mapping(at(subject.data, path))
        kind = mapping(service.get("spec")).get("type")
        if kind in ("LoadBalancer", "NodePort") and not _internal(service):
            yield Hit((*path, "spec", "type"), f"{kind}", severity="error" if path[-1] == "headService" else None)
    kind = at(subject.data, (*_HEAD, "serviceType"))
    if kind in ("LoadBalancer", "NodePort"):
        yield Hit((*_HEAD, "serviceType"), f"the head's service is a {kind}", severity="error")


def _internal(service: Mapping[str, Any]) -> bool:
    annotations = mapping(mapping(service.get("metadata")).get("annotations"))
    ranges = mapping(service.get("spec")).get("loadBalancerSourceRanges")
    return bool(ranges) or any(annotations.get(key) == value for key, value in _INTERNAL.items())


RULE = Rule(
    id="TD804",
    title="a service open to the outside",
    severity="warning",
    why=(
        "Ray's ports let anyone who reaches them run code, and Serve asks for no key: the head's service must "
        "stay inside."
    ),
    fix="Use ClusterIP and a gateway with keys, or an internal load balancer with source ranges.",
    sources=("https://docs.ray.io/en/latest/ray-security/index.html",),
    find=_find,
)
