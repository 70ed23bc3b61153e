"""A Serve config held against Ray's models: keys they do not know, keys that are missing, values that do not fit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tandem.check.subject import Subject
from tandem.facts.serve_fields import Model, model
from tandem.facts.shape import Shape
from tandem.spec.reading import mapping, text
from tandem.spec.source import KeyPath
from tandem.spec.written import POOL_KEY, WrittenApp

OWN_ARGS = frozenset({"tandem"})
"""Keys beside Ray's own in the arguments of tandem.serving:build_app."""
_POOL_ARGS = "pool_args"


@dataclass(frozen=True)
class Mismatch:
    """`unknown`: a key the model does not know; `missing`: a required one; `value`: of the wrong type or bounds."""

    kind: Literal["unknown", "missing", "value"]
    path: KeyPath
    model: Model
    value: Any = None
    shape: Shape | None = None


def mismatches(subject: Subject) -> Iterator[Mismatch]:
    """Everything in the document's Serve config that Ray's models would refuse or drop, in the order of the file."""
    if subject.document.serve_path is None:
        return
    yield from _walk(subject.serve, model("deploy"), subject.document.serve_path)
    for app in subject.apps:
        args_model = args_model_of(app)
        args = app.data.get("args")
        if args_model and isinstance(args, Mapping):
            known = _pool_args() if args_model == _POOL_ARGS else model(args_model)
            yield from _walk(args, known, (*app.path, "args"))


def args_model_of(app: WrittenApp) -> str | None:
    """The model of an application's args; None for an application that is no LLM builder of Ray's or ours."""
    if app.disaggregated:
        return "pd_args"
    if POOL_KEY in mapping(app.data.get("args")):
        return _POOL_ARGS
    known = text(app.data.get("import_path")) == "ray.serve.llm:build_openai_app"
    return "openai_args" if known or "llm_configs" in mapping(app.data.get("args")) else None


def _pool_args() -> Model:
    """tandem.serving:build_app with a pool: Ray has no such builder, so the fields are those of its two phases' one."""
    fields = model("pd_args").fields
    pool = {POOL_KEY: fields["decode_config"], "ingress_deployment_config": fields["ingress_deployment_config"]}
    return Model(name=_POOL_ARGS, extra="forbid", fields=pool)


def _walk(data: Mapping[str, Any], known: Model, path: KeyPath) -> Iterator[Mismatch]:
    for key, value in data.items():
        shape = known.fields.get(key)
        if shape is None:
            if known.extra != "allow" and not (known.name in ("pd_args", _POOL_ARGS) and key in OWN_ARGS):
                yield Mismatch("unknown", (*path, key), known, value)
        elif shape.mismatch(value):
            yield Mismatch("value", (*path, key), known, value, shape)
        elif shape.model:
            yield from _nested(value, model(shape.model), (*path, key))
    for key, shape in known.fields.items():
        if shape.required and key not in data:
            yield Mismatch("missing", (*path, key), known, shape=shape)


def _nested(value: object, known: Model, path: KeyPath) -> Iterator[Mismatch]:
    if isinstance(value, Mapping):
        yield from _walk(value, known, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                yield from _walk(item, known, (*path, index))
            elif known.name != "llm_config" or not isinstance(item, str):
                shape = Shape(kinds=frozenset({"dict"}))
                yield Mismatch("value", (*path, index), known, item, shape)
