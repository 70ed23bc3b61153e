"""No `kv_load_failure_policy`: what a failed transfer does then depends on the vLLM release."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM, vllm
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        loads = engine.phase in ("prefill", "decode") or engine.uses_nixl
        if engine.connector and loads and "kv_load_failure_policy" not in {**(engine.transfer or {}), **engine.extra}:
            path = (*engine.transfer_path, "kv_load_failure_policy")
            yield Hit(path, "no kv_load_failure_policy", (Put(path, "fail"),))


RULE = Rule(
    id="TD106",
    title="no policy for a failed KV load",
    severity="warning",
    why=(
        "Older vLLM recomputes the prompt in silence when a transfer fails, newer vLLM fails the request. "
        "Without the key an image update changes what clients see."
    ),
    fix="Add kv_load_failure_policy: fail.",
    sources=(vllm(32200), vllm(34896), f"{VLLM}/config/kv_transfer.py"),
    find=_find,
)
