"""A KV connector that vLLM does not have."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import engine_args


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        own_module = engine.transfer and engine.transfer.get("kv_connector_module_path")
        if engine.connector and engine.connector not in engine_args.connectors() and not own_module:
            path, close = (*engine.transfer_path, "kv_connector"), nearest(engine.connector, engine_args.connectors())
            edits = (Put(path, close),) if close else ()
            yield Hit(path, f"unknown connector {engine.connector!r}", edits, f"Did you mean {close}?" if close else "")


RULE = Rule(
    id="TD111",
    title="a KV connector that vLLM does not have",
    severity="error",
    why="vLLM looks the connector up by name when the engine starts and stops when it is not there.",
    fix="Use a registered connector such as NixlConnector, or give kv_connector_module_path.",
    sources=(f"{VLLM}/distributed/kv_transfer/kv_connector/factory.py",),
    find=_find,
)
