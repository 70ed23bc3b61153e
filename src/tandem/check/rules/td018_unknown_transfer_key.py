"""A key of kv_transfer_config that vLLM does not know."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import connectors, engine_args


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in engine.transfer or {}:
            if key not in engine_args.transfer_shapes() and key not in connectors.EXTRA_CONFIG:
                yield _hit(engine, key)


def _hit(engine: Engine, key: str) -> Hit:
    path = (*engine.transfer_path, key)
    if key in engine_args.names() and engine.config and key not in engine.args:
        to = engine.arg_path(key)
        return Hit(path, f"{key!r} is an engine argument", (Move(path, to),), "Move it to engine_kwargs.")
    value = (engine.transfer or {})[key]
    shapes = engine_args.transfer_shapes()
    close = nearest(key, [known for known, shape in shapes.items() if not shape.mismatch(value)])
    free = close is not None and close not in (engine.transfer or {})
    edits = (Move(path, (*engine.transfer_path, str(close))),) if free else ()
    return Hit(path, f"unknown key {key!r}", edits, f"Did you mean {close!r}?" if close else "")


RULE = Rule(
    id="TD018",
    title="a key that vLLM's KVTransferConfig refuses",
    severity="error",
    why="vLLM forbids unknown keys in kv_transfer_config: the engine does not start.",
    fix="Remove it.",
    sources=(f"{VLLM}/config/kv_transfer.py",),
    find=_find,
)
