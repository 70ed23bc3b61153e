"""A Ray release that cannot hold what the file asks of vLLM."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import ray
from tandem.check.subject import Subject
from tandem.facts.versions import Version, parse_version

_BUILDER_SINCE = Version(2, 47)


def _find(subject: Subject) -> Iterator[Hit]:
    told = parse_version(subject.ray_version or "")
    for app in subject.apps:
        if told and app.disaggregated and told < _BUILDER_SINCE:
            yield Hit((*app.path, "import_path"), f"Ray {told} has no prefill/decode builder")


RULE = Rule(
    id="TD607",
    title="this Ray has no prefill/decode builder",
    severity="error",
    why="build_pd_openai_app was proposed in May 2025, after Ray 2.46: on that and older ones the import fails.",
    fix="Use an image with a newer Ray.",
    sources=(ray(53257),),
    find=_find,
)
