"""From one sequence to the steps that serve it: a pure state machine, no Ray and no vLLM in it.

    first()                      → AskPrefill | Decode
    AskPrefill  → Refused        → Decode without transfer, which tells the client why
    AskPrefill  → Prefilled      → Decode with its transfer
                → PrefillFailed  → AskPrefill again while attempts and budget last, else Decode without transfer
    Decode(transfer) → TransferFailed → Decode without transfer

A client never sees a failure of the prefill leg: the worst case is a slower first token.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Route(StrEnum):
    """Where the prompt is prefilled: on a prefill node, or on the decode node itself."""

    REMOTE = "remote"
    LOCAL = "local"


class Reason(StrEnum):
    """Why a sequence took the local route."""

    SHORT = "short"
    PROMPT_LOGITS = "prompt_logits"
    MULTIMODAL = "multimodal"
    ADAPTER = "adapter"
    NO_PREFIX_CACHE = "no_prefix_cache"
    NO_PREFILL = "no_prefill"
    BREAKER_OPEN = "breaker_open"
    FORCED = "forced"
    REFUSED = "refused"
    PREFILL_FAILED = "prefill_failed"
    PREFILL_TIMEOUT = "prefill_timeout"
    TRANSFER_FAILED = "transfer_failed"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """How the operator wants sequences routed."""

    remote_min_tokens: int = 256
    prefill_timeout_seconds: float = 30.0
    prefill_attempts: int = 2
    retry_seconds: float = 2.0
    """A further attempt finds another replica at once or none at all: no client waits for one that is restarted."""


@dataclass(frozen=True, kw_only=True)
class Sequence:
    """What of a request decides its route."""

    prompt_tokens: int
    samples: int = 1
    needs_prompt_logits: bool = False
    multimodal: bool = False
    adapter: bool = False
    forced: Route | None = None


@dataclass(frozen=True, kw_only=True)
class Health:
    """What is known of the phases when the request arrives."""

    prefill_exists: bool = True
    breaker_open: bool = False
    decode_prefix_cache: bool = True


@dataclass(frozen=True)
class AskPrefill:
    """Ask a prefill engine for the prompt's KV cache, for at most this long."""

    timeout_seconds: float


@dataclass(frozen=True)
class Decode:
    """Write the answer: from a transferred KV cache, or (None) from the prompt itself.

    `pull_first`: several samples of one prompt must not each pull the same blocks, which the first pull frees.
    One sequence pulls them into decode's prefix cache, then all samples start from there.
    """

    transfer: Mapping[str, Any] | None = None
    pull_first: bool = False


@dataclass(frozen=True)
class Refused:
    """Decode's own engine will refuse the sequence: a prefill would be in vain, and its blocks held for nobody."""


@dataclass(frozen=True)
class Prefilled:
    """Prefill answered with the parameters of the transfer."""

    transfer: Mapping[str, Any]


@dataclass(frozen=True)
class PrefillFailed:
    """Prefill raised, or did not answer in time."""

    elapsed_seconds: float
    timed_out: bool = False


@dataclass(frozen=True)
class TransferFailed:
    """Decode could not load the transferred KV cache; no token was produced from it."""


Step = AskPrefill | Decode
Event = Refused | Prefilled | PrefillFailed | TransferFailed


class Orchestrator:
    """The course of one sequence. `route` and `reason` tell what was decided last."""

    def __init__(self, policy: Policy, sequence: Sequence, health: Health) -> None:
        self._policy = policy
        self._sequence = sequence
        self._attempts = 0
        self._budget_seconds = policy.prefill_timeout_seconds
        self.reason = local_reason(policy, sequence, health)
        self.route = Route.LOCAL if self.reason else Route.REMOTE

    def first(self) -> Step:
        """The step to begin with."""
        return Decode() if self.route is Route.LOCAL else self._ask()

    def on(self, event: Event) -> Step:
        """The step that follows what happened."""
        match event:
            case Refused():
                return self._local(Reason.REFUSED)
            case Prefilled(transfer):
                return Decode(transfer, pull_first=self._sequence.samples > 1)
            case PrefillFailed():
                return self._after_failed_prefill(event)
            case TransferFailed():
                return self._local(Reason.TRANSFER_FAILED)

    def _after_failed_prefill(self, event: PrefillFailed) -> Step:
        self._budget_seconds -= event.elapsed_seconds
        if self._attempts < self._policy.prefill_attempts and self._budget_seconds > 0:
            return self._ask()
        return self._local(Reason.PREFILL_TIMEOUT if event.timed_out else Reason.PREFILL_FAILED)

    def _ask(self) -> AskPrefill:
        self._attempts += 1
        if self._attempts == 1:
            return AskPrefill(self._budget_seconds)
        return AskPrefill(min(self._budget_seconds, self._policy.retry_seconds))

    def _local(self, reason: Reason) -> Decode:
        self.route, self.reason = Route.LOCAL, reason
        return Decode()


def local_reason(policy: Policy, sequence: Sequence, health: Health) -> Reason | None:
    """Why this sequence must or should be prefilled on decode; None when remote prefill is right."""
    if sequence.needs_prompt_logits:  # the logits of the prompt exist only where it is computed
        return Reason.PROMPT_LOGITS
    if sequence.multimodal:
        return Reason.MULTIMODAL
    if sequence.adapter:
        return Reason.ADAPTER
    if not health.prefill_exists:
        return Reason.NO_PREFILL
    if sequence.samples > 1 and not health.decode_prefix_cache:
        return Reason.NO_PREFIX_CACHE
    if sequence.forced is not None:
        return Reason.FORCED if sequence.forced is Route.LOCAL else None
    if health.breaker_open:
        return Reason.BREAKER_OPEN
    return Reason.SHORT if sequence.prompt_tokens < policy.remote_min_tokens else None
