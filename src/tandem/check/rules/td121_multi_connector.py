"""A MultiConnector without children, or inside another."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import items, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        if engine.connector != "MultiConnector":
            continue
        path = (*engine.extra_path, "connectors")
        children = items(engine.extra.get("connectors"))
        if not children:
            yield Hit(path, "no connectors")
        for index, child in enumerate(children):
            name = mapping(child).get("kv_connector")
            if name in (None, "MultiConnector"):
                yield Hit((*path, index, "kv_connector"), f"{name} as a child" if name else "kv_connector is missing")


RULE = Rule(
    id="TD121",
    title="a MultiConnector that cannot be set up",
    severity="error",
    why=(
        "Ray raises when the replica starts: the children are listed in kv_connector_extra_config.connectors, "
        "each by name."
    ),
    fix="List the connectors there.",
    sources=(f"{RAY_LLM}/engines/vllm/kv_transfer/multi_connector.py",),
    find=_find,
)
