"""Head and workers with different images."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.facts.versions import ray_in_image


def _find(subject: Subject) -> Iterator[Hit]:
    head = next((group for group in subject.groups if group.head and group.image), None)
    for group in subject.workers:
        if head and group.image and group.image != head.image:
            ours, theirs = ray_in_image(head.image), ray_in_image(group.image)
            severe = ours is None or theirs is None or ours != theirs
            path = (*group.container_path, "image")
            yield Hit(path, f"head {head.image}, {group.name} {group.image}", severity="error" if severe else "info")


RULE = Rule(
    id="TD602",
    title="head and workers run different images",
    severity="error",
    why=(
        "All Ray processes of a cluster need the same Ray and Python; otherwise workers do not join, or "
        "unpickling fails later."
    ),
    fix="Use one image for head and workers.",
    sources=("https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html",),
    find=_find,
)
