"""From a file to a Spec, or to every problem of the file at once."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tandem.core.errors import InputError
from tandem.core.nearest import nearest
from tandem.core.problem import Problem
from tandem.spec.models import Spec
from tandem.spec.source import KeyPath, Source, read_source


def load_spec(path: Path, engine_args: Collection[str] = ()) -> Spec:
    """Reads a spec file.

    Args:
        path: the YAML file.
        engine_args: the engine argument names of the pinned vLLM; when given, other names are refused.

    Raises:
        InputError: the file is missing or has problems; all of them are in the error.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", fix="Name an existing YAML file.") from error
    return parse_spec(text, str(path), engine_args)


def parse_spec(text: str, file: str = "<text>", engine_args: Collection[str] = ()) -> Spec:
    """The Spec in `text`; `file` names it in errors. Raises InputError as load_spec does."""
    source = read_source(text, file)
    problems = spec_problems(source, engine_args)
    if problems:
        raise InputError(f"{file} has {_count(len(problems))}", problems=problems)
    return Spec.model_validate(source.data)


def spec_problems(source: Source, engine_args: Collection[str] = ()) -> list[Problem]:
    """Everything in `source` that keeps it from being a Spec, in the order of the file."""
    problems = list(_engine_problems(source, engine_args))
    try:
        Spec.model_validate(source.data)
    except ValidationError as error:
        problems = [_problem(detail, source) for detail in error.errors()] + problems
    return sorted(problems, key=lambda problem: problem.line or 0)


def _count(number: int) -> str:
    return f"{number} problem" if number == 1 else f"{number} problems"


def _problem(detail: ErrorDetails, source: Source) -> Problem:
    path: KeyPath = tuple(part for part in detail["loc"] if not str(part).startswith("function-"))
    if detail["type"] == "extra_forbidden":
        return _unknown_key(path, source, _fields_at(Spec, path[:-1]))
    reason = _WORDS.get(detail["type"]) or detail["msg"].removeprefix("Value error, ")
    return Problem(
        path=_dotted(path),
        file=source.file,
        line=source.line(path),
        found=reason if isinstance(detail["input"], (BaseModel, Mapping)) else f"{_shown(detail['input'])}: {reason}",
        allowed=_allowed(detail),
        fix="Correct the value.",
    )


def _unknown_key(path: KeyPath, source: Source, allowed: Collection[str]) -> Problem:
    key = str(path[-1])
    close = nearest(key, allowed)
    return Problem(
        path=_dotted(path),
        file=source.file,
        line=source.line(path),
        found=f"unknown key {key!r}",
        allowed=", ".join(sorted(allowed)) if len(allowed) < 30 else "vLLM's engine arguments",
        fix=f"Did you mean {close!r}?" if close else "Remove it.",
    )


def _engine_problems(source: Source, engine_args: Collection[str]) -> Iterable[Problem]:
    if not engine_args:
        return
    for path in (("engine",), ("prefill", "engine"), ("decode", "engine"), ("pool", "engine")):
        for key in _mapping_at(source.data, path):
            if key not in engine_args:
                yield _unknown_key((*path, key), source, engine_args)


def _mapping_at(data: Any, path: Iterable[str]) -> Mapping[str, Any]:
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


def _fields_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    for key in path:
        field = model.model_fields.get(str(key))
        inner = _inner_model(field.annotation) if field else None
        if inner is None:
            return []
        model = inner
    return list(model.model_fields)


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    candidates = (annotation, *getattr(annotation, "__args__", ()))
    return next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), None)


def _allowed(detail: ErrorDetails) -> str:
    context = detail.get("ctx", {})
    bounds = [f"{sign} {context[name]}" for name, sign in _BOUNDS.items() if name in context]
    return str(context.get("expected", " and ".join(bounds)))


# pydantic's own words for these name Python types.
_WORDS = {"model_type": "not a mapping", "dict_type": "not a mapping"}
_BOUNDS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _dotted(path: KeyPath) -> str:
    return ".".join(str(part) for part in path)
