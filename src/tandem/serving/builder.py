"""The application: ingress → decode → prefill, or ingress → pool.

Takes the arguments of `ray.serve.llm:build_pd_openai_app` (`prefill_config`, `decode_config`, each a Ray LLMConfig),
or `pool_config` alone, and a `tandem` section (tandem.serving.options.TandemOptions).
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from ray import serve
from ray.serve.deployment import Application
from ray.serve.llm import LLMConfig, build_llm_deployment

from tandem.serving.ingress import Ingress
from tandem.serving.options import PROGRESS_DELAY_US, TandemOptions
from tandem.serving.phases import DecodeServer, PoolServer, PrefillServer

_CONNECTOR_MODULE = "tandem.serving.nixl_connector"
_FORCING = "tandem.serving.forcing:ForcedTokens"
_CONSUMER, _PRODUCER = "kv_consumer", "kv_producer"


class AppArgs(BaseModel):
    """The arguments of build_app."""

    model_config = ConfigDict(extra="forbid")

    prefill_config: LLMConfig | None = None
    decode_config: LLMConfig | None = None
    pool_config: LLMConfig | None = None
    ingress_deployment_config: dict[str, Any] = Field(default_factory=dict)
    tandem: TandemOptions = Field(default_factory=TandemOptions)

    @model_validator(mode="after")
    def _two_phases_or_one_pool(self) -> "AppArgs":
        given = [c is not None for c in (self.prefill_config, self.decode_config, self.pool_config)]
        if given in ([True, True, False], [False, False, True]):
            return self
        raise ValueError("give prefill_config and decode_config, or pool_config alone")


def build_app(args: dict[str, Any]) -> Application:
    """The Serve application for `args`; the import path of the data plane."""
    given = AppArgs.model_validate(args)
    if given.pool_config is not None:
        return _ingress(given, given.pool_config, {"pool": _pool(given.pool_config, given.tandem)})
    assert given.prefill_config is not None
    assert given.decode_config is not None
    prefill = _prefill(given.prefill_config, given.tandem)
    decode = _decode(given.decode_config, given.tandem, prefill)
    return _ingress(given, given.decode_config, {"decode": decode, "prefill": prefill})


def _pool(config: LLMConfig, options: TandemOptions) -> Application:
    _make_repeatable(config)
    return build_llm_deployment(
        config, name_prefix="Pool:", deployment_cls=PoolServer, bind_kwargs={"options": options}
    )


def _prefill(config: LLMConfig, options: TandemOptions) -> Application:
    _connect(config, _PRODUCER, options)
    return build_llm_deployment(config, name_prefix="Prefill:", deployment_cls=PrefillServer)


def _decode(config: LLMConfig, options: TandemOptions, prefill: Application) -> Application:
    _connect(config, _CONSUMER, options)
    _make_repeatable(config)
    return build_llm_deployment(
        config,
        name_prefix="Decode:",
        deployment_cls=DecodeServer,
        bind_kwargs={"options": options, "prefill_server": prefill},
    )


def _connect(config: LLMConfig, role: str, options: TandemOptions) -> None:
    """Sets what Tandem decides of kv_transfer_config; the rest (backends, buffer, lease) is the user's."""
    given = dict(config.engine_kwargs.get("kv_transfer_config") or {})
    given.pop("engine_id", None)  # a static id makes a restarted engine a stale peer: vLLM issue 49238
    config.engine_kwargs["kv_transfer_config"] = {
        **given,
        "kv_connector": "NixlConnector",
        "kv_connector_module_path": _CONNECTOR_MODULE,
        "kv_role": role,
        "kv_load_failure_policy": "fail",  # never a silent recompute: vLLM issue 52234
    }
    runtime_env = dict(config.runtime_env or {})
    variables = {**runtime_env.get("env_vars", {}), PROGRESS_DELAY_US: str(options.progress_delay_us)}
    config.runtime_env = {**runtime_env, "env_vars": variables}


def _make_repeatable(config: LLMConfig) -> None:
    """Lets an engine repeat the beginning of an answer that another engine of its phase died over."""
    given = config.engine_kwargs.get("logits_processors") or []
    config.engine_kwargs["logits_processors"] = [*given, _FORCING]


def _ingress(args: AppArgs, config: LLMConfig, phases: dict[str, Application]) -> Application:
    deployment = {"name": "Ingress", "max_ongoing_requests": 1000, **args.ingress_deployment_config}
    return serve.deployment(Ingress, **deployment).bind(model_id=config.model_id, phases=phases)
