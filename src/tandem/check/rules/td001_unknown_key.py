"""A key that Ray's LLM models do not know: they refuse the whole config."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.check.walk import Mismatch, mismatches
from tandem.core.nearest import nearest
from tandem.facts import engine_args, serve_fields


def _find(subject: Subject) -> Iterator[Hit]:
    for found in mismatches(subject):
        if found.kind == "unknown" and found.model.extra == "forbid" and not _is_transfer(found):
            yield _hit(found)


def _is_transfer(found: Mismatch) -> bool:
    """kv_transfer_config beside engine_kwargs has a rule of its own."""
    return found.model.name == "llm_config" and found.path[-1] == "kv_transfer_config"


def _hit(found: Mismatch) -> Hit:
    key, parent = str(found.path[-1]), found.path[:-1]
    home = _home(found.model.name, key)
    if home:
        return Hit(
            found.path, f"{key!r} is not known here", (Move(found.path, (*parent, home, key)),), f"Move it to {home}."
        )
    close = nearest(key, [name for name, shape in found.model.fields.items() if not shape.mismatch(found.value)])
    if close:
        edit = Move(found.path, (*parent, close))
        return Hit(found.path, f"unknown key {key!r}", (edit,), f"Rename it to {close!r}.")
    return Hit(found.path, f"unknown key {key!r}; known: {', '.join(sorted(found.model.fields))}")


def _home(model: str, key: str) -> str:
    if model != "llm_config":
        return ""
    if key in engine_args.names():
        return "engine_kwargs"
    if key in serve_fields.model("model_loading_config").fields:
        return "model_loading_config"
    return "deployment_config" if key in serve_fields.model("deployment").fields else ""


RULE = Rule(
    id="TD001",
    title="a key that Ray Serve LLM refuses",
    severity="error",
    why="Ray's LLM models forbid unknown keys: one of them, and no part of the application is deployed.",
    fix="Remove the key, or correct its name.",
    sources=(
        f"{RAY_LLM}/core/configs/llm_config.py",
        "https://docs.ray.io/en/latest/serve/api/doc/ray.serve.llm.LLMConfig.html",
    ),
    find=_find,
)
