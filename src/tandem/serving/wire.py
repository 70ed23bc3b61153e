"""What crosses between the deployments, written out in one place."""

from dataclasses import dataclass, field
from typing import Any

from tandem.serving.replay import Course


@dataclass(frozen=True, kw_only=True)
class HttpCall:
    """A client's HTTP request as the ingress hands it to a decode replica."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str | None = None
    resume: Course | None = None


@dataclass(frozen=True)
class HttpPart:
    """A part of a streamed body, and what the engine gave for it."""

    body: bytes
    course: Course


@dataclass(frozen=True)
class HttpHead:
    """Status and headers, before the first byte of the body."""

    status: int
    headers: list[tuple[bytes, bytes]]


@dataclass(frozen=True)
class HttpAnswer:
    """A whole answer, for requests that do not stream."""

    head: HttpHead
    body: bytes
    account: "Account"


@dataclass(frozen=True, kw_only=True)
class PrefillCall:
    """The prefill leg: only what shapes the KV cache. Sampling, stop and the rest stay with decode."""

    request_id: str
    token_ids: list[int]
    cache_salt: str | None = None
    priority: int = 0


@dataclass(frozen=True)
class PrefillAnswer:
    """Parameters of the transfer, as vLLM's connector on the prefill side made them, and the time it took.

    `cached_tokens` of the prompt were in prefill's prefix cache: the others were computed for this request.
    """

    transfer: dict[str, Any]
    engine_seconds: float
    cached_tokens: int = 0


@dataclass(kw_only=True)
class SequenceAccount:
    """How one sequence was served. Seconds are wall time on the decode replica."""

    route: str
    reason: str | None
    prompt_tokens: int
    prefill_seconds: float = 0.0
    transfer_seconds: float = 0.0
    transfer_bytes: int = 0
    first_token_seconds: float | None = None
    fallbacks: list[str] = field(default_factory=list)


@dataclass
class Account:
    """How one HTTP request was served: its sequences, in the order they were started."""

    sequences: list[SequenceAccount] = field(default_factory=list)

    @property
    def route(self) -> str:
        """`remote` when any sequence was prefilled remotely, else `local`."""
        return "remote" if any(s.route == "remote" for s in self.sequences) else "local"

    @property
    def transfer_bytes(self) -> int:
        """Bytes of KV cache that decode read for this request."""
        return sum(s.transfer_bytes for s in self.sequences)


@dataclass(frozen=True, kw_only=True)
class ReplicaStatus:
    """One engine replica, as it sees itself."""

    phase: str
    replica: str
    node_ip: str
    pid: int
    engine_pids: list[int]
    cores: str
    started: float
    kv_cache_tokens: int
    kv_cache_usage: float
    running: int
    waiting: int
    transfer_bytes: int
    transfers: int
    failed_transfers: int
    expired_transfers: int
    warm: bool
