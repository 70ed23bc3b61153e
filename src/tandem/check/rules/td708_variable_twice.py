"""The same environment variable twice in one container."""

from collections import Counter
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        counts = Counter(var.name for var in group.env)
        last = {var.name: var for var in group.env}
        for name, count in counts.items():
            if count > 1:
                yield Hit(last[name].path, f"{name} stands {count} times; this one wins")


RULE = Rule(
    id="TD708",
    title="an environment variable given twice",
    severity="warning",
    why="Kubernetes takes the last one, so the value that is read first in the file is not the one that runs.",
    fix="Keep one.",
    sources=("https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables",),
    find=_find,
)
