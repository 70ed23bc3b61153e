"""Privileged containers."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.spec.reading import at


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        if group.security.get("privileged") is True:
            yield Hit((*group.container_path, "securityContext", "privileged"), f"{group.name} is privileged")
    if at(subject.data, ("target", "eks", "privileged")) is True and subject.document.kind == "spec":
        yield Hit(("target", "eks", "privileged"), "engine pods are privileged")


RULE = Rule(
    id="TD801",
    title="a privileged container",
    severity="warning",
    why=(
        "It can do anything on the node. Others run NIXL over EFA with IPC_LOCK alone; whether that is enough is "
        "measured, not assumed."
    ),
    fix=(
        "Try capabilities: {add: [IPC_LOCK]} first, and keep privileged only if the doctor's registration probe "
        "fails without it."
    ),
    sources=("https://kubernetes.io/docs/concepts/security/pod-security-standards/", "https://github.com/llm-d/llm-d"),
    find=_find,
)
