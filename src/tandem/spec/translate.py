"""A Ray Serve config or RayService, as people have them, into a Spec; every correction and every dropped key is told.

What the published example gets wrong is corrected on the way: the transfer configuration beside engine_kwargs, the
deprecated role, the static engine id. How it is meant: https://docs.ray.io/en/latest/serve/llm/user-guides/prefill-decode.html.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.spec.loader import parse_spec
from tandem.spec.manifest import Document, read_text
from tandem.spec.models import Spec
from tandem.spec.reading import at, dotted, integer, items, mapping, text
from tandem.spec.source import KeyPath, Source
from tandem.spec.written import WrittenApp, WrittenEngine, read_apps

_BACKENDS = {"UCX": "ucx", "LIBFABRIC": "libfabric"}
_NIXL = {"NixlConnector", "NixlPullConnector"}
_SET_BY_TANDEM = {
    "kv_connector": "",
    "kv_role": "Tandem gives each phase its role",
    "engine_id": "Tandem gives each start its own",
    "kv_connector_extra_config": "",
    "kv_load_failure_policy": "",
    "kv_buffer_device": "",
}


@dataclass(frozen=True)
class Correction:
    """One thing that was read otherwise than it is written, with its place."""

    path: str
    line: int | None
    told: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.path}: {self.told}" if self.line else f"{self.path}: {self.told}"


@dataclass(frozen=True)
class Translation:
    """A spec, and what was corrected or dropped on the way; nothing for a file that was a spec already."""

    spec: Spec
    corrections: tuple[Correction, ...] = ()


def load_any(path: Path, engine_args: Collection[str] = ()) -> Translation:
    """Reads a spec, a Serve config or a RayService manifest.

    Args:
        path: the YAML file.
        engine_args: the engine argument names of the pinned vLLM; when given, other names are refused.

    Raises:
        InputError: the file cannot be read, or says something that a Spec cannot.
    """
    try:
        written = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", fix="Name an existing YAML file.") from error
    return translate_text(written, str(path), engine_args)


def translate_text(written: str, file: str = "<text>", engine_args: Collection[str] = ()) -> Translation:
    """The Spec that `written` says; `file` names it in errors. Raises InputError as load_any does."""
    documents = [document for document in read_text(written, file) if document.serve_path is not None]
    if not documents:
        return Translation(parse_spec(written, file, engine_args))
    if len(documents) > 1:
        raise InputError(f"{file} has {len(documents)} services", fix="Give each its own file.")
    return _Translator(documents[0], engine_args).translation()


class _Translator:
    """One document on its way into a Spec: corrections and problems gather as it is read."""

    def __init__(self, document: Document, engine_args: Collection[str]) -> None:
        self.document = document
        self.source: Source = document.source
        self.engine_args = engine_args
        self.corrections: list[Correction] = []
        self.problems: list[Problem] = []

    def translation(self) -> Translation:
        """The result, or one InputError with every problem."""
        app = self._app()
        data = self._spec_data(app) if app else {}
        if self.problems:
            raise InputError(f"{self.source.file} cannot become a spec", problems=self.problems)
        try:
            spec = Spec.model_validate(data)
        except ValidationError as error:
            raise self._not_a_spec(error) from error
        ordered = sorted(self.corrections, key=lambda correction: correction.line or 0)
        return Translation(spec, tuple(ordered))

    def _app(self) -> WrittenApp | None:
        base = self.document.serve_path or ()
        apps = [app for app in read_apps(mapping(at(self.source.data, base)), base) if app.engines]
        if len(apps) != 1 or len([e for e in apps[0].engines if e.phase == "pool"]) > 1:
            self._problem((*base, "applications"), f"{len(apps)} applications with an LLM", "Keep one model in a file.")
            return None
        return apps[0]

    def _spec_data(self, app: WrittenApp) -> dict[str, Any]:
        phases = {engine.phase: engine for engine in app.engines}
        if len(phases) == 1 and "pool" not in phases:
            self._problem(app.path, f"{next(iter(phases))} alone", "Give prefill_config and decode_config.")
            return {}
        common, own = self._engine_args(list(phases.values()))
        data: dict[str, Any] = {"model": self._model(list(phases.values())), "engine": common}
        for name, engine in phases.items():
            data[name] = {"replicas": self._replicas(engine), "engine": own[name]}
        data["transfer"] = self._transfer([engine for engine in phases.values() if engine.phase != "pool"])
        data["target"] = self._target()
        self._tell_dropped(app)
        return data

    def _model(self, engines: list[WrittenEngine]) -> dict[str, Any]:
        models = [self._one_model(engine) for engine in engines]
        for engine, model in zip(engines[1:], models[1:], strict=True):
            if model != models[0]:
                path: KeyPath = (*engine.path, "model_loading_config")
                self._problem(path, "another model than the first phase's", "Write the same model on both.")
        return models[0]

    def _one_model(self, engine: WrittenEngine) -> dict[str, Any]:
        loading = mapping(engine.config.get("model_loading_config"))
        source = loading.get("model_source") or loading.get("model_id")
        model = {"id": text(loading.get("model_id"))}
        if isinstance(source, Mapping):
            source = source.get("bucket_uri")
        model["source"] = str(source or "")
        if loading.get("tokenizer_source"):
            model["tokenizer"] = str(loading["tokenizer_source"])
        return model

    def _engine_args(self, engines: list[WrittenEngine]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """The arguments that all phases share, and each phase's own."""
        args = {engine.phase: dict(self._known_args(engine)) for engine in engines}
        first, *others = args.values()
        common = {k: v for k, v in first.items() if all(k in other and other[k] == v for other in others)}
        return common, {name: {k: v for k, v in one.items() if k not in common} for name, one in args.items()}

    def _known_args(self, engine: WrittenEngine) -> Iterator[tuple[str, Any]]:
        for name, value in engine.engine_kwargs.items():
            path: KeyPath = (*engine.path, "engine_kwargs", name)
            if name == "kv_transfer_config":
                continue
            if self.engine_args and name not in self.engine_args:
                self._problem(path, f"unknown engine argument {name!r}", "Remove it, or correct its name.")
            elif name == "distributed_executor_backend":
                self._tell(path, "dropped: Tandem chooses the executor")
            else:
                yield name, value

    def _replicas(self, engine: WrittenEngine) -> dict[str, int]:
        deployment = mapping(engine.config.get("deployment_config"))
        fixed = integer(deployment.get("num_replicas"))
        scaling = mapping(deployment.get("autoscaling_config"))
        low = fixed if fixed is not None else integer(scaling.get("min_replicas", 1))
        high = fixed if fixed is not None else integer(scaling.get("max_replicas", low or 1))
        path: KeyPath = (*engine.path, "deployment_config")
        if low == 0:
            self._tell(path, "at least 1 replica: Tandem does not scale a phase to zero")
        for key in deployment:
            if key not in ("num_replicas", "autoscaling_config"):
                self._tell((*path, key), "dropped: Tandem sets the deployment's options")
        return {"min": max(low or 1, 1), "max": max(high or 1, low or 1, 1)}

    def _transfer(self, engines: list[WrittenEngine]) -> dict[str, Any]:
        read = [self._one_transfer(engine) for engine in engines if engine.transfer is not None]
        for engine in engines:
            if engine.transfer is None:
                self._tell(engine.transfer_path, "missing: Tandem sets NIXL up")
        for other in read[1:]:
            if other != read[0]:
                self._problem(engines[1].transfer_path, "another transfer than prefill's", "Write the same on both.")
        return read[0] if read else {}

    def _one_transfer(self, engine: WrittenEngine) -> dict[str, Any]:
        transfer, path = mapping(engine.transfer), engine.transfer_path
        extra = mapping(transfer.get("kv_connector_extra_config"))
        if path[-2] != "engine_kwargs":
            self._tell(path, "read as if it stood in engine_kwargs, where Ray wants it")
        if transfer.get("kv_connector") not in _NIXL:
            found = f"connector {transfer.get('kv_connector')!r}"
            self._problem((*path, "kv_connector"), found, "Tandem moves the KV cache with NixlConnector.")
        self._tell_policy(transfer, extra, path)
        for key, value in transfer.items():
            if key in ("kv_role", "engine_id"):
                self._tell((*path, key), f"{value!r} is not used: {_SET_BY_TANDEM[key]}")
            elif key not in _SET_BY_TANDEM and key not in ("backends", "kv_lease_duration"):
                self._tell((*path, key), "dropped: NIXL does not read it")
        return self._chosen(
            {**{k: transfer[k] for k in ("backends", "kv_lease_duration") if k in transfer}, **extra}, transfer, path
        )

    def _chosen(self, extra: Mapping[str, Any], transfer: Mapping[str, Any], path: KeyPath) -> dict[str, Any]:
        chosen: dict[str, Any] = {}
        names = [str(name).upper() for name in items(extra.get("backends"))] or ["UCX"]
        known = [_BACKENDS[name] for name in names if name in _BACKENDS]
        if known:
            chosen["backend"] = known[0]
        else:
            self._problem((*path, "kv_connector_extra_config", "backends"), f"{names}", "Use UCX or LIBFABRIC.")
        if transfer.get("kv_buffer_device"):
            chosen["buffer_device"] = transfer["kv_buffer_device"]
        if extra.get("kv_lease_duration"):
            chosen["lease_seconds"] = extra["kv_lease_duration"]
        for key in extra:
            if key not in ("backends", "kv_lease_duration", "kv_load_failure_policy"):
                self._tell((*path, "kv_connector_extra_config", key), "dropped: Tandem sets the connector up")
        return chosen

    def _tell_policy(self, transfer: Mapping[str, Any], extra: Mapping[str, Any], path: KeyPath) -> None:
        policy = transfer.get("kv_load_failure_policy", extra.get("kv_load_failure_policy"))
        if policy != "fail":
            found = repr(policy) if policy else "missing"
            self._tell((*path, "kv_load_failure_policy"), f"{found}: Tandem uses 'fail' and retries itself")

    def _target(self) -> dict[str, Any]:
        if self.document.kind != "rayservice":
            self._tell(
                (*(self.document.serve_path or ()), "applications"), "target is local: a Serve config names no machine"
            )
            return {"local": {}}
        target: dict[str, Any] = {}
        namespace = at(self.source.data, ("metadata", "namespace"))
        if namespace:
            target["namespace"] = str(namespace)
        workers = items(at(self.source.data, ("spec", "rayClusterConfig", "workerGroupSpecs")))
        image = at(workers[0], ("template", "spec", "containers", 0, "image")) if workers else None
        if image:
            target["image"] = str(image)
        self._tell(("spec", "rayClusterConfig"), "pods are not taken over: Tandem renders its own")
        return {"kubernetes": target}

    def _tell_dropped(self, app: WrittenApp) -> None:
        for engine in app.engines:
            for key in engine.config:
                if key not in ("model_loading_config", "engine_kwargs", "kv_transfer_config", "deployment_config"):
                    self._tell((*engine.path, key), "dropped: Tandem sets it")
        for key in app.data:
            if key not in ("name", "import_path", "args", "route_prefix"):
                self._tell((*app.path, key), "dropped: Tandem sets it")

    def _tell(self, path: KeyPath, told: str) -> None:
        self.corrections.append(Correction(dotted(path), self.source.line(path), told))

    def _problem(self, path: KeyPath, found: str, fix: str) -> None:
        place = self.source.line(path)
        self.problems.append(Problem(path=dotted(path), found=found, fix=fix, file=self.source.file, line=place))

    def _not_a_spec(self, error: ValidationError) -> InputError:
        problems = [
            Problem(path=dotted(detail["loc"]), found=detail["msg"], fix="Correct the value.", file=self.source.file)
            for detail in error.errors()
        ]
        return InputError(f"{self.source.file} cannot become a spec", problems=problems)
