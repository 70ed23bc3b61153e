"""UCX_TLS that leaves out what the transfer needs."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_USAGE
from tandem.check.subject import Subject

_CUDA = ("cuda", "gdr", "all")


def _find(subject: Subject) -> Iterator[Hit]:
    engines = [engine for engine in subject.engines if engine.uses_nixl and engine.phase != "pool"]
    for var in subject.environment():
        if var.name != "UCX_TLS" or not var.value or not engines:
            continue
        if all("UCX" not in engine.backends for engine in engines):
            yield Hit(var.path, f"UCX_TLS={var.value}, and no engine uses UCX", fix="Remove it.", severity="info")
        elif _lacks_cuda(var.value) and any(not e.on_cpu and e.buffer_device == "cuda" for e in engines):
            yield Hit(var.path, f"UCX_TLS={var.value}")


def _lacks_cuda(value: str) -> bool:
    return not value.startswith("^") and not any(part.startswith(_CUDA) for part in value.split(","))


RULE = Rule(
    id="TD705",
    title="UCX cannot touch GPU memory",
    severity="error",
    why="UCX_TLS is the whole list of transports: without cuda_copy the KV cache in GPU memory cannot be sent.",
    fix="Add cuda_copy, such as UCX_TLS=tcp,cuda_copy, or remove UCX_TLS.",
    sources=("https://openucx.readthedocs.io/en/master/faq.html", NIXL_USAGE),
    find=_find,
)
