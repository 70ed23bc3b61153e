"""`kv_offloading_size` beside a KV connector: it replaces the connector."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        transfers = engine.connector or (engine.spec_transfer and engine.phase != "pool")
        if transfers and engine.args.get("kv_offloading_size") is not None:
            path = engine.arg_path("kv_offloading_size")
            yield Hit(path, f"kv_offloading_size beside {engine.connector or 'the transfer'}", (Drop(path),))


RULE = Rule(
    id="TD122",
    title="offloading replaces the KV connector",
    severity="error",
    why=(
        "vLLM then puts its offloading connector in the place of yours and sets the role to kv_both: no transfer, "
        "no error."
    ),
    fix="Remove kv_offloading_size, or combine both in a MultiConnector.",
    sources=(f"{VLLM}/config/vllm.py",),
    find=_find,
)
