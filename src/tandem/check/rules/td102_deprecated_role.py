"""`kv_role: kv_both`: deprecated for NIXL connectors."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_ROLES = {"prefill": "kv_producer", "decode": "kv_consumer"}


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer and engine.uses_nixl and engine.transfer.get("kv_role") == "kv_both":
            path, role = (*engine.transfer_path, "kv_role"), _ROLES.get(engine.phase)
            edits = (Put(path, role),) if role else ()
            yield Hit(path, "kv_both", edits, f"Write {role}." if role else "")


RULE = Rule(
    id="TD102",
    title="kv_role: kv_both is deprecated",
    severity="warning",
    why="vLLM warns that a future release removes kv_both for NIXL: this file then stops working with a newer image.",
    fix="Write kv_producer on prefill and kv_consumer on decode.",
    sources=(f"{VLLM}/distributed/kv_transfer/kv_connector/v1/nixl/connector.py",),
    find=_find,
)
