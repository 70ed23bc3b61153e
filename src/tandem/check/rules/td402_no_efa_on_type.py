"""EFA wanted on an EC2 type that has none."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EFA_TYPES
from tandem.check.subject import Subject
from tandem.facts.efa import efa_sibling, gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        known = gpu_type(engine.node_type or "")
        wants = "LIBFABRIC" in engine.backends or engine.spec_transfer.get("over") == "efa"
        if known and not known.efa and wants and not engine.on_cpu:
            larger = efa_sibling(known.name)
            fix = f"Use {larger} or larger." if larger else ""
            yield Hit(engine.backends_path, f"{engine.phase}: {known.name} has no EFA interface", fix=fix)


RULE = Rule(
    id="TD402",
    title="EFA on an instance type without it",
    severity="error",
    why=(
        "Small sizes of a family have no EFA interface: libfabric finds no efa provider there, and the node group "
        "cannot ask for one."
    ),
    fix="Choose a type with EFA, or UCX.",
    sources=(EFA_TYPES,),
    find=_find,
)
