"""Run with the serving environment's Python: what the pinned Ray and vLLM say of Serve configs. Starts neither.

Reads a JSON object {"model": folder, "configs": [...]} and writes a list: null for accepted, else the refusal.
The validators are the real ones, in the order in which a deployment meets them: Serve's schema, the builder's
arguments, each engine's options, vLLM's own configuration.
"""

import importlib
import json
import sys
from types import SimpleNamespace
from typing import Any

import ray
from ray import serve
from ray.llm._internal.common.dict_utils import maybe_apply_llm_deployment_config_defaults
from ray.llm._internal.serve.core.server.builder import DEFAULT_DEPLOYMENT_OPTIONS
from ray.llm._internal.serve.engines.vllm.kv_transfer.nixl import NixlConnectorBackend
from ray.llm._internal.serve.engines.vllm.vllm_engine import _get_vllm_engine_config
from ray.llm._internal.serve.serving_patterns.prefill_decode.builder import PDServingArgs
from ray.llm._internal.serve.serving_patterns.prefill_decode.pd_server import PDDecodeServer, PDPrefillServer
from ray.serve.schema import ServeDeploySchema


def main() -> None:
    """Answers the request on stdin."""
    request = json.load(sys.stdin)
    # What asks a running cluster is answered here: no Ray is started.
    ray.get_runtime_context = lambda: SimpleNamespace(runtime_env={})
    NixlConnectorBackend.setup = lambda self: None
    answers = [refusal(config, request["model"]) for config in request["configs"]]
    json.dump(answers, sys.stdout)


def refusal(config: dict[str, Any], folder: str) -> str | None:
    """The first error, or None."""
    try:
        schema = ServeDeploySchema.model_validate(config)
        for app in schema.applications:
            _load(app.import_path)
            _build(app.args, folder)
    except Exception as error:  # noqa: BLE001  whatever a validator raises is its answer
        return f"{type(error).__name__}: {error}"
    return None


def _load(import_path: str) -> None:
    module, name = import_path.replace(":", ".").rsplit(".", 1)
    getattr(importlib.import_module(module), name)


def _build(args: dict[str, Any], folder: str) -> None:
    parsed = PDServingArgs.model_validate(args)
    for config, server in ((parsed.prefill_config, PDPrefillServer), (parsed.decode_config, PDDecodeServer)):
        options = maybe_apply_llm_deployment_config_defaults(
            DEFAULT_DEPLOYMENT_OPTIONS, server.get_deployment_options(config)
        )
        serve.deployment(server, **options)
        config._setup_kv_connector_backend()
        # Any model that can be named stands for the one whose configuration lies here.
        engine = config.get_engine_config()
        if not isinstance(engine.actual_hf_model_id, str) or not engine.actual_hf_model_id:
            raise ValueError("no model")
        engine.hf_model_id, engine.mirror_config = folder, None
        _get_vllm_engine_config(config)


if __name__ == "__main__":
    main()
