"""A hybrid model over NIXL without VLLM_SSM_CONV_STATE_LAYOUT=DS."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Edit, Hit, Put, Rule
from tandem.check.sources import NIXL_WORKER, vllm
from tandem.check.subject import Subject
from tandem.facts.hybrid import is_hybrid

_NAME = "VLLM_SSM_CONV_STATE_LAYOUT"


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.disaggregated():
        # A spec's environment is Tandem's own business; a CPU engine cannot have the layout at all (TD304).
        if engine.spec_transfer or engine.on_cpu or not engine.uses_nixl or not is_hybrid(engine.model_source):
            continue
        value = engine.env_value(_NAME)
        told = any(var.name == _NAME for var in engine.env)
        elsewhere = (told and value is None) or any(group.container.get("envFrom") for group in subject.workers)
        if value != "DS" and not elsewhere:
            yield Hit(_place(engine), f"{_NAME} is {value or 'not set'}", _edits(engine))


def _place(engine: Engine) -> tuple[str | int, ...]:
    return next((var.path for var in engine.env if var.name == _NAME), (*engine.path, "runtime_env", "env_vars", _NAME))


def _edits(engine: Engine) -> tuple[Edit, ...]:
    return (Put((*engine.path, "runtime_env", "env_vars", _NAME), "DS"),) if engine.config else ()


RULE = Rule(
    id="TD302",
    title="a hybrid model without the DS state layout",
    severity="error",
    why=(
        "NIXL moves the convolution state in three reads and needs the DS layout for it; the engine stops with an "
        "assertion."
    ),
    fix="Set VLLM_SSM_CONV_STATE_LAYOUT=DS for both phases.",
    sources=(vllm(41869), vllm(36687), NIXL_WORKER),
    find=_find,
)
