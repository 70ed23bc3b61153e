"""A key in engine_kwargs that is no argument of the pinned vLLM."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import connectors, engine_args, serve_fields

_FORBIDDEN = frozenset({"model", "served_model_name"})


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.pinned_release:
        return
    seen = set()
    for engine in subject.engines:
        for name in engine.args:
            path = engine.arg_path(name)
            if name not in engine_args.names() | _FORBIDDEN and path not in seen:
                seen.add(path)
                yield _hit(engine, name)


def _hit(engine: Engine, name: str) -> Hit:
    path = engine.arg_path(name)
    home = _home(engine, name)
    if home:
        return Hit(
            path, f"{name!r} is no engine argument", (Move(path, home),), f"Move it to {'.'.join(map(str, home))}."
        )
    shapes = {**engine_args.frontend_shapes(), **engine_args.shapes()}
    close = nearest(name, [known for known, shape in shapes.items() if not shape.mismatch(engine.args[name])])
    if close and close not in engine.args:
        return Hit(path, f"unknown argument {name!r}", (Move(path, (*path[:-1], close)),), f"Rename it to {close!r}.")
    return Hit(path, f"unknown argument {name!r}", fix=f"Did you mean {close!r}?" if close else "")


def _home(engine: Engine, name: str) -> tuple[str | int, ...]:
    """Where the key would be right: one level up for Ray's own, one or two down for the transfer's."""
    if not engine.config:
        return ()
    if name in serve_fields.model("llm_config").fields and name not in engine.config:
        return (*engine.path, name)
    if engine.transfer is not None and name in engine_args.transfer_shapes() and name not in engine.transfer:
        return (*engine.transfer_path, name)
    if engine.transfer is not None and name in connectors.EXTRA_CONFIG and name not in engine.extra:
        return (*engine.extra_path, name)
    return ()


RULE = Rule(
    id="TD004",
    title="an argument that vLLM does not know",
    severity="error",
    why=(
        "Ray passes engine_kwargs to vLLM by name and stops at the first it does not know, after the pods have started."
    ),
    fix="Remove it.",
    sources=(f"{RAY_LLM}/engines/vllm/vllm_models.py", "https://docs.vllm.ai/en/stable/configuration/engine_args/"),
    find=_find,
)
