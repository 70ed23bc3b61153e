"""NIXL's transfer statistics with one record per request, on their way from vLLM's worker to its front end."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from vllm.distributed.kv_transfer.kv_connector.v1.nixl.stats import NixlKVConnectorStats

REQUESTS = "tandem_requests"


class RequestTransfer(NamedTuple):
    """What one request's load moved. `request_id` is vLLM's internal id: ours, a dash, 8 random characters."""

    request_id: str
    size_bytes: int
    seconds: float


@dataclass
class TransferStats(NixlKVConnectorStats):
    """vLLM's lists, and `tandem_requests`: (request id, bytes, seconds) each. Plain data, since it is serialised."""

    def reset(self) -> None:
        """Empties all lists."""
        super().reset()
        self.data[REQUESTS] = []

    def record_request(self, request_id: str, size_bytes: int, seconds: float) -> None:
        """Adds one request's finished load."""
        self.data[REQUESTS].append((request_id, size_bytes, seconds))


def request_transfers(data: dict[str, Any]) -> list[RequestTransfer]:
    """The per-request records in statistics that reached the front end."""
    return [RequestTransfer(*record) for record in data.get(REQUESTS, [])]
