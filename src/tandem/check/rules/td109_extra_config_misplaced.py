"""`backends`, `kv_lease_duration` and their like beside kv_connector instead of in kv_connector_extra_config."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import VLLM, vllm
from tandem.check.subject import Subject
from tandem.facts.connectors import EXTRA_CONFIG


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in engine.transfer or {}:
            if key in EXTRA_CONFIG:
                path = (*engine.transfer_path, key)
                edits = () if key in engine.extra else (Move(path, (*engine.extra_path, key)),)
                yield Hit(path, f"{key} stands beside kv_connector", edits)


RULE = Rule(
    id="TD109",
    title="a connector setting one level too high",
    severity="error",
    why=(
        "NixlConnector reads it from kv_connector_extra_config only, and vLLM refuses a key it does not know "
        "beside kv_connector."
    ),
    fix="Move it into kv_connector_extra_config.",
    sources=(vllm(41814), f"{VLLM}/config/kv_transfer.py"),
    find=_find,
)
