"""`kv_load_failure_policy` inside kv_connector_extra_config, where nobody reads it."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import VLLM, vllm
from tandem.check.subject import Subject
from tandem.facts import engine_args


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in engine.extra:
            if key in engine_args.transfer_shapes() and key not in (engine.transfer or {}):
                path = (*engine.extra_path, key)
                yield Hit(
                    path, f"{key} stands in kv_connector_extra_config", (Move(path, (*engine.transfer_path, key)),)
                )


RULE = Rule(
    id="TD107",
    title="a transfer setting one level too deep",
    severity="error",
    why="vLLM reads it beside kv_connector only. In kv_connector_extra_config it is ignored and the default applies.",
    fix="Move it one level up, beside kv_connector.",
    sources=(f"{VLLM}/config/kv_transfer.py", vllm(34896)),
    find=_find,
)
