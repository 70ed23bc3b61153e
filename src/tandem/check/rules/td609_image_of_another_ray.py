"""An image whose Ray is not the one that Tandem's data plane is written for."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.facts.versions import PINNED_RAY, PINNED_VLLM, parse_version, ray_in_image
from tandem.spec.reading import at, text


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "spec":
        return
    for kind in ("kubernetes", "eks"):
        path = ("target", kind, "image")
        inside = parse_version(ray_in_image(text(at(subject.data, path))) or "")
        pinned = parse_version(PINNED_RAY)
        if inside and pinned and (inside.major, inside.minor) != (pinned.major, pinned.minor):
            yield Hit(path, f"the image has Ray {inside}")


RULE = Rule(
    id="TD609",
    title="an image with another Ray",
    severity="error",
    why="Tandem's data plane builds on Ray's LLM classes, and Ray on one vLLM: with another release, imports fail.",
    fix=f"Use an image with Ray {PINNED_RAY} and vLLM {PINNED_VLLM}, or leave image out.",
    sources=("https://docs.ray.io/en/latest/serve/llm/index.html",),
    find=_find,
)
