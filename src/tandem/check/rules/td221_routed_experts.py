"""Returning routed experts while a KV connector is set."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.disaggregated():
        if engine.args.get("enable_return_routed_experts"):
            path = engine.arg_path("enable_return_routed_experts")
            yield Hit(path, "enable_return_routed_experts with a KV connector", (Drop(path),))


RULE = Rule(
    id="TD221",
    title="routed experts cannot be returned",
    severity="error",
    why="vLLM raises: which experts prefill used is not part of what is transferred.",
    fix="Remove enable_return_routed_experts.",
    sources=(f"{VLLM}/config/vllm.py",),
    find=_find,
)
