"""`model` or `served_model_name` in engine_kwargs: Ray sets them itself."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for name in ("model", "served_model_name"):
            if name in engine.args:
                edits = (Drop(engine.arg_path(name)),) if engine.model_source else ()
                yield Hit(engine.arg_path(name), f"{name} is given as an engine argument", edits)


RULE = Rule(
    id="TD009",
    title="the model is named in engine_kwargs",
    severity="error",
    why="Ray Serve LLM names the model by model_loading_config and raises when engine_kwargs does it too.",
    fix="Name the model in model_loading_config (in a spec: model.source and model.id).",
    sources=(f"{RAY_LLM}/engines/vllm/vllm_models.py",),
    find=_find,
)
