"""Pods that share the node's processes or memory."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        for key in ("hostPID", "hostIPC"):
            if group.pod.get(key) is True:
                yield Hit((*group.pod_path, key), f"{group.name} sets {key}")


RULE = Rule(
    id="TD808",
    title="a pod inside the node's namespaces",
    severity="warning",
    why="It sees the processes or shared memory of every pod on the node. NIXL between pods needs neither.",
    fix="Remove it.",
    sources=("https://kubernetes.io/docs/concepts/security/pod-security-standards/",),
    find=_find,
)
