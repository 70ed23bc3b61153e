"""Another lease on decode than on prefill: heartbeats then come at the wrong pace."""

from collections.abc import Iterator

from tandem.check.compare import transfer_pairs
from tandem.check.finding import Hit, Put, Rule, Severity
from tandem.check.sources import NIXL_WORKER, vllm
from tandem.check.subject import Subject
from tandem.facts.connectors import DEFAULT_LEASE_SECONDS
from tandem.spec.reading import integer

_KEY = "kv_lease_duration"


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in transfer_pairs(subject):
        ours = integer(prefill.extra.get(_KEY, DEFAULT_LEASE_SECONDS))
        theirs = integer(decode.extra.get(_KEY, DEFAULT_LEASE_SECONDS))
        if ours is not None and theirs is not None and ours != theirs:
            side = decode if _KEY in decode.extra else prefill
            path = (*side.extra_path, _KEY)
            edit = (
                Put(((*decode.extra_path, _KEY)), max(ours, theirs)),
                Put((*prefill.extra_path, _KEY), max(ours, theirs)),
            )
            severity: Severity | None = "error" if theirs > 4 * ours else None
            yield Hit(path, f"prefill {ours} s, decode {theirs} s", edit, severity=severity)


RULE = Rule(
    id="TD116",
    title="the phases have different leases",
    severity="warning",
    why=(
        "Decode renews the lease every sixth of its own value, prefill extends it by two thirds of its own. "
        "With decode's over four times prefill's, blocks expire between two heartbeats."
    ),
    fix="Give both phases the same kv_lease_duration.",
    sources=(NIXL_WORKER, vllm(21570)),
    find=_find,
)
