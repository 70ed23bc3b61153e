"""Exact totals of one engine, kept in its front end from every statistics record that vLLM's scheduler sends.

Ray's exported histograms give bucket midpoints and cannot be summed; these are plain sums.
"""

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from vllm.v1.metrics.loggers import StatLoggerBase

from tandem.serving.transfer_stats import RequestTransfer, request_transfers

if TYPE_CHECKING:
    from vllm.config import VllmConfig

_REMEMBERED_TRANSFERS = 4096  # more than any engine runs at once; a request asks for its own within a step


class Ledger(StatLoggerBase):
    """Counts transfers, and remembers each request's until it is asked for."""

    def __init__(self, vllm_config: "VllmConfig", engine_index: int = 0) -> None:
        self.transfer_bytes = 0
        self.transfers = 0
        self.failed_transfers = 0
        self.expired_transfers = 0
        self.running = 0
        self.waiting = 0
        self.kv_cache_usage = 0.0
        self._by_request: OrderedDict[str, RequestTransfer] = OrderedDict()

    def record(
        self,
        scheduler_stats: Any,
        iteration_stats: Any,
        mm_cache_stats: Any = None,
        engine_idx: int = 0,
    ) -> None:
        """Called by vLLM after every engine step that has something to tell."""
        if scheduler_stats is None:
            return
        self.running = scheduler_stats.num_running_reqs
        self.waiting = scheduler_stats.num_waiting_reqs
        self.kv_cache_usage = scheduler_stats.kv_cache_usage
        if scheduler_stats.kv_connector_stats:
            self._add_transfers(scheduler_stats.kv_connector_stats)

    def log_engine_initialized(self) -> None:
        """Nothing to tell."""

    def take(self, request_id: str) -> RequestTransfer | None:
        """The transfer of the request that was submitted as `request_id`, once."""
        # vLLM appends a dash and random characters to the id it was given (InputProcessor.assign_request_id).
        for internal in self._by_request:
            if internal.rpartition("-")[0] == request_id:
                return self._by_request.pop(internal)
        return None

    def _add_transfers(self, data: dict[str, Any]) -> None:
        self.transfer_bytes += sum(data["bytes_transferred"])
        self.transfers += len(data["bytes_transferred"])
        self.failed_transfers += sum(data["num_failed_transfers"])
        self.expired_transfers += sum(data["num_kv_expired_reqs"])
        for transfer in request_transfers(data):
            self._by_request[transfer.request_id] = transfer
        while len(self._by_request) > _REMEMBERED_TRANSFERS:
            self._by_request.popitem(last=False)
