"""`num_threads` beside a backend that does not take it."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import NIXL_WORKER
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.transfer and "num_threads" in engine.extra and set(engine.backends) != {"UCX"}:
            path = (*engine.extra_path, "num_threads")
            yield Hit(path, f"num_threads with {', '.join(engine.backends)}", (Drop(path),))


RULE = Rule(
    id="TD117",
    title="num_threads has no effect",
    severity="warning",
    why=(
        "vLLM hands num_threads to NIXL only when UCX is the single backend; with another one it is dropped in silence."
    ),
    fix="Remove it, or use UCX alone.",
    sources=(NIXL_WORKER,),
    find=_find,
)
