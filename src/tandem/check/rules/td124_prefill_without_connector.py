"""A KServe LLMInferenceService with a prefill section and no KV connector."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_USAGE
from tandem.check.subject import Subject
from tandem.spec.reading import at


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.data.get("kind") != "LLMInferenceService" or at(subject.data, ("spec", "prefill")) is None:
        return
    written = str(subject.data)
    if "kv-transfer-config" not in written and "kv_transfer_config" not in written:
        yield Hit(("spec", "prefill"), "prefill pods, and no kv-transfer-config anywhere")


RULE = Rule(
    id="TD124",
    title="prefill pods without a KV connector",
    severity="error",
    why="The pods become healthy and answer, but no KV cache ever moves: prefill nodes are paid for and do nothing.",
    fix="Give both phases a --kv-transfer-config.",
    sources=("https://github.com/kserve/kserve/issues/5987", NIXL_USAGE),
    find=_find,
)
