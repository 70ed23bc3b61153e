"""vLLM switches that open the engine."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject

_SWITCHES = {"VLLM_SERVER_DEV_MODE", "VLLM_ALLOW_INSECURE_SERIALIZATION", "VLLM_ALLOW_RUNTIME_LORA_UPDATING"}


def _find(subject: Subject) -> Iterator[Hit]:
    for var in subject.environment():
        if var.name in _SWITCHES and var.value in ("1", "true", "True"):
            yield Hit(var.path, f"{var.name}={var.value}", (Drop(var.path),))


RULE = Rule(
    id="TD809",
    title="a development switch in a service",
    severity="warning",
    why="They open endpoints that reset caches, load adapters, or unpickle what a client sends.",
    fix="Remove it.",
    sources=(f"{VLLM}/envs.py", "https://docs.vllm.ai/en/stable/usage/security/"),
    find=_find,
)
