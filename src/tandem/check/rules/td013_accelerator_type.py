"""An accelerator_type that Ray does not know, or that does not go with the placement group."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY, RAY_LLM
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import serve_fields
from tandem.spec.reading import mapping, text


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        kind = text(engine.config.get("accelerator_type"))
        if not kind:
            continue
        path = (*engine.path, "accelerator_type")
        if kind not in serve_fields.accelerators():
            close = nearest(kind, serve_fields.accelerators())
            yield Hit(path, f"unknown accelerator {kind!r}", fix=f"Did you mean {close!r}?" if close else "")
        elif _kind(engine) not in (None, "tpu" if kind in serve_fields.tpus() else "gpu"):
            yield Hit(path, f"{kind} with a placement group or accelerator_config for {_kind(engine)}")


def _kind(engine: Engine) -> str | None:
    if engine.on_cpu:
        return "cpu"
    return text(mapping(engine.config.get("accelerator_config")).get("kind")) or None


RULE = Rule(
    id="TD013",
    title="an accelerator_type that does not fit",
    severity="error",
    why="Ray accepts its own names only and refuses an accelerator beside bundles that ask for none.",
    fix="Use a name from ray.util.accelerators, or remove accelerator_type.",
    sources=(f"{RAY}/util/accelerators/accelerators.py", f"{RAY_LLM}/core/configs/llm_config.py"),
    find=_find,
)
