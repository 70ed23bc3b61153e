"""A tensor parallel group that does not fit in one pod."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    largest = max((group.gpus for group in subject.workers), default=0)
    for engine in subject.engines:
        size = engine.number("tensor_parallel_size", 1)
        if largest and not engine.on_cpu and size > largest:
            yield Hit(engine.arg_path("tensor_parallel_size"), f"{size}, the largest pod has {largest} GPUs")


RULE = Rule(
    id="TD504",
    title="tensor parallelism across pods",
    severity="warning",
    why=(
        "Every layer then waits for the network between pods: vLLM advises tensor parallelism within a node and "
        "pipeline across."
    ),
    fix="Lower tensor_parallel_size to the GPUs of one pod, or use larger nodes.",
    sources=("https://docs.vllm.ai/en/stable/serving/parallelism_scaling/",),
    find=_find,
)
