"""A `kv_buffer_device` that NIXL does not support on the engine's device."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.facts.connectors import BUFFER_DEVICES


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if not engine.uses_nixl or engine.phase == "pool":
            continue
        allowed = BUFFER_DEVICES["cpu" if engine.on_cpu else "gpu"]
        if engine.buffer_device not in allowed:
            edits = (Put(engine.buffer_path, "cpu"),) if engine.on_cpu else ()
            device = "CPU" if engine.on_cpu else "GPU"
            yield Hit(
                engine.buffer_path,
                f"{engine.buffer_device!r} on a {device}",
                edits,
                f"Allowed: {', '.join(sorted(allowed))}.",
            )


RULE = Rule(
    id="TD114",
    title="a KV buffer where NIXL cannot have it",
    severity="error",
    why="NixlConnector takes cuda or cpu on an NVIDIA GPU, and cpu alone on a CPU; it raises on anything else.",
    fix="Write cpu or cuda.",
    sources=(f"{VLLM}/distributed/kv_transfer/kv_connector/v1/nixl/utils.py",),
    find=_find,
)
