"""Settings of other connectors that NixlConnector does not read."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_UNREAD = ("kv_rank", "kv_parallel_size", "kv_ip", "kv_port", "kv_buffer_size")


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in _UNREAD:
            if engine.transfer and engine.uses_nixl and key in engine.transfer:
                path = (*engine.transfer_path, key)
                yield Hit(path, f"{key} is not read by {engine.connector}", (Drop(path),))


RULE = Rule(
    id="TD120",
    title="a setting that NIXL does not read",
    severity="info",
    why="It belongs to other connectors. Here it only suggests that an address or a port was chosen.",
    fix="Remove it.",
    sources=(f"{VLLM}/config/kv_transfer.py",),
    find=_find,
)
