"""The spec: one model, its engines, its two phases (or one pool), how the KV cache travels, and where it runs."""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    NonNegativeInt,
    PositiveInt,
    ValidationInfo,
    field_validator,
    model_validator,
)

from tandem.spec.strict import StrictModel
from tandem.spec.targets import Target
from tandem.spec.traffic import ApiPrice, Traffic

EMBEDDED_SOURCE = "embedded:smollm2-135m"

EngineArgs = dict[str, Any]


class Replicas(StrictModel):
    """How many engines a phase has: `2`, or a range that it scales in."""

    min: PositiveInt = 1
    """Never fewer than this."""
    max: PositiveInt = 1
    """Never more than this."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.max < self.min:
            raise ValueError(f"max ({self.max}) is below min ({self.min})")
        return self

    @property
    def fixed(self) -> bool:
        """True when the phase does not scale."""
        return self.min == self.max


def _expand_replicas(value: object) -> object:
    if isinstance(value, (dict, Replicas)):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return {"min": value, "max": value}
    raise ValueError("write a number from 1 on, or {min, max}")


ReplicaRange = Annotated[Replicas, BeforeValidator(_expand_replicas, json_schema_input_type=PositiveInt | Replicas)]


class Model(StrictModel):
    """Which model is served, and under which name."""

    source: str = Field(default=EMBEDDED_SOURCE, min_length=1)
    """Hugging Face id, local folder, s3://bucket/prefix, or embedded:smollm2-135m (comes with the package)."""
    id: str = ""
    """Name that clients ask for. Default: the last part of `source`."""
    tokenizer: str | None = None
    """Folder or Hugging Face id of the tokenizer, when it is not the model's own."""

    @model_validator(mode="before")
    @classmethod
    def _name_after_source(cls, value: Any) -> Any:
        if isinstance(value, dict) and not value.get("id"):
            source = str(value.get("source", EMBEDDED_SOURCE))
            return {**value, "id": source.split(":")[-1].rstrip("/").split("/")[-1].lower()}
        return value


class Phase(StrictModel):
    """One phase: how many engines, and what its engines do differently."""

    replicas: ReplicaRange = Field(default=Replicas())
    """A number, or {min, max}."""
    engine: EngineArgs = Field(default_factory=dict)
    """vLLM engine arguments for this phase only; they win over the common `engine`."""


class Transfer(StrictModel):
    """How the KV cache travels from prefill to decode."""

    backend: Literal["ucx", "libfabric"] = "ucx"
    """NIXL's plugin: ucx, or libfabric (the one for EFA)."""
    over: Literal["efa", "rdma", "tcp", "shm"] | None = None
    """What must carry the bytes. Left out: shared memory on one machine, else what the backend finds."""
    buffer_device: Literal["cpu", "cuda"] | None = None
    """Where the KV buffer lies for the transfer. Default: where the engine's KV cache is."""
    lease_seconds: PositiveInt = 60
    """How long prefill keeps finished blocks for decode (vLLM's kv_lease_duration); heartbeats renew it."""


class Routing(StrictModel):
    """When a prompt is prefilled on a prefill node (remote) and when on the decode node itself (local)."""

    remote_min_tokens: NonNegativeInt = 256
    """A prompt with at least this many tokens is prefilled remotely."""
    prefill_timeout_seconds: Annotated[float, Field(gt=0)] = 30.0
    """Time for all attempts at prefill together; after it the prompt is computed on decode."""


class Slo(StrictModel):
    """What the user promises to clients; scaling, plans and verdicts are held against it."""

    ttft_ms: PositiveInt = 2000
    """Time to first token, 95th percentile."""
    itl_ms: PositiveInt = 50
    """Inter-token latency, 95th percentile."""


class Spec(StrictModel):
    """The whole file. Either `prefill` and `decode`, or `pool`."""

    model: Model = Field(default_factory=lambda: Model.model_validate({}))
    """The model."""
    engine: EngineArgs = Field(default_factory=dict)
    """vLLM engine arguments for every engine, by vLLM's own names."""
    prefill: Phase | None = None
    """Engines that read the prompt."""
    decode: Phase | None = None
    """Engines that write the answer."""
    pool: Phase | None = None
    """Instead of prefill and decode: the same engines without disaggregation."""
    transfer: Transfer = Field(default_factory=Transfer)
    """The way of the KV cache."""
    routing: Routing = Field(default_factory=Routing)
    """Remote or local prefill, request by request."""
    slo: Slo = Field(default_factory=Slo)
    """Latency targets."""
    target: Target = Field(default_factory=Target)
    """Where it runs."""
    traffic: Traffic = Field(default_factory=Traffic)
    """The expected load: what `tandem plan` sizes for."""
    prices: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Own prices in US dollars by item: an instance type per hour, eks-control-plane, nat-gateway, ebs-gp3, egress."""
    managed_api: ApiPrice | None = None
    """A managed API to break even against."""

    @model_validator(mode="before")
    @classmethod
    def _two_phases_unless_pool(cls, value: Any) -> Any:
        if not isinstance(value, dict) or value.get("pool") is not None:
            return value
        if value.keys() & {"prefill", "decode", "pool"} == {"pool"}:  # `pool:` and nothing after it
            return {**value, "pool": {}}
        return {**value, **{name: _empty_if_none(value.get(name)) for name in ("prefill", "decode")}}

    @field_validator("pool")
    @classmethod
    def _one_shape(cls, pool: Phase | None, info: ValidationInfo) -> Phase | None:
        if pool and (info.data.get("prefill") or info.data.get("decode")):
            raise ValueError("pool stands instead of prefill and decode: remove one of the two")
        return pool

    @property
    def disaggregated(self) -> bool:
        """True for prefill + decode, False for a pool."""
        return self.pool is None

    def phases(self) -> dict[str, Phase]:
        """The phases by name, in the order of the data: prefill, decode; or pool alone."""
        named = {"prefill": self.prefill, "decode": self.decode, "pool": self.pool}
        return {name: phase for name, phase in named.items() if phase is not None}

    def engine_args(self, phase: str) -> EngineArgs:
        """The engine arguments of one phase: the common ones, overridden by its own."""
        return {**self.engine, **self.phases()[phase].engine}


def _empty_if_none(value: Any) -> Any:
    return {} if value is None else value
