"""An upgrade strategy that KubeRay does not have."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import KUBERAY_VALIDATION, RAYSERVICE_DOCS
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts.rayservice import UPGRADE_TYPES
from tandem.spec.reading import at

_PATH = ("spec", "upgradeStrategy", "type")


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    kind = at(subject.data, _PATH)
    if kind is not None and str(kind) not in UPGRADE_TYPES:
        close = nearest(str(kind), UPGRADE_TYPES)
        yield Hit(_PATH, f"{kind!r}", (Put(_PATH, close),) if close else ())
    name = ("spec", "rayClusterConfig", "headGroupSpec", "headService", "metadata", "name")
    if at(subject.data, name):
        yield Hit(name, "headService has a name", fix="Remove it: KubeRay names the service.")


RULE = Rule(
    id="TD512",
    title="an upgrade setting that KubeRay refuses",
    severity="error",
    why="KubeRay marks the RayService ValidationFailed: no cluster is made.",
    fix=f"Write one of {', '.join(sorted(UPGRADE_TYPES))}.",
    sources=(KUBERAY_VALIDATION, RAYSERVICE_DOCS),
    find=_find,
)
