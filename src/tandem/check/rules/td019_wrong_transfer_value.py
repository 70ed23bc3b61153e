"""A value in kv_transfer_config that vLLM refuses."""

from collections.abc import Iterator

from tandem.check.compare import shown
from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.facts import engine_args


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key, value in (engine.transfer or {}).items():
            shape = engine_args.transfer_shapes().get(key)
            if shape and shape.mismatch(value):
                yield Hit((*engine.transfer_path, key), shown(value), fix=f"Allowed: {shape.allowed()}.")


RULE = Rule(
    id="TD019",
    title="a value that KVTransferConfig refuses",
    severity="error",
    why="vLLM validates kv_transfer_config when the engine starts, and the replica restarts again and again.",
    fix="Correct the value.",
    sources=(f"{VLLM}/config/kv_transfer.py",),
    find=_find,
)
