"""A fixed `engine_id`: a restarted prefill then looks like the dead one."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM, vllm
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer and engine.transfer.get("engine_id") is not None:
            path = (*engine.transfer_path, "engine_id")
            yield Hit(path, f"engine_id is fixed to {engine.transfer['engine_id']!r}", (Drop(path),))


RULE = Rule(
    id="TD105",
    title="a static engine_id",
    severity="error",
    why=(
        "Decode remembers a peer's NIXL agent by its engine_id. A prefill that restarts under the same id is taken for "
        "the dead one: every request fails from then on, while Serve says HEALTHY."
    ),
    fix="Remove engine_id: each start then gets its own.",
    sources=(vllm(49238), vllm(58063), f"{RAY_LLM}/engines/vllm/kv_transfer/nixl.py"),
    find=_find,
)
