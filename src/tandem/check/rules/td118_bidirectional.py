"""`bidirectional_kv_xfer` where it is not supported, or on one side only."""

from collections.abc import Iterator

from tandem.check.compare import transfer_pairs
from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.facts.connectors import PUSH

_KEY = "bidirectional_kv_xfer"


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.connector in PUSH and engine.extra.get(_KEY):
            yield Hit((*engine.extra_path, _KEY), f"{engine.connector} cannot do it", severity="error")
    for prefill, decode in transfer_pairs(subject):
        if bool(prefill.extra.get(_KEY)) != bool(decode.extra.get(_KEY)):
            side = prefill if prefill.extra.get(_KEY) else decode
            yield Hit((*side.extra_path, _KEY), f"on for {side.phase} only", fix="Set it on both phases or on none.")


RULE = Rule(
    id="TD118",
    title="two-way transfer that cannot work",
    severity="warning",
    why="The push connector raises on it, and with one side alone decode keeps blocks that prefill never asks for.",
    fix="Remove it.",
    sources=(f"{VLLM}/distributed/kv_transfer/kv_connector/v1/nixl/push_scheduler.py",),
    find=_find,
)
