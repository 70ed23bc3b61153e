"""Head and workers with images of another Ray or another Python."""

import re
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.facts.versions import ray_in_image

_PYTHON = re.compile(r"-(py3\d+)")


def _find(subject: Subject) -> Iterator[Hit]:
    head = next((group for group in subject.groups if group.head and group.image), None)
    for group in subject.workers:
        if head is None or not group.image or group.image == head.image:
            continue
        ours, theirs = _release(head.image), _release(group.image)
        if None in (ours[0], theirs[0]) or ours != theirs:
            unknown = None in (ours[0], theirs[0])
            found = f"head {head.image}, {group.name} {group.image}"
            yield Hit((*group.container_path, "image"), found, severity="warning" if unknown else None)


def _release(image: str) -> tuple[str | None, str | None]:
    python = _PYTHON.search(image)
    return ray_in_image(image), python[1] if python else None


RULE = Rule(
    id="TD602",
    title="head and workers run different images",
    severity="error",
    why="All processes of a cluster need one Ray and one Python: else workers do not join, or unpickling fails later.",
    fix="Use one image for head and workers, or images of the same Ray and Python.",
    sources=("https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html",),
    find=_find,
)
