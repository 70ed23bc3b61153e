"""An engine argument of another type, out of range, or not one of vLLM's choices."""

from collections.abc import Iterator

from tandem.check.compare import shown
from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.facts import engine_args


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.pinned_release:
        return
    shapes = {**engine_args.frontend_shapes(), **engine_args.shapes()}
    seen = set()
    for engine in subject.engines:
        for name, value in engine.args.items():
            shape, path = shapes.get(name), engine.arg_path(name)
            # The type takes 0, the model's configuration does not (-1 stands for what fits).
            refused = shape is not None and (shape.mismatch(value) or (name == "max_model_len" and value in (0, "0")))
            if shape and refused and path not in seen:
                seen.add(path)
                yield Hit(path, shown(value), fix=f"Allowed: {shape.allowed()}.")


RULE = Rule(
    id="TD005",
    title="a value that vLLM refuses",
    severity="error",
    why="vLLM validates its configuration when the engine starts: the replica restarts again and again, on paid nodes.",
    fix="Correct the value.",
    sources=(f"{VLLM}/engine/arg_utils.py", "https://docs.vllm.ai/en/stable/configuration/engine_args/"),
    find=_find,
)
