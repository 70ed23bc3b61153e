"""A key of a RayService that its CRD does not have."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import KUBERAY
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts.rayservice import CLUSTER, CONTAINER, HEAD, POD, SPEC, WORKER
from tandem.spec.reading import at, mapping
from tandem.spec.source import KeyPath


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    yield from _unknown(subject, ("spec",), SPEC)
    yield from _unknown(subject, ("spec", "rayClusterConfig"), CLUSTER)
    for group in subject.groups:
        yield from _unknown(subject, group.path, HEAD if group.head else WORKER)
        yield from _unknown(subject, group.pod_path, POD)
        yield from _unknown(subject, group.container_path, CONTAINER)


def _unknown(subject: Subject, path: KeyPath, known: frozenset[str]) -> Iterator[Hit]:
    for key in mapping(at(subject.data, path)):
        if key not in known:
            close = nearest(key, known)
            edits = (Move((*path, key), (*path, close)),) if close else ()
            yield Hit((*path, key), f"unknown key {key!r}", edits, f"Did you mean {close!r}?" if close else "")


RULE = Rule(
    id="TD022",
    title="a key that the RayService CRD does not have",
    severity="error",
    why="The API server refuses it, or drops it in silence when validation is off, and the setting never takes effect.",
    fix="Remove it.",
    sources=(f"{KUBERAY}/helm-chart/kuberay-operator/crds/ray.io_rayservices.yaml",),
    find=_find,
)
