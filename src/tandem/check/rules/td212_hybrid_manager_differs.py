"""The hybrid KV cache manager on for one phase and off for the other."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    return differing_args(subject, "disable_hybrid_kv_cache_manager")


RULE = Rule(
    id="TD212",
    title="the hybrid KV cache manager differs",
    severity="error",
    why="Whether it is on is part of NIXL's compatibility hash: the handshake is refused at the first request.",
    fix="Set disable_hybrid_kv_cache_manager the same on both phases, or leave it out of both.",
    sources=(NIXL_METADATA,),
    find=_find,
)
