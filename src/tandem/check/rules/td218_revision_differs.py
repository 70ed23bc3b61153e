"""Two phases that load different revisions of the same model."""

from collections.abc import Iterator

from tandem.check.compare import differing_args
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for name in ("revision", "hf_overrides"):
        yield from differing_args(subject, name)


RULE = Rule(
    id="TD218",
    title="the phases load different revisions",
    severity="error",
    why=(
        "NIXL's compatibility hash does not see the revision: the KV cache of one is read by the other, and "
        "answers are wrong."
    ),
    fix="Write the same revision on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
