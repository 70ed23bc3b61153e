"""A key in kv_connector_extra_config that NixlConnector does not read."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import NIXL_USAGE, NIXL_WORKER
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import engine_args
from tandem.facts.connectors import EXTRA_CONFIG, NIXL


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in engine.extra if engine.connector in NIXL else ():
            if key in EXTRA_CONFIG or key in engine_args.transfer_shapes():
                continue
            path, close = (*engine.extra_path, key), nearest(key, EXTRA_CONFIG)
            edits = (Move(path, (*engine.extra_path, close)),) if close else ()
            yield Hit(path, f"{key!r} is not read", edits, f"Did you mean {close!r}?" if close else "")


RULE = Rule(
    id="TD125",
    title="a connector setting that nobody reads",
    severity="warning",
    why=(
        "vLLM takes any key in kv_connector_extra_config and looks up those it knows: a misspelt one runs as its "
        "default."
    ),
    fix="Remove it, or correct its name.",
    sources=(NIXL_USAGE, NIXL_WORKER),
    find=_find,
)
