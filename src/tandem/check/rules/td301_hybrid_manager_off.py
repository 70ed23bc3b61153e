"""A hybrid model with the hybrid KV cache manager switched off."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM, vllm
from tandem.check.subject import Subject
from tandem.facts.hybrid import is_hybrid


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.disaggregated():
        if is_hybrid(engine.model_source) and engine.args.get("disable_hybrid_kv_cache_manager"):
            path = engine.arg_path("disable_hybrid_kv_cache_manager")
            yield Hit(path, f"off, and {engine.model_source} is a hybrid model", (Drop(path),))


RULE = Rule(
    id="TD301",
    title="a hybrid model without its KV cache manager",
    severity="error",
    why=(
        "Recurrent layers keep a state and no blocks; without the hybrid manager the connector asserts when the "
        "engine starts."
    ),
    fix="Remove disable_hybrid_kv_cache_manager.",
    sources=(vllm(41869), f"{VLLM}/config/vllm.py"),
    find=_find,
)
