"""Prefill and decode without a kv_transfer_config: no KV cache can move."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject

_ROLES = {"prefill": "kv_producer", "decode": "kv_consumer"}


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.config and engine.phase in _ROLES and engine.transfer is None:
            value = {
                "kv_connector": "NixlConnector",
                "kv_role": _ROLES[engine.phase],
                "kv_load_failure_policy": "fail",
            }
            free = engine.args.get("kv_transfer_config") is None
            edits = (Put(engine.transfer_path, value),) if free else ()
            yield Hit(engine.transfer_path, f"{engine.phase} has no kv_transfer_config", edits)


RULE = Rule(
    id="TD112",
    title="a phase without kv_transfer_config",
    severity="error",
    why="Ray's prefill/decode builder refuses it: without a connector on both phases there is no disaggregation.",
    fix="Add kv_transfer_config to engine_kwargs of both phases.",
    sources=(f"{RAY_LLM}/serving_patterns/prefill_decode/builder.py",),
    find=_find,
)
