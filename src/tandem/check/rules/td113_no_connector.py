"""A kv_transfer_config that names no connector."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer is not None and not engine.transfer.get("kv_connector"):
            path = (*engine.transfer_path, "kv_connector")
            yield Hit(path, "kv_connector is missing", (Put(path, "NixlConnector"),))


RULE = Rule(
    id="TD113",
    title="kv_transfer_config without a connector",
    severity="error",
    why=(
        "Ray raises «Connector type is not specified» when the replica starts; in plain vLLM nothing is "
        "transferred at all."
    ),
    fix="Add kv_connector: NixlConnector.",
    sources=(f"{RAY_LLM}/core/configs/llm_config.py",),
    find=_find,
)
