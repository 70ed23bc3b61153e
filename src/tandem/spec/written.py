"""The engines of a Ray Serve config as they are written, before anything is corrected."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tandem.spec.reading import items, mapping, text
from tandem.spec.source import KeyPath

PhaseName = Literal["prefill", "decode", "pool"]
POOL_KEY = "pool_config"
"""In the arguments of tandem.serving:build_app: one pool in place of two phases."""
PD_BUILDERS = ("ray.serve.llm:build_pd_openai_app", "tandem.serving:build_app")


@dataclass(frozen=True)
class WrittenEngine:
    """One LLMConfig of an application. `transfer_path` is where its kv_transfer_config stands, right or wrong."""

    phase: PhaseName
    path: KeyPath
    config: Mapping[str, Any]
    engine_kwargs: Mapping[str, Any]
    transfer: Mapping[str, Any] | None
    transfer_path: KeyPath


@dataclass(frozen=True)
class WrittenApp:
    """One application: its data, its path, and its engines in the order prefill, decode, or as listed."""

    path: KeyPath
    data: Mapping[str, Any]
    engines: tuple[WrittenEngine, ...]

    @property
    def disaggregated(self) -> bool:
        """True when it is meant to run prefill and decode: by its builder, or by the keys of its args."""
        args = mapping(self.data.get("args"))
        if POOL_KEY in args:
            return False
        return text(self.data.get("import_path")) in PD_BUILDERS or bool(
            {"prefill_config", "decode_config"} & set(args)
        )


def read_apps(serve_config: Mapping[str, Any], path: KeyPath) -> list[WrittenApp]:
    """The applications below `path`, whatever shape they have."""
    found = []
    for index, app in enumerate(items(serve_config.get("applications"))):
        app_path: KeyPath = (*path, "applications", index)
        found.append(WrittenApp(app_path, mapping(app), tuple(_engines(mapping(app), app_path))))
    return found


def _engines(app: Mapping[str, Any], path: KeyPath) -> list[WrittenEngine]:
    args = mapping(app.get("args"))
    phases: tuple[tuple[PhaseName, str], ...] = (
        ("prefill", "prefill_config"),
        ("decode", "decode_config"),
        ("pool", POOL_KEY),
    )
    found = [
        _engine(phase, mapping(args[key]), (*path, "args", key)) for phase, key in phases if mapping(args.get(key))
    ]
    for index, config in enumerate(items(args.get("llm_configs"))):
        if mapping(config):
            found.append(_engine("pool", mapping(config), (*path, "args", "llm_configs", index)))
    return found


def _engine(phase: PhaseName, config: Mapping[str, Any], path: KeyPath) -> WrittenEngine:
    kwargs = mapping(config.get("engine_kwargs"))
    transfer, place = _transfer(config, kwargs, path)
    return WrittenEngine(phase, path, config, kwargs, transfer, place)


def _transfer(
    config: Mapping[str, Any], kwargs: Mapping[str, Any], path: KeyPath
) -> tuple[Mapping[str, Any] | None, KeyPath]:
    right: KeyPath = (*path, "engine_kwargs", "kv_transfer_config")
    if isinstance(kwargs.get("kv_transfer_config"), Mapping):
        return kwargs["kv_transfer_config"], right
    if isinstance(config.get("kv_transfer_config"), Mapping):
        return config["kv_transfer_config"], (*path, "kv_transfer_config")
    return None, right
