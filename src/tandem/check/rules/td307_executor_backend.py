"""An executor that Ray Serve LLM does not take."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM, ray, vllm
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        backend = engine.args.get("distributed_executor_backend")
        if engine.config and not engine.on_cpu and backend not in (None, "ray"):
            path = engine.arg_path("distributed_executor_backend")
            yield Hit(path, f"{backend!r}", (Drop(path),))


RULE = Rule(
    id="TD307",
    title="an executor that Ray Serve LLM refuses",
    severity="error",
    why="On GPUs Ray places the engine's workers in its own placement group: any executor but ray raises at start.",
    fix="Remove distributed_executor_backend.",
    sources=(f"{RAY_LLM}/engines/vllm/vllm_models.py", ray(59064), vllm(29688)),
    find=_find,
)
