"""`enforce_handshake_compat: false`: phases that do not match are no longer refused."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.extra.get("enforce_handshake_compat") is False:
            path = (*engine.extra_path, "enforce_handshake_compat")
            yield Hit(path, "the handshake's compatibility check is off", (Drop(path),))


RULE = Rule(
    id="TD119",
    title="the compatibility check is switched off",
    severity="warning",
    why=(
        "The check compares vLLM's release, the model, dtypes and attention backend of both phases. "
        "Without it, a KV cache of another layout is read as if it were right."
    ),
    fix="Remove enforce_handshake_compat.",
    sources=(NIXL_METADATA,),
    find=_find,
)
