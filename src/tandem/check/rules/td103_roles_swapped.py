"""Prefill that calls itself a consumer, or decode that calls itself a producer."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_WRONG = {"prefill": ("kv_consumer", "kv_producer"), "decode": ("kv_producer", "kv_consumer")}


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if not engine.transfer or engine.phase not in _WRONG or not engine.config:
            continue
        wrong, right = _WRONG[engine.phase]
        if engine.transfer.get("kv_role") == wrong:
            path = (*engine.transfer_path, "kv_role")
            yield Hit(path, f"{engine.phase} is a {wrong}", (Put(path, right),), f"Write {right}.")


RULE = Rule(
    id="TD103",
    title="the phases' roles are swapped",
    severity="error",
    why=(
        "vLLM holds back freed blocks on a consumer, so that a load cannot be written over. A decode that calls itself "
        "a producer loses that guard, and every log names the wrong side."
    ),
    fix="Write kv_producer on prefill and kv_consumer on decode.",
    sources=(f"{VLLM}/v1/core/sched/scheduler.py", f"{VLLM}/config/kv_transfer.py"),
    find=_find,
)
