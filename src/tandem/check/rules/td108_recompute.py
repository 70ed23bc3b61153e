"""`kv_load_failure_policy: recompute`: a broken transfer then shows as slowness only."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import vllm
from tandem.check.subject import Subject
from tandem.facts.hybrid import is_hybrid


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer and engine.transfer.get("kv_load_failure_policy") == "recompute":
            path = (*engine.transfer_path, "kv_load_failure_policy")
            hybrid = is_hybrid(engine.model_source)
            found = "recompute, with a hybrid model" if hybrid else "recompute"
            yield Hit(path, found, (Put(path, "fail"),), severity="error" if hybrid else None)


RULE = Rule(
    id="TD108",
    title="failed transfers are recomputed in silence",
    severity="warning",
    why=(
        "Decode then prefills again and answers late, so a transfer that never works looks like a slow service. "
        "For hybrid models a failed load has returned garbage with HTTP 200."
    ),
    fix="Write kv_load_failure_policy: fail.",
    sources=(vllm(32200), vllm(52234)),
    find=_find,
)
