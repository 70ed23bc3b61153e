"""An EFA pod that may not lock memory."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EKS_EFA
from tandem.check.subject import Subject
from tandem.spec.reading import items, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.workers:
        added = items(mapping(group.security.get("capabilities")).get("add"))
        if (
            group.efa
            and not group.security.get("privileged")
            and not {"IPC_LOCK", "CAP_IPC_LOCK", "ALL"} & set(map(str, added))
        ):
            path = (*group.container_path, "securityContext", "capabilities", "add")
            yield Hit(path, f"{group.name} has neither IPC_LOCK nor privileged")


RULE = Rule(
    id="TD410",
    title="EFA memory cannot be locked",
    severity="warning",
    why=(
        "Registering memory with the NIC pins it, which counts against memlock: with a low limit NIXL's "
        "registration fails."
    ),
    fix="Add the capability IPC_LOCK to the container.",
    sources=(
        EKS_EFA,
        "https://man7.org/linux/man-pages/man7/capabilities.7.html",
    ),
    find=_find,
)
