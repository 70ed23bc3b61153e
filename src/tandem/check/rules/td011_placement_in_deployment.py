"""Placement group bundles in deployment_config."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        for key in ("placement_group_bundles", "placement_group_strategy", "max_replicas_per_node"):
            if key in mapping(engine.config.get("deployment_config")):
                yield Hit((*engine.path, "deployment_config", key), f"{key} stands in deployment_config")


RULE = Rule(
    id="TD011",
    title="placement in deployment_config",
    severity="error",
    why="Ray Serve LLM makes the placement group from the engine's size and raises when deployment_config names one.",
    fix="Say it in placement_group_config of the LLM config.",
    sources=(f"{RAY_LLM}/core/server/llm_server.py",),
    find=_find,
)
