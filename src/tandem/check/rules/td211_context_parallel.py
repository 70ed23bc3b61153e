"""Context parallel sizes that NixlConnector does not take."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if not engine.uses_nixl or engine.phase == "pool":
            continue
        tensor, decode = engine.number("tensor_parallel_size", 1), engine.number("decode_context_parallel_size", 1)
        if engine.number("prefill_context_parallel_size", 1) > 1:
            yield Hit(engine.arg_path("prefill_context_parallel_size"), "prefill context parallelism with NIXL")
        if decode not in (1, tensor):
            found = f"decode_context_parallel_size {decode}, tensor_parallel_size {tensor}"
            yield Hit(engine.arg_path("decode_context_parallel_size"), found)


RULE = Rule(
    id="TD211",
    title="context parallelism that NIXL does not take",
    severity="error",
    why=(
        "vLLM asserts it when the engine starts: no prefill context parallelism, and decode's is 1 or all tensor ranks."
    ),
    fix="Set prefill_context_parallel_size to 1 and decode_context_parallel_size to 1 or tensor_parallel_size.",
    sources=(f"{VLLM}/config/vllm.py",),
    find=_find,
)
