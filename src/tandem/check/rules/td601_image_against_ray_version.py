"""rayVersion that is not the Ray in the image."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAYSERVICE_DOCS
from tandem.check.subject import Subject
from tandem.facts.versions import ray_in_image
from tandem.spec.reading import text

_PATH = ("spec", "rayClusterConfig", "rayVersion")


def _find(subject: Subject) -> Iterator[Hit]:
    told = text(subject.cluster.get("rayVersion"))
    inside = next((version for group in subject.groups if (version := ray_in_image(group.image))), None)
    if told and inside and told != inside:
        yield Hit(_PATH, f"rayVersion {told}, the image has {inside}", (Put(_PATH, inside),))


RULE = Rule(
    id="TD601",
    title="rayVersion is not the image's Ray",
    severity="error",
    why="KubeRay decides by rayVersion which features and probes it uses; they must be those of the Ray that runs.",
    fix="Write the image's release.",
    sources=(RAYSERVICE_DOCS,),
    find=_find,
)
