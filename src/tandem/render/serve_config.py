"""The Ray Serve config of a spec: the same `applications:` document on every target."""

from collections.abc import Mapping, Sequence
from typing import Any

from tandem.spec.models import Spec

IMPORT_PATH = "tandem.serving:build_app"


def serve_config(spec: Spec, model_source: str, engines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """One application with the arguments of tandem.serving:build_app.

    Args:
        spec: the spec.
        model_source: folder, Hugging Face id or bucket that every engine loads.
        engines: per phase, LLMConfig keys of the target (accelerator, placement, environment), merged over ours.
    """
    args: dict[str, Any] = {
        f"{phase}_config": _llm_config(spec, phase, model_source, engines) for phase in spec.phases()
    }
    args["tandem"] = {
        "remote_min_tokens": spec.routing.remote_min_tokens,
        "prefill_timeout_seconds": spec.routing.prefill_timeout_seconds,
    }
    args["ingress_deployment_config"] = {"ray_actor_options": {"num_cpus": 0}}
    return {"applications": [{"name": "tandem", "import_path": IMPORT_PATH, "route_prefix": "/", "args": args}]}


def _llm_config(spec: Spec, phase: str, model_source: str, engines: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    target = dict(engines.get(phase, {}))
    engine = {**target.pop("engine_kwargs", {}), **spec.engine_args(phase)}
    if spec.disaggregated:
        engine["kv_transfer_config"] = _kv_transfer(spec, engine.get("kv_transfer_config"))
    return {
        "model_loading_config": {"model_id": spec.model.id, "model_source": model_source, **_tokenizer(spec)},
        "engine_kwargs": engine,
        "deployment_config": {
            **_scaling(spec, phase),
            "max_ongoing_requests": 1000,
            **target.pop("deployment_config", {}),
        },
        **target,
    }


def _tokenizer(spec: Spec) -> dict[str, str]:
    return {"tokenizer_source": spec.model.tokenizer} if spec.model.tokenizer else {}


def _scaling(spec: Spec, phase: str) -> dict[str, Any]:
    replicas = spec.phases()[phase].replicas
    if replicas.fixed:
        return {"num_replicas": replicas.min}
    return {"autoscaling_config": {"min_replicas": replicas.min, "max_replicas": replicas.max}}


def _kv_transfer(spec: Spec, given: Any) -> dict[str, Any]:
    """kv_transfer_config without what build_app decides itself (connector, role, failure policy, identity)."""
    extra = {"backends": [spec.transfer.backend.upper()], "kv_lease_duration": spec.transfer.lease_seconds}
    own: dict[str, Any] = dict(given or {})
    own["kv_connector_extra_config"] = {**extra, **own.get("kv_connector_extra_config", {})}
    device = spec.transfer.buffer_device or ("cpu" if spec.target.kind == "local" else None)
    if device:
        own["kv_buffer_device"] = device
    return own


def local_engines(spec: Spec, cores: Mapping[str, Sequence[str]], dtype: str) -> dict[str, dict[str, Any]]:
    """What CPU engines on this machine need of the LLMConfig.

    `cores` gives each phase's replicas their cores, `dtype` is the one the CPU is fast with.
    """
    assert spec.target.local is not None
    gib = spec.target.local.kv_cache_gib
    engines: dict[str, dict[str, Any]] = {}
    for phase in spec.phases():
        variables = {"TANDEM_CORES": "|".join(cores[phase]), "VLLM_CPU_KVCACHE_SPACE": str(gib)}
        engines[phase] = {
            "accelerator_config": {"kind": "cpu"},
            "placement_group_config": {"bundles": [{"CPU": 1}]},
            "deployment_config": {"ray_actor_options": {"num_cpus": 0}},
            # Compiling pays on a server; on a laptop it costs a minute at start. Users can turn it on.
            "engine_kwargs": {"enforce_eager": True, "dtype": dtype},
            "log_engine_metrics": False,
            "runtime_env": {"env_vars": variables},
        }
    return engines
