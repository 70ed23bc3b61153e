"""A token budget for a step that is smaller than the number of sequences in it."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        budget, sequences = integer(engine.args.get("max_num_batched_tokens")), integer(engine.args.get("max_num_seqs"))
        path = engine.arg_path("max_num_batched_tokens")
        if budget and sequences and 0 < budget < sequences and path not in seen:
            seen.add(path)
            yield Hit(path, f"{budget} tokens a step for {sequences} sequences")


RULE = Rule(
    id="TD306",
    title="a step smaller than its sequences",
    severity="error",
    why="Each running sequence needs one token a step; vLLM refuses max_num_batched_tokens below max_num_seqs.",
    fix="Raise max_num_batched_tokens or lower max_num_seqs.",
    sources=(f"{VLLM}/config/scheduler.py",),
    find=_find,
)
