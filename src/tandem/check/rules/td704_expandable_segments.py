"""PyTorch's expandable segments beside a KV connector."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_NAMES = {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"}


def _find(subject: Subject) -> Iterator[Hit]:
    engines = subject.disaggregated()
    if not engines or all(engine.args.get("enable_cumem_allocator") for engine in engines):
        return
    for var in subject.environment():
        if var.name in _NAMES and "expandable_segments:True" in (var.value or ""):
            yield Hit(var.path, f"{var.name}={var.value}")


RULE = Rule(
    id="TD704",
    title="memory that moves under a registered KV cache",
    severity="error",
    why=(
        "vLLM refuses it with a KV connector: the allocator can remap the cache to other pages than those the NIC "
        "knows."
    ),
    fix="Remove expandable_segments, or set enable_cumem_allocator.",
    sources=(f"{VLLM}/config/vllm.py",),
    find=_find,
)
