"""Token authentication with a Ray that does not have it."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY_VALIDATION
from tandem.check.subject import Subject
from tandem.facts.versions import TOKEN_AUTH_SINCE_RAY, parse_version
from tandem.spec.reading import mapping, text


def _find(subject: Subject) -> Iterator[Hit]:
    if mapping(subject.cluster.get("authOptions")).get("mode") != "token":
        return
    told = parse_version(text(subject.cluster.get("rayVersion")))
    since = parse_version(TOKEN_AUTH_SINCE_RAY)
    if told is None:
        yield Hit(("spec", "rayClusterConfig", "rayVersion"), "authOptions.mode is token and rayVersion is missing")
    elif since is not None and told < since:
        yield Hit(("spec", "rayClusterConfig", "rayVersion"), f"authOptions.mode is token with Ray {told}")


RULE = Rule(
    id="TD606",
    title="token authentication needs a newer Ray",
    severity="error",
    why="KubeRay marks the RayService ValidationFailed: token authentication came with Ray 2.52.",
    fix="Write rayVersion 2.52.0 or newer, with an image of that release.",
    sources=(KUBERAY_VALIDATION,),
    find=_find,
)
