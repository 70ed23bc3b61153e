"""Two phases that serve a model under different names."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        if prefill.config and prefill.model_id != decode.model_id:
            path = (*decode.path, "model_loading_config", "model_id")
            yield Hit(path, f"prefill serves {prefill.model_id!r}, decode {decode.model_id!r}")


RULE = Rule(
    id="TD201",
    title="the phases name the model differently",
    severity="error",
    why="Ray's prefill/decode builder refuses it («P/D model id mismatch»).",
    fix="Write the same model_id on both phases.",
    sources=(f"{RAY_LLM}/serving_patterns/prefill_decode/builder.py",),
    find=_find,
)
