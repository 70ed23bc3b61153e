"""An EKS version whose own security group does not let EFA traffic through."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EKS_EFA
from tandem.check.subject import Subject
from tandem.facts.versions import EFA_IN_CLUSTER_GROUP_SINCE, parse_version
from tandem.spec.reading import at, text

_PATH = ("target", "eks", "kubernetes_version")


def _find(subject: Subject) -> Iterator[Hit]:
    told = parse_version(text(at(subject.data, _PATH))) if subject.document.kind == "spec" else None
    since = parse_version(EFA_IN_CLUSTER_GROUP_SINCE)
    if told and since and told < since and any("LIBFABRIC" in engine.backends for engine in subject.engines):
        yield Hit(_PATH, f"Kubernetes {told.major}.{told.minor}, with EFA")


RULE = Rule(
    id="TD608",
    title="EFA on an older EKS needs its own security group",
    severity="warning",
    why=(
        "From 1.33 on the cluster's own security group lets EFA traffic through between managed nodes. Before, a group "
        "of its own must: without it the devices are there and no packet arrives."
    ),
    fix="Use Kubernetes 1.33 or newer.",
    sources=(EKS_EFA, "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html"),
    find=_find,
)
