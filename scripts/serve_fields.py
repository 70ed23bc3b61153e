"""Writes src/tandem/facts/serve_fields.json from the Ray that is installed where this runs.

The models that a Serve config meets on its way to an engine: which keys they know, which they refuse, of what type.
Run it with the Python of the serving environment; a contract test repeats it and compares.
"""

import inspect
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import ray
from ray import serve
from ray.llm._internal.common.placement import BundleConfig, PlacementGroupConfig
from ray.llm._internal.common.utils.cloud_utils import CloudMirrorConfig, ExtraFiles
from ray.llm._internal.serve.core.configs.accelerators import TPU_ACCELERATOR_VALUES, AcceleratorType
from ray.llm._internal.serve.core.configs.llm_config import LLMConfig, LoraConfig, ModelLoadingConfig
from ray.llm._internal.serve.core.ingress.builder import IngressClsConfig, LLMServingArgs
from ray.llm._internal.serve.serving_patterns.prefill_decode.builder import PDServingArgs
from ray.serve._private.config import DeploymentConfig
from ray.serve.config import AutoscalingConfig, BackpressureConfig, RequestRouterConfig
from ray.serve.schema import (
    DeploymentSchema,
    HTTPOptionsSchema,
    LoggingConfig,
    RayActorOptionsSchema,
    ServeApplicationSchema,
    ServeDeploySchema,
    TracingConfig,
    gRPCOptionsSchema,
)
from shapes import shape, write

TARGET = Path(__file__).parent.parent / "src" / "tandem" / "facts" / "serve_fields.json"

MODELS = {
    "deploy": ServeDeploySchema,
    "application": ServeApplicationSchema,
    "http_options": HTTPOptionsSchema,
    "grpc_options": gRPCOptionsSchema,
    "logging_config": LoggingConfig,
    "tracing_config": TracingConfig,
    "deployment_override": DeploymentSchema,
    "pd_args": PDServingArgs,
    "openai_args": LLMServingArgs,
    "llm_config": LLMConfig,
    "model_loading_config": ModelLoadingConfig,
    "cloud_mirror": CloudMirrorConfig,
    "extra_files": ExtraFiles,
    "lora_config": LoraConfig,
    "ingress_cls_config": IngressClsConfig,
    "autoscaling_config": AutoscalingConfig,
    "backpressure_config": BackpressureConfig,
    "request_router_config": RequestRouterConfig,
    "ray_actor_options": RayActorOptionsSchema,
    "placement_group_config": PlacementGroupConfig,
    "bundle": BundleConfig,
}

# Which model a key's mapping (or each item of its list) is held against; Ray does it in validators, not in types.
NESTED = {
    ("deploy", "applications"): "application",
    ("deploy", "http_options"): "http_options",
    ("deploy", "grpc_options"): "grpc_options",
    ("deploy", "logging_config"): "logging_config",
    ("deploy", "tracing_config"): "tracing_config",
    ("application", "logging_config"): "logging_config",
    ("application", "deployments"): "deployment_override",
    ("deployment_override", "ray_actor_options"): "ray_actor_options",
    ("deployment_override", "logging_config"): "logging_config",
    ("deployment_override", "backpressure_config"): "backpressure_config",
    ("pd_args", "prefill_config"): "llm_config",
    ("pd_args", "decode_config"): "llm_config",
    ("pd_args", "ingress_cls_config"): "ingress_cls_config",
    ("pd_args", "ingress_deployment_config"): "deployment",
    ("openai_args", "llm_configs"): "llm_config",
    ("openai_args", "ingress_cls_config"): "ingress_cls_config",
    ("openai_args", "ingress_deployment_config"): "deployment",
    ("llm_config", "model_loading_config"): "model_loading_config",
    ("llm_config", "lora_config"): "lora_config",
    ("llm_config", "deployment_config"): "deployment",
    ("llm_config", "placement_group_config"): "placement_group_config",
    ("model_loading_config", "model_source"): "cloud_mirror",
    ("cloud_mirror", "extra_files"): "extra_files",
    ("placement_group_config", "bundle_per_worker"): "bundle",
    ("placement_group_config", "bundles"): "bundle",
    ("deployment", "autoscaling_config"): "autoscaling_config",
    ("deployment", "backpressure_config"): "backpressure_config",
    ("deployment", "request_router_config"): "request_router_config",
    ("deployment", "ray_actor_options"): "ray_actor_options",
    ("deployment", "logging_config"): "logging_config",
}


def table() -> dict[str, Any]:
    """The models of this release."""
    models = {name: _model(name, cls) for name, cls in MODELS.items()}
    models["deployment"] = _deployment()
    # A Serve config's actor options are a plain model, but a deployment's are refused when they hold another key.
    models["ray_actor_options"]["extra"] = "forbid"
    return {
        "version": ray.__version__,
        "models": models,
        "accelerators": sorted(member.value for member in AcceleratorType.__members__.values()),
        "tpus": sorted(TPU_ACCELERATOR_VALUES),
        "builders": _builders(),
    }


def _model(name: str, cls: Any) -> dict[str, Any]:
    fields = {}
    for key, info in cls.model_fields.items():
        fields[key] = {**shape(info.annotation, info.metadata), **_nested(name, key)}
        if info.is_required():
            fields[key]["required"] = True
    return {"extra": cls.model_config.get("extra") or "ignore", "fields": fields}


def _deployment() -> dict[str, Any]:
    """The options of `serve.deployment`: its parameters are the known keys, DeploymentConfig has the types."""
    fields = {}
    for key in inspect.signature(serve.deployment).parameters:
        if key.startswith("_"):
            continue
        info = DeploymentConfig.model_fields.get(key) or DeploymentSchema.model_fields.get(key)
        found = shape(info.annotation, info.metadata) if info else {"kinds": ["any"]}
        if key == "num_replicas":
            # The type takes 0, serve.deployment does not; it takes one word.
            found = {"kinds": ["choice:str", "int", "null"], "choices": ["auto"], "gt": 0}
        fields[key] = {**found, **_nested("deployment", key)}
    return {"extra": "forbid", "fields": fields}


def _nested(model: str, key: str) -> dict[str, str]:
    nested = NESTED.get((model, key))
    return {"model": nested} if nested else {}


def _builders() -> list[str]:
    import ray.serve.llm as llm

    return sorted(name for name in dir(llm) if name.startswith("build_"))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET, table())
