"""Tensor parallel sizes of which neither divides the other."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_USAGE, VLLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = prefill.number("tensor_parallel_size", 1), decode.number("tensor_parallel_size", 1)
        if min(ours, theirs) > 0 and max(ours, theirs) % min(ours, theirs):
            yield Hit(decode.arg_path("tensor_parallel_size"), f"prefill {ours}, decode {theirs}")


RULE = Rule(
    id="TD206",
    title="tensor parallel sizes that do not divide",
    severity="error",
    why=(
        "Each decode worker reads from a whole number of prefill workers, or the reverse; NIXL asserts it in the "
        "handshake."
    ),
    fix="Make one a multiple of the other, or both the same.",
    sources=(f"{VLLM}/distributed/kv_transfer/kv_connector/utils.py", NIXL_USAGE),
    find=_find,
)
