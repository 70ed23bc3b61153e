"""GPU or EFA requests that differ from their limits."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.pods import EFA, GPU
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        for name in (GPU, EFA):
            asked, limit = group.resource(name, "requests"), group.resource(name)
            if asked is not None and asked != limit:
                path = group.resource_path(name)
                yield Hit(path, f"{name}: request {asked}, limit {limit}", (Put(path, asked),) if limit is None else ())


RULE = Rule(
    id="TD406",
    title="a device request that differs from its limit",
    severity="error",
    why="Kubernetes refuses it: GPUs and EFA devices cannot be overcommitted, a request needs the same limit.",
    fix="Write the same number in requests and limits.",
    sources=("https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources",),
    find=_find,
)
