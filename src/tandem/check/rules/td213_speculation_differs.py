"""Speculative decoding on one phase, or another draft model on the other."""

from collections.abc import Iterator

from tandem.check.compare import shown
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject
from tandem.spec.reading import mapping, text

_COMPARED = ("method", "model", "revision", "kv_cache_dtype", "parallel_drafting")


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = mapping(prefill.args.get("speculative_config")), mapping(decode.args.get("speculative_config"))
        if not _shares_state(ours) and not _shares_state(theirs):
            continue
        if [ours.get(key) for key in _COMPARED] != [theirs.get(key) for key in _COMPARED]:
            side = decode if theirs else prefill
            found = f"prefill has {shown(dict(ours) or None)}, decode {shown(dict(theirs) or None)}"
            yield Hit(side.arg_path("speculative_config"), found)


def _shares_state(config: object) -> bool:
    """EAGLE and MTP drafts read the target's hidden states, so their layers are part of what is transferred."""
    method = text(mapping(config).get("method"))
    return "eagle" in method or "mtp" in method


RULE = Rule(
    id="TD213",
    title="the phases speculate differently",
    severity="error",
    why=(
        "EAGLE and MTP add layers to the KV cache, so they are part of NIXL's compatibility hash: one side alone "
        "is refused."
    ),
    fix="Write the same speculative_config on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
