"""An engine as the rules see it, whichever kind of file it was written in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tandem.facts.connectors import NIXL
from tandem.spec.reading import integer, items, mapping, text
from tandem.spec.source import KeyPath
from tandem.spec.written import PhaseName, WrittenEngine


@dataclass(frozen=True)
class EnvVar:
    """An environment variable as written; `value` is None when it comes from a Secret or a field."""

    name: str
    value: str | None
    path: KeyPath


@dataclass(frozen=True)
class Engine:
    """One phase's engine: arguments, transfer configuration, model, replicas, node type.

    `arg_paths` has the place of each written argument, `args_path` the place for a new one.
    `transfer` is None when no kv_transfer_config is written. `config` is Ray's LLMConfig, empty for a spec.
    """

    phase: PhaseName
    path: KeyPath
    args: Mapping[str, Any]
    args_path: KeyPath
    arg_paths: Mapping[str, KeyPath]
    transfer: Mapping[str, Any] | None
    transfer_path: KeyPath
    model_id: str
    model_source: str
    replicas: tuple[int, int]
    config: Mapping[str, Any] = field(default_factory=dict)
    env: tuple[EnvVar, ...] = ()
    node_type: str | None = None
    on_cpu: bool = False
    spec_transfer: Mapping[str, Any] = field(default_factory=dict)

    def arg_path(self, name: str) -> KeyPath:
        """Where an argument stands, or would stand."""
        return self.arg_paths.get(name, (*self.args_path, name))

    def number(self, name: str, default: int) -> int:
        """An argument as a whole number, `default` when it is missing or is none."""
        value = integer(self.args.get(name))
        return default if value is None else value

    def env_value(self, name: str) -> str | None:
        """The value of an environment variable, as far as the file tells it."""
        return next((var.value for var in self.env if var.name == name), None)

    @property
    def gpus(self) -> int:
        """GPUs of one replica: tensor parallel times pipeline parallel, 0 on a CPU."""
        size = self.number("tensor_parallel_size", 1) * self.number("pipeline_parallel_size", 1)
        return 0 if self.on_cpu else max(size, 1) * max(self.number("data_parallel_size", 1), 1)

    @property
    def extra(self) -> Mapping[str, Any]:
        """`kv_connector_extra_config`, empty when there is none."""
        return mapping(mapping(self.transfer).get("kv_connector_extra_config"))

    @property
    def extra_path(self) -> KeyPath:
        """Where `kv_connector_extra_config` stands, or would stand."""
        return (*self.transfer_path, "kv_connector_extra_config")

    @property
    def connector(self) -> str:
        """The KV connector's name, empty when there is none."""
        return text(mapping(self.transfer).get("kv_connector"))

    @property
    def uses_nixl(self) -> bool:
        """True for a NIXL connector, and for a spec (Tandem sets NIXL up itself)."""
        return self.connector in NIXL or (bool(self.spec_transfer) and self.phase != "pool")

    @property
    def backends(self) -> tuple[str, ...]:
        """NIXL plugins of this engine; vLLM's default is UCX alone. Empty without NIXL."""
        if self.spec_transfer:
            return (text(self.spec_transfer.get("backend", "ucx")).upper(),) if self.phase != "pool" else ()
        if self.connector not in NIXL:
            return ()
        written = self.extra.get("backends", mapping(self.transfer).get("backends"))
        return tuple(str(name) for name in items(written)) or ("UCX",)

    @property
    def backends_path(self) -> KeyPath:
        """Where the backends are chosen."""
        return ("transfer", "backend") if self.spec_transfer else (*self.extra_path, "backends")

    @property
    def buffer_device(self) -> str:
        """Where the KV buffer lies: what is written, else the engine's own device."""
        key = "buffer_device" if self.spec_transfer else "kv_buffer_device"
        chosen = self.spec_transfer if self.spec_transfer else mapping(self.transfer)
        return text(chosen.get(key)) or ("cpu" if self.on_cpu else "cuda")

    @property
    def buffer_path(self) -> KeyPath:
        """Where the KV buffer's device is chosen."""
        return ("transfer", "buffer_device") if self.spec_transfer else (*self.transfer_path, "kv_buffer_device")


def from_written(written: WrittenEngine, env: tuple[EnvVar, ...], node_type: str | None) -> Engine:
    """The engine of a Serve config. `env` is what its processes get from outside the LLMConfig."""
    loading = mapping(written.config.get("model_loading_config"))
    model_id = text(loading.get("model_id"))
    kwargs_path: KeyPath = (*written.path, "engine_kwargs")
    return Engine(
        phase=written.phase,
        path=written.path,
        args=written.engine_kwargs,
        args_path=kwargs_path,
        arg_paths={name: (*kwargs_path, name) for name in written.engine_kwargs},
        transfer=written.transfer,
        transfer_path=written.transfer_path,
        model_id=model_id,
        model_source=text(loading.get("model_source")) or model_id,
        replicas=_replicas(mapping(written.config.get("deployment_config"))),
        config=written.config,
        env=_runtime_env(written.config, written.path) + env,
        node_type=node_type,
        on_cpu=_on_cpu(written.config),
    )


def _runtime_env(config: Mapping[str, Any], path: KeyPath) -> tuple[EnvVar, ...]:
    variables = mapping(mapping(config.get("runtime_env")).get("env_vars"))
    base: KeyPath = (*path, "runtime_env", "env_vars")
    return tuple(EnvVar(name, str(value), (*base, name)) for name, value in variables.items())


def _replicas(deployment: Mapping[str, Any]) -> tuple[int, int]:
    scaling = mapping(deployment.get("autoscaling_config"))
    fixed = integer(deployment.get("num_replicas"))
    if fixed is not None:
        return fixed, fixed
    low = integer(scaling.get("min_replicas"))
    high = integer(scaling.get("max_replicas"))
    return (1 if low is None else low), (high or max(low or 1, 1))


def _on_cpu(config: Mapping[str, Any]) -> bool:
    """Ray's own inference: a placement group without GPU or TPU means CPU, no placement group means GPU."""
    kind = text(mapping(config.get("accelerator_config")).get("kind"))
    if kind:
        return kind == "cpu"
    placement = mapping(config.get("placement_group_config"))
    bundles = [mapping(placement.get("bundle_per_worker")), *map(mapping, items(placement.get("bundles")))]
    wants = any(_positive(bundle.get(name)) for bundle in bundles for name in ("GPU", "TPU"))
    return bool(placement) and not wants


def _positive(value: object) -> bool:
    return isinstance(value, (int, float)) and value > 0
