"""Another attention backend on decode than on prefill."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    return differing_args(subject, "attention_backend")


RULE = Rule(
    id="TD214",
    title="the phases use different attention backends",
    severity="error",
    why="The backend decides how the KV cache lies in memory and is part of NIXL's compatibility hash.",
    fix="Set attention_backend the same on both phases, or leave it out of both.",
    sources=(NIXL_METADATA,),
    find=_find,
)
