"""The `tandem:` section of the application arguments."""

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveFloat, PositiveInt

from tandem.serving.orchestrator import Policy

PROGRESS_DELAY_US = "TANDEM_NIXL_PROGRESS_DELAY_US"
"""Environment variable that carries `progress_delay_us` into vLLM's engine process."""


class TandemOptions(BaseModel):
    """What Tandem's own parts need to know. Engine settings stay in the LLMConfig of each phase."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    remote_min_tokens: NonNegativeInt = Field(256, description="Prompts from this length on are prefilled remotely.")
    prefill_timeout_seconds: PositiveFloat = Field(30.0, description="Time budget of all prefill attempts together.")
    prefill_attempts: PositiveInt = Field(
        2, description="Prefill replicas tried before the prompt is computed locally."
    )
    progress_delay_us: NonNegativeInt = Field(
        500, description="Pause of NIXL's progress thread between polls. At 0 it spins on a core per engine."
    )

    def policy(self) -> Policy:
        """The part of the options that routes sequences."""
        return Policy(
            remote_min_tokens=self.remote_min_tokens,
            prefill_timeout_seconds=self.prefill_timeout_seconds,
            prefill_attempts=self.prefill_attempts,
        )
