"""`num_gpus` in ray_actor_options: the replica actor then takes the GPU that its engine needs."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM, ray, vllm
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        options = mapping(mapping(engine.config.get("deployment_config")).get("ray_actor_options"))
        if options.get("num_gpus"):
            path = (*engine.path, "deployment_config", "ray_actor_options", "num_gpus")
            yield Hit(path, f"num_gpus: {options['num_gpus']}", (Drop(path),))


RULE = Rule(
    id="TD308",
    title="GPUs for the actor instead of its engine",
    severity="error",
    why=(
        "Ray Serve LLM reserves the engine's GPUs in a placement group. GPUs of the actor come on top: the bundle asks "
        "for more than a node has, or the engine's workers find none."
    ),
    fix="Remove num_gpus; the size follows from tensor_parallel_size.",
    sources=(ray(59064), vllm(29688), f"{RAY_LLM}/core/server/llm_server.py"),
    find=_find,
)
