"""Another KV cache dtype on decode than on prefill."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    return differing_args(subject, "kv_cache_dtype", "auto")


RULE = Rule(
    id="TD204",
    title="the phases keep different KV caches",
    severity="error",
    why="The bytes of one cannot be read as the other; NIXL refuses the handshake at the first request.",
    fix="Write the same kv_cache_dtype on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
