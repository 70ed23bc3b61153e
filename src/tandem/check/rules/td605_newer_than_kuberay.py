"""Keys that the installed KubeRay does not know."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY
from tandem.check.subject import Subject
from tandem.facts.versions import AFTER_KUBERAY_1_4, INITIALIZING_TIMEOUT_SINCE, parse_version
from tandem.spec.reading import at, mapping

_TIMEOUT = "ray.io/initializing-timeout"


def _find(subject: Subject) -> Iterator[Hit]:
    installed = parse_version(subject.around.kuberay or "")
    since = parse_version(INITIALIZING_TIMEOUT_SINCE)
    if subject.document.kind != "rayservice" or installed is None or since is None or installed >= since:
        return
    for dotted in sorted(AFTER_KUBERAY_1_4):
        path = tuple(dotted.split("."))
        if at(subject.data, path) is not None:
            yield Hit(path, f"KubeRay {installed} does not know {path[-1]}")
    if _TIMEOUT in mapping(at(subject.data, ("metadata", "annotations"))):
        yield Hit(("metadata", "annotations", _TIMEOUT), f"KubeRay {installed} does not read {_TIMEOUT}")


RULE = Rule(
    id="TD605",
    title="a key newer than the installed KubeRay",
    severity="error",
    why=(
        "An older CRD drops the key in silence: no timeout, no token authentication, no network policy, and no message."
    ),
    fix="Install a newer KubeRay, or remove the key.",
    sources=(
        "https://github.com/ray-project/kuberay/releases",
        f"{KUBERAY}/ray-operator/apis/ray/v1/rayservice_types.go",
    ),
    find=_find,
)
