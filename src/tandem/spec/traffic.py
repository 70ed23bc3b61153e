"""What the service is expected to carry, and what the alternative costs: the plan's own inputs."""

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PositiveInt, model_validator

from tandem.spec.strict import StrictModel


class TokenLengths(StrictModel):
    """Numbers of tokens: one number, or the median and the 95th percentile of a log-normal distribution."""

    p50: PositiveInt
    """Half of the requests have at most this many."""
    p95: PositiveInt
    """19 of 20 requests have at most this many."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.p95 < self.p50:
            raise ValueError(f"p95 ({self.p95}) is below p50 ({self.p50})")
        return self


def _expand(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return {"p50": value, "p95": value}
    return value


Tokens = Annotated[TokenLengths, BeforeValidator(_expand, json_schema_input_type=PositiveInt | TokenLengths)]


class Traffic(StrictModel):
    """The load of the whole service. The default lengths are those of a chat service."""

    requests_per_second: Annotated[float, Field(gt=0)] = 1.0
    """Mean rate of new requests."""
    input_tokens: Tokens = Field(default=TokenLengths(p50=1020, p95=4000))
    """Prompt lengths, system prompt included."""
    output_tokens: Tokens = Field(default=TokenLengths(p50=129, p95=500))
    """Answer lengths."""
    burstiness: Annotated[float, Field(ge=0)] = 1.0
    """Coefficient of variation of the gaps between requests: 1 is Poisson, 0 a metronome, above 1 bursty."""
    cached_share: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of prompt tokens whose KV cache an engine already has (shared system prompts, long conversations)."""
    goal: Literal["slo", "throughput"] = "slo"
    """slo: hold the latency targets at the lowest cost. throughput: most tokens a dollar, latency does not matter."""


class ApiPrice(StrictModel):
    """A managed API's price, for the break-even. In any currency."""

    input_per_million: Annotated[float, Field(ge=0)]
    """Price of a million input tokens."""
    output_per_million: Annotated[float, Field(ge=0)]
    """Price of a million output tokens."""
    currency: str = "USD"
    """Its name, such as BRL."""
    per_usd: Annotated[float, Field(gt=0)] = 1.0
    """How many of it one US dollar buys."""
