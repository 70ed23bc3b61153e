"""A hybrid model, disaggregated, on CPU engines."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_WORKER, vllm
from tandem.check.subject import Subject
from tandem.facts.hybrid import is_hybrid


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.phase != "pool" and engine.on_cpu and is_hybrid(engine.model_source):
            path = ("model", "source") if engine.spec_transfer else engine.path
            yield Hit(path, f"{engine.model_source} on a CPU, in two phases")
            return


RULE = Rule(
    id="TD304",
    title="a hybrid model cannot be disaggregated on a CPU",
    severity="error",
    why=(
        "vLLM's CPU kernels force the SD layout of the convolution state, and NixlConnector demands DS: it never "
        "starts."
    ),
    fix="Use pool instead of prefill and decode here, or another model.",
    sources=(vllm(41869), NIXL_WORKER),
    find=_find,
)
