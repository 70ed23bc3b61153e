"""A fixed NIXL side-channel port for several engines."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    engines = sum(engine.replicas[1] for engine in subject.engines)
    if subject.document.kind == "workload" or engines < 2:
        return
    for var in subject.environment():
        if var.name == "VLLM_NIXL_SIDE_CHANNEL_PORT":
            yield Hit(var.path, f"one port ({var.value}) for {engines} engines", (Drop(var.path),))


RULE = Rule(
    id="TD702",
    title="one side-channel port for several engines",
    severity="warning",
    why="Ray gives each replica its own port unless this variable is set: two engines on one node then want the same.",
    fix="Remove it; set NIXL_SIDE_CHANNEL_PORT_BASE in experimental_configs to choose a range.",
    sources=(f"{RAY_LLM}/engines/vllm/kv_transfer/nixl.py",),
    find=_find,
)
