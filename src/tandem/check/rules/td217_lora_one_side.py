"""LoRA adapters on one phase, or from different places."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = prefill.config.get("lora_config"), decode.config.get("lora_config")
        if (ours is None) != (theirs is None):
            side = decode if theirs is not None else prefill
            yield Hit((*side.path, "lora_config"), f"on {side.phase} only")
        elif mapping(ours).get("dynamic_lora_loading_path") != mapping(theirs).get("dynamic_lora_loading_path"):
            yield Hit((*decode.path, "lora_config", "dynamic_lora_loading_path"), "another path than prefill's")


RULE = Rule(
    id="TD217",
    title="LoRA differs between the phases",
    severity="error",
    why="Ray refuses it: both phases must find the same adapter, or decode continues on another model's KV cache.",
    fix="Write the same lora_config on both phases.",
    sources=(f"{RAY_LLM}/serving_patterns/prefill_decode/builder.py",),
    find=_find,
)
