"""Another dtype on decode than on prefill."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    return differing_args(subject, "dtype", "auto")


RULE = Rule(
    id="TD203",
    title="the phases compute in different dtypes",
    severity="error",
    why="dtype is part of NIXL's compatibility hash: the handshake is refused at the first request, not before.",
    fix="Write the same dtype on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
