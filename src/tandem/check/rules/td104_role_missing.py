"""A connector without a role: vLLM does not start."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_ROLES = {"prefill": "kv_producer", "decode": "kv_consumer", "pool": "kv_both"}


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer and engine.connector and engine.transfer.get("kv_role") is None:
            path, role = (*engine.transfer_path, "kv_role"), _ROLES[engine.phase]
            yield Hit(path, f"{engine.connector} has no kv_role", (Put(path, role),), f"Add kv_role: {role}.")


RULE = Rule(
    id="TD104",
    title="a KV connector without a role",
    severity="error",
    why="vLLM raises when a connector is set and kv_role is not: the replica never starts.",
    fix="Add kv_role.",
    sources=(f"{VLLM}/config/kv_transfer.py",),
    find=_find,
)
