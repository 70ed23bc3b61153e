"""`kv_transfer_config` beside `engine_kwargs`, as in the published example: Ray refuses the config."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Edit, Hit, Move, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if "kv_transfer_config" in engine.config:
            path = (*engine.path, "kv_transfer_config")
            home = (*engine.path, "engine_kwargs", "kv_transfer_config")
            edit: Edit = Drop(path) if "kv_transfer_config" in engine.args else Move(path, home)
            yield Hit(path, "kv_transfer_config stands beside engine_kwargs", (edit,))


RULE = Rule(
    id="TD101",
    title="kv_transfer_config is in the wrong place",
    severity="error",
    why="Ray's LLMConfig has no such key («Extra inputs are not permitted»): nothing is deployed.",
    fix="Move it into engine_kwargs.",
    sources=(
        f"{RAY_LLM}/core/configs/llm_config.py",
        "https://docs.ray.io/en/latest/serve/llm/user-guides/prefill-decode.html",
    ),
    find=_find,
)
