"""VLLM_USE_V1=0: the engine that it asks for is gone."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.pinned_release:
        return
    for var in subject.environment():
        if var.name == "VLLM_USE_V1" and var.value in ("0", "false", "False"):
            yield Hit(var.path, f"VLLM_USE_V1={var.value}", (Drop(var.path),))


RULE = Rule(
    id="TD707",
    title="an engine that vLLM no longer has",
    severity="warning",
    why="vLLM has one engine now and does not read the variable; NIXL never worked with the old one.",
    fix="Remove it.",
    sources=(f"{VLLM}/envs.py", "https://docs.vllm.ai/en/stable/usage/v1_guide/"),
    find=_find,
)
