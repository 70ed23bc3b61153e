"""Pipeline parallelism with a connector that does not do it."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_WORKER, vllm
from tandem.check.subject import Subject
from tandem.facts.connectors import PUSH


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        size = engine.number("pipeline_parallel_size", 1)
        if size <= 1 or not engine.uses_nixl or engine.phase == "pool":
            continue
        if engine.phase == "decode" or engine.connector not in PUSH:
            yield Hit(engine.arg_path("pipeline_parallel_size"), f"{size} on {engine.phase}")


RULE = Rule(
    id="TD210",
    title="pipeline parallelism with NIXL",
    severity="error",
    why="The pull connector has none, and the push connector has it on prefill alone: decode raises when it starts.",
    fix="Use tensor parallelism, or a single stage.",
    sources=(vllm(52913), vllm(40674), NIXL_WORKER),
    find=_find,
)
