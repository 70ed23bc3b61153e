"""Block sizes that the pull cannot bridge."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_WORKER
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = integer(prefill.args.get("block_size")), integer(decode.args.get("block_size"))
        if ours and theirs and ours != theirs:
            problem = _problem(prefill, decode, ours, theirs)
            if problem:
                yield Hit(decode.arg_path("block_size"), f"prefill {ours}, decode {theirs}: {problem}")


def _problem(prefill: Engine, decode: Engine, ours: int, theirs: int) -> str:
    if ours > theirs or theirs % ours:
        return "decode's must be a multiple of prefill's"
    if "cpu" in (prefill.buffer_device, decode.buffer_device) and not decode.on_cpu:
        return "a host buffer needs the same"
    if prefill.number("tensor_parallel_size", 1) > decode.number("tensor_parallel_size", 1):
        return "with more tensor parallel on prefill they must be the same"
    return ""


RULE = Rule(
    id="TD205",
    title="block sizes that do not fit together",
    severity="error",
    why=(
        "Decode reads prefill's blocks piece by piece: its own must hold a whole number of them, and a host "
        "buffer knows one size only."
    ),
    fix="Write the same block_size on both phases.",
    sources=(NIXL_WORKER,),
    find=_find,
)
