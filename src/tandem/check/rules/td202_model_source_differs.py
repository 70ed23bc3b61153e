"""Two phases that load different weights."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import NIXL_METADATA
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        if prefill.config and prefill.model_source != decode.model_source and prefill.model_id == decode.model_id:
            path = (*decode.path, "model_loading_config", "model_source")
            yield Hit(path, f"prefill loads {prefill.model_source!r}, decode {decode.model_source!r}")


RULE = Rule(
    id="TD202",
    title="the phases load different models",
    severity="error",
    why="The model is part of NIXL's compatibility hash: the handshake is refused at the first request, not before.",
    fix="Write the same model_source on both phases.",
    sources=(NIXL_METADATA,),
    find=_find,
)
