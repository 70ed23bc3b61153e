"""Two phases with different tokenizers."""

from collections.abc import Iterator

from tandem.check.compare import differing_args, shown
from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for name in ("tokenizer", "tokenizer_revision", "chat_template"):
        yield from differing_args(subject, name)
    for prefill, decode in subject.pairs():
        ours = mapping(prefill.config.get("model_loading_config")).get("tokenizer_source")
        theirs = mapping(decode.config.get("model_loading_config")).get("tokenizer_source")
        if ours != theirs:
            path = (*decode.path, "model_loading_config", "tokenizer_source")
            yield Hit(path, f"prefill has {shown(ours)}, decode has {shown(theirs)}")


RULE = Rule(
    id="TD220",
    title="the phases tokenise differently",
    severity="error",
    why=(
        "Ray sends the text to both phases and each makes its own tokens: other tokens, and the transferred KV is "
        "another prompt's."
    ),
    fix="Give both phases the same tokenizer and chat template.",
    sources=(f"{RAY_LLM}/serving_patterns/prefill_decode/pd_server.py",),
    find=_find,
)
