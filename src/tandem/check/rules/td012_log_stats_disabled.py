"""disable_log_stats while Ray's engine metrics are on."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        metrics = engine.config.get("log_engine_metrics", True)
        if engine.args.get("disable_log_stats") and metrics:
            path = engine.arg_path("disable_log_stats")
            yield Hit(path, "disable_log_stats is on and log_engine_metrics is too", (Drop(path),))


RULE = Rule(
    id="TD012",
    title="statistics are off while metrics are on",
    severity="error",
    why="Ray refuses it, and without the engine's statistics nothing could prove that a KV cache ever moved.",
    fix="Remove disable_log_stats.",
    sources=(f"{RAY_LLM}/core/configs/llm_config.py",),
    find=_find,
)
