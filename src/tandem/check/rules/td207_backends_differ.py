"""Two phases whose NIXL agents speak different transports."""

from collections.abc import Iterator

from tandem.check.compare import transfer_pairs
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_USAGE, vllm
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in transfer_pairs(subject):
        ours, theirs = prefill.backends, decode.backends
        if ours and theirs and not set(ours) & set(theirs):
            side = decode if "backends" in decode.extra else prefill
            yield Hit(side.backends_path, f"prefill {', '.join(ours)}, decode {', '.join(theirs)}")


RULE = Rule(
    id="TD207",
    title="the phases use different NIXL backends",
    severity="error",
    why="Two agents need a backend in common. A phase without `backends` uses UCX, so one forgotten line is enough.",
    fix="Write the same backends in kv_connector_extra_config of both phases.",
    sources=(vllm(41814), NIXL_USAGE),
    find=_find,
)
