"""vLLM's NixlConnector, with what a service needs of it. Named in kv_transfer_config by `kv_connector_module_path`.

- NIXL's progress thread is paced: nixl 1.3.2 sets its delay to 0, so every idle engine burns most of a core.
- The engine's main thread keeps its cores: on the CPU, vLLM's worker moves it to the last core of the machine, where
  the main threads of all engines then meet.
- Each transfer is recorded with its request, so that bytes can be told per request and not only in sum.
- A transfer is bound to the tokens it was made for: parameters whose token hash differs are refused.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from vllm.distributed.kv_transfer.kv_connector.v1.base import KVConnectorRole
from vllm.distributed.kv_transfer.kv_connector.v1.nixl.connector import NixlPullConnector
from vllm.distributed.kv_transfer.kv_connector.v1.nixl.pull_scheduler import NixlPullConnectorScheduler
from vllm.distributed.kv_transfer.kv_connector.v1.nixl.pull_worker import NixlPullConnectorWorker
from vllm.logger import init_logger

from tandem.serving.binding import TOKEN_HASH, token_hash
from tandem.serving.options import PROGRESS_DELAY_US
from tandem.serving.orphan import end_with_parent
from tandem.serving.transfer_stats import TransferStats

if TYPE_CHECKING:
    from vllm.config import VllmConfig
    from vllm.v1.kv_cache_interface import KVCacheConfig
    from vllm.v1.request import Request

logger = init_logger("vllm.tandem.nixl_connector")


class NixlConnector(NixlPullConnector):
    """The pull connector with Tandem's worker and scheduler sides. Ray and vLLM look it up by this name."""

    def __init__(self, vllm_config: "VllmConfig", role: KVConnectorRole, kv_cache_config: "KVCacheConfig") -> None:
        # vLLM builds the sides in __init__; going past NixlPullConnector's own avoids making them twice.
        super(NixlPullConnector, self).__init__(vllm_config, role, kv_cache_config)
        end_with_parent()
        if role == KVConnectorRole.SCHEDULER:
            self.connector_scheduler = BoundScheduler(vllm_config, self.engine_id, kv_cache_config)
        else:
            with _cores_kept(), _paced_progress_thread(int(os.environ.get(PROGRESS_DELAY_US, "500"))):
                self.connector_worker = RecordingWorker(vllm_config, self.engine_id, kv_cache_config)

    @classmethod
    def build_kv_connector_stats(cls, data: dict[str, Any] | None = None) -> TransferStats:
        """The stats with a record per transfer; vLLM rebuilds them from `data` in the front end."""
        return TransferStats(data=data) if data is not None else TransferStats()


class BoundScheduler(NixlPullConnectorScheduler):
    """Refuses transfer parameters that were made for other tokens."""

    def get_num_new_matched_tokens(self, request: "Request", num_computed_tokens: int) -> tuple[int, bool]:
        """As vLLM's, but parameters of a foreign prompt are dropped: the prompt is computed here, no block is read."""
        params = request.kv_transfer_params
        if params and params.get("do_remote_prefill") and not _made_for(params, request):
            logger.error("Transfer refused: its KV cache was made for other tokens than request %s", request.request_id)
            params["do_remote_prefill"] = False
        return super().get_num_new_matched_tokens(request, num_computed_tokens)


class RecordingWorker(NixlPullConnectorWorker):
    """Records bytes and seconds of each finished transfer under the request it belongs to."""

    def __init__(self, vllm_config: "VllmConfig", engine_id: str, kv_cache_config: "KVCacheConfig") -> None:
        super().__init__(vllm_config, engine_id, kv_cache_config)
        self.xfer_stats = TransferStats()
        self._started: dict[str, float] = {}

    def start_load_kv(self, metadata: Any) -> None:
        """As vLLM's, noting when each request's load began: handshake and wait count as transfer time."""
        now = time.perf_counter()
        for request_id in metadata.reqs_to_recv:
            self._started[request_id] = now
        super().start_load_kv(metadata)

    def _pop_done_transfers(self, transfers: dict[str, list[int]]) -> set[str]:
        """As vLLM's, one request at a time, so that the bytes it counts belong to that request."""
        done: set[str] = set()
        for request_id in list(transfers):
            one = {request_id: transfers.pop(request_id)}
            before = len(self.xfer_stats.data["bytes_transferred"])
            done |= super()._pop_done_transfers(one)
            transfers.update(one)
            self._record(request_id, self.xfer_stats.data["bytes_transferred"][before:])
        return done

    def _record(self, request_id: str, moved: list[int]) -> None:
        if moved:
            seconds = time.perf_counter() - self._started.pop(request_id, time.perf_counter())
            self.xfer_stats.record_request(request_id, sum(moved), seconds)


def _made_for(params: dict[str, Any], request: "Request") -> bool:
    return bool(params.get(TOKEN_HASH) == token_hash(request.prompt_token_ids or []))


@contextmanager
def _cores_kept() -> Iterator[None]:
    """Restores this thread's CPU affinity, which vLLM's worker narrows to the last core (base_worker.py)."""
    cores = os.sched_getaffinity(0)
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


@contextmanager
def _paced_progress_thread(delay_us: int) -> Iterator[None]:
    """Makes nixl_agent start its progress thread with a pause between polls; nixl 1.3.2 hard-codes none."""
    import sys

    from vllm.distributed.nixl_utils import NixlWrapper

    api: Any = sys.modules[NixlWrapper.__module__]
    bindings = api.nixlBind
    api.nixlBind = _PacedBindings(bindings, delay_us)
    try:
        yield
    finally:
        api.nixlBind = bindings


class _PacedBindings:
    """NIXL's bindings, but agents are made with the wanted progress delay."""

    def __init__(self, bindings: Any, delay_us: int) -> None:
        self._bindings = bindings
        self._delay_us = delay_us

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bindings, name)

    def nixlAgent(self, name: str, config: Any) -> Any:
        config.pthrDelay = self._delay_us
        return self._bindings.nixlAgent(name, config)
