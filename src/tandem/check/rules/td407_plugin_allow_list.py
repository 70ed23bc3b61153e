"""A type that the EFA device plugin's older manifest does not list."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EKS_EFA
from tandem.check.subject import Subject
from tandem.facts.efa import gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        known = gpu_type(engine.node_type or "")
        if (
            known
            and known.efa
            and not known.in_old_plugin_list
            and "LIBFABRIC" in engine.backends
            and known.name not in seen
        ):
            seen.add(known.name)
            yield Hit(engine.backends_path, f"{known.name} is not in the plugin's older list")


RULE = Rule(
    id="TD407",
    title="a type that older EFA plugins skip",
    severity="info",
    why=(
        "The plugin's DaemonSet runs on a fixed list of types. On others vpc.amazonaws.com/efa never appears, and "
        "no event says why."
    ),
    fix="Install the plugin from its Helm chart, 0.5.20 or newer, and wait for the allocatable resource.",
    sources=(
        "https://github.com/aws-samples/aws-do-eks/issues/56",
        "https://github.com/aws/eks-charts/issues/1348",
        EKS_EFA,
    ),
    find=_find,
)
