"""Two phases with different KV connectors, or one that pulls and one that pushes."""

from collections.abc import Iterator

from tandem.check.compare import transfer_pairs
from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject
from tandem.facts.connectors import PULL


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in transfer_pairs(subject):
        ours, theirs = prefill.connector, decode.connector
        if ours and theirs and ours != theirs and not {ours, theirs} <= PULL:
            yield Hit((*decode.transfer_path, "kv_connector"), f"prefill {ours}, decode {theirs}")


RULE = Rule(
    id="TD208",
    title="the phases use different KV connectors",
    severity="error",
    why=(
        "Each connector has its own protocol; NIXL's pull and push are told apart in the handshake and refuse "
        "each other."
    ),
    fix="Write the same kv_connector on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
