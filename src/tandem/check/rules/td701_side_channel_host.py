"""A NIXL side-channel host that no other node can reach."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM, vllm
from tandem.check.subject import Subject

_UNREACHABLE = {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::"}


def _find(subject: Subject) -> Iterator[Hit]:
    for var in subject.environment():
        if var.name == "VLLM_NIXL_SIDE_CHANNEL_HOST" and var.value in _UNREACHABLE:
            edits = (Drop(var.path),) if subject.document.kind != "workload" else ()
            yield Hit(var.path, f"{var.name}={var.value}", edits)


RULE = Rule(
    id="TD701",
    title="NIXL advertises an address that peers cannot reach",
    severity="error",
    why="Decode on another node connects to itself: the handshake fails and every prompt is computed twice.",
    fix="Remove it: Ray sets the node's own address.",
    sources=(vllm(27083), f"{RAY_LLM}/engines/vllm/kv_transfer/nixl.py"),
    find=_find,
)
