"""Weights quantised on one phase only, or differently."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    return differing_args(subject, "quantization")


RULE = Rule(
    id="TD216",
    title="the phases quantise differently",
    severity="warning",
    why=(
        "NIXL's compatibility hash does not look at it: decode then continues on a KV cache that other weights "
        "computed."
    ),
    fix="Write the same quantization on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
