"""Fewer placement bundles than the engine has workers."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM, VLLM
from tandem.check.subject import Subject
from tandem.spec.reading import items, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        bundles = [mapping(b) for b in items(mapping(engine.config.get("placement_group_config")).get("bundles"))]
        if not bundles or engine.on_cpu:
            continue
        offered = sum(float(b["GPU"]) for b in bundles if isinstance(b.get("GPU"), (int, float)))
        workers = engine.number("tensor_parallel_size", 1) * engine.number("pipeline_parallel_size", 1)
        if 1 <= offered < workers:
            path = (*engine.path, "placement_group_config", "bundles")
            yield Hit(path, f"{offered:g} GPUs in the bundles, {workers} workers (tensor x pipeline parallel)")


RULE = Rule(
    id="TD309",
    title="a placement group too small for the engine",
    severity="error",
    why="vLLM puts one worker on each GPU bundle; with fewer bundles than workers the engine waits or raises at start.",
    fix="Write one bundle with a GPU for each worker, or bundle_per_worker.",
    sources=(f"{VLLM}/v1/executor/ray_utils.py", f"{RAY_LLM}/engines/vllm/vllm_models.py"),
    find=_find,
)
