"""serveConfigV2 that is not text, or text that is not YAML."""

from collections.abc import Iterator, Mapping

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY
from tandem.check.subject import Subject
from tandem.spec.manifest import SERVE_CONFIG
from tandem.spec.reading import at


def _find(subject: Subject) -> Iterator[Hit]:
    document = subject.document
    if document.kind != "rayservice":
        return
    for problem in document.problems:
        yield Hit(SERVE_CONFIG, f"line {problem.line}: {problem.found}" if problem.line else problem.found)
    written = at(document.source.data, SERVE_CONFIG)
    if written is None or written == "":
        yield Hit(SERVE_CONFIG, "there is no Serve config")
    elif isinstance(written, Mapping) and not document.embedded:
        yield Hit(
            SERVE_CONFIG, "a mapping instead of text", fix="Write `serveConfigV2: |` and indent the config below it."
        )


RULE = Rule(
    id="TD021",
    title="serveConfigV2 is not a Serve config",
    severity="error",
    why=(
        "KubeRay takes the Serve config as one string of YAML; anything else is refused or leaves the service "
        "without applications."
    ),
    fix="Write the Serve config as a block of text.",
    sources=(f"{KUBERAY}/ray-operator/apis/ray/v1/rayservice_types.go",),
    find=_find,
)
