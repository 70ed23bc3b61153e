"""FI_PROVIDER that keeps libfabric away from EFA."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EKS_EFA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    wanted = any(group.efa for group in subject.workers) or any(
        e.spec_transfer.get("over") == "efa" for e in subject.engines
    )
    if not wanted or not any("LIBFABRIC" in engine.backends for engine in subject.engines):
        return
    for var in subject.environment():
        if var.name == "FI_PROVIDER" and var.value is not None and "efa" not in var.value.split(","):
            yield Hit(var.path, f"FI_PROVIDER={var.value}")


RULE = Rule(
    id="TD409",
    title="libfabric is told to use another provider",
    severity="error",
    why=(
        "libfabric then goes by TCP over the same LIBFABRIC backend, and the log line that people look for is "
        "still there."
    ),
    fix="Remove FI_PROVIDER, or set it to efa.",
    sources=("https://ofiwg.github.io/libfabric/main/man/fabric.7.html", EKS_EFA),
    find=_find,
)
