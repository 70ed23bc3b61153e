"""An experimental key under its old name."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Move, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if "num_router_replicas" in mapping(engine.config.get("experimental_configs")):
            base = (*engine.path, "experimental_configs")
            edit = Move((*base, "num_router_replicas"), (*base, "num_ingress_replicas"))
            yield Hit(edit.path, "num_router_replicas was renamed", (edit,))


RULE = Rule(
    id="TD015",
    title="num_router_replicas was renamed",
    severity="error",
    why="Ray refuses the old name and says the new one, in the log of the replica that does not start.",
    fix="Write num_ingress_replicas.",
    sources=(f"{RAY_LLM}/core/configs/llm_config.py",),
    find=_find,
)
