"""A KV buffer in GPU memory on one phase and in host memory on the other."""

from collections.abc import Iterator

from tandem.check.compare import transfer_pairs
from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import NIXL_WORKER
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in transfer_pairs(subject):
        ours, theirs = prefill.buffer_device, decode.buffer_device
        if prefill.uses_nixl and decode.uses_nixl and ours != theirs:
            side = decode if "kv_buffer_device" in (decode.transfer or {}) else prefill
            edits = tuple(
                Put(engine.buffer_path, "cpu") for engine in (prefill, decode) if engine.buffer_device != "cpu"
            )
            yield Hit(side.buffer_path, f"prefill {ours}, decode {theirs}", edits if "cpu" in (ours, theirs) else ())


RULE = Rule(
    id="TD209",
    title="the phases buffer in different memory",
    severity="error",
    why=(
        "Decode describes prefill's memory as the kind it has itself: a GPU address read as host memory makes "
        "every transfer fail."
    ),
    fix="Write the same kv_buffer_device on both phases.",
    sources=(NIXL_WORKER,),
    find=_find,
)
