"""Writes src/tandem/facts/engine_args.json from the vLLM that is installed where this runs.

Run it with the Python of the serving environment: `.../serving/bin/python scripts/engine_args.py`.
A contract test repeats it and compares, so a new pin cannot leave the table behind.
"""

import dataclasses
import inspect
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import vllm
import vllm.config
import vllm.envs
from shapes import shape, write
from vllm.config import KVTransferConfig
from vllm.distributed.kv_transfer.kv_connector.factory import KVConnectorFactory
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.entrypoints.launchers.cli_args import FrontendArgs

TARGET = Path(__file__).parent.parent / "src" / "tandem" / "facts" / "engine_args.json"

# Engine arguments whose config field has another name in vllm.config.
RENAMED = {
    "kv_cache_dtype": ("CacheConfig", "cache_dtype"),
    "scheduling_policy": ("SchedulerConfig", "policy"),
    "limit_mm_per_prompt": ("MultiModalConfig", "limit_per_prompt"),
    "attention_backend": ("AttentionConfig", "backend"),
    "lora_target_modules": ("LoRAConfig", "target_modules"),
    "enable_mamba_cache_stochastic_rounding": ("MambaConfig", "enable_stochastic_rounding"),
    "mamba_cache_philox_rounds": ("MambaConfig", "stochastic_rounding_philox_rounds"),
}


def table() -> dict[str, Any]:
    """The names and shapes of this release."""
    return {
        "version": vllm.__version__.split("+")[0],
        "engine": _engine(),
        "frontend": _dataclass(FrontendArgs),
        "transfer": _pydantic(KVTransferConfig),
        "connectors": sorted(KVConnectorFactory._registry),
        "environment": sorted(vllm.envs.environment_variables),
    }


def _engine() -> dict[str, Any]:
    fields = {}
    for name, found in _dataclass(AsyncEngineArgs).items():
        if name.startswith("_"):
            continue
        owner, field = RENAMED.get(name, (None, name))
        fields[name] = {**found, **_config_field(owner, field)}
    return fields


def _config_field(owner: str | None, field: str) -> dict[str, Any]:
    for name, cls in inspect.getmembers(vllm.config, inspect.isclass):
        known = getattr(cls, "__pydantic_fields__", {})
        if owner in (None, name) and field in known:
            info = known[field]
            # The engine argument may be None where the resolved config may not, so only bounds and choices are taken.
            found = shape(info.annotation, info.metadata)
            return {key: value for key, value in found.items() if key != "kinds"}
    return {}


def _dataclass(cls: Any) -> dict[str, Any]:
    # A hint written as text names a class that its module does not import: any value is let through.
    hints = {field.name: Any if isinstance(field.type, str) else field.type for field in dataclasses.fields(cls)}
    return {name: shape(hint) for name, hint in hints.items()}


def _pydantic(cls: Any) -> dict[str, Any]:
    return {name: shape(info.annotation, info.metadata) for name, info in cls.__pydantic_fields__.items()}


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET, table())
