"""A token budget for a step that is smaller than one sequence, without chunked prefill."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        budget, length = integer(engine.args.get("max_num_batched_tokens")), integer(engine.args.get("max_model_len"))
        path = engine.arg_path("max_num_batched_tokens")
        whole = engine.args.get("enable_chunked_prefill") is False
        if budget and length and whole and budget < length and path not in seen:
            seen.add(path)
            yield Hit(path, f"{budget} tokens a step, sequences of {length}, and no chunked prefill")


RULE = Rule(
    id="TD305",
    title="a step that cannot hold one prompt",
    severity="error",
    why="Without chunked prefill a prompt is computed in one step; vLLM refuses a budget below max_model_len.",
    fix="Raise max_num_batched_tokens to max_model_len, or let chunked prefill on.",
    sources=(f"{VLLM}/config/scheduler.py",),
    find=_find,
)
