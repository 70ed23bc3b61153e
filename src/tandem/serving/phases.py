"""The engine deployments: prefill, decode, and the pool that is both. Public base class: ray.serve.llm's LLMServer."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from typing import Any

import psutil
from ray import serve
from ray.serve.handle import DeploymentHandle
from ray.serve.llm.deployment import LLMServer

from tandem.serving.asgi import run_asgi
from tandem.serving.engine import current_account, current_course, forced_route, resumed_course, run_prefill
from tandem.serving.options import TandemOptions
from tandem.serving.orchestrator import Route
from tandem.serving.prefill_client import HandlePrefillClient
from tandem.serving.ray_internals import bind_replica_server_to_node
from tandem.serving.replay import Course
from tandem.serving.replica_end import end_replica
from tandem.serving.timing import server_timing
from tandem.serving.vllm_engine import TandemVLLMEngine
from tandem.serving.wire import (
    Account,
    HttpAnswer,
    HttpCall,
    HttpHead,
    HttpPart,
    PrefillAnswer,
    PrefillCall,
    ReplicaStatus,
)

_WATCH_SECONDS = 0.25


class EngineServer(LLMServer):
    """One engine replica that can tell its status."""

    phase = "engine"

    async def __init__(self, llm_config: Any) -> None:  # type: ignore[misc]  # Ray Serve awaits it
        self._started = time.time()
        self.warm = False
        bind_replica_server_to_node()
        _take_cores(os.environ.get("TANDEM_CORES"), serve.get_replica_context().rank.rank)
        await super().__init__(llm_config, engine_cls=TandemVLLMEngine)
        self._watch = asyncio.create_task(self._end_with_engine())

    async def _start_engine(self) -> None:
        """As LLMServer's, without the report to its telemetry actor, which costs a process of 380 MB."""
        await self.engine.start()

    async def _end_with_engine(self) -> None:
        """Ends this replica soon after its engine process has died, whether or not a request is under way."""
        while not self.tandem_engine.client.errored:
            await asyncio.sleep(_WATCH_SECONDS)
        end_replica(self.tandem_engine.client.dead_error)

    def end_if_dead(self) -> None:
        """For answers that vLLM's HTTP layer gave of a dead engine: another replica shall give them instead."""
        if self.tandem_engine.client.errored:
            end_replica(self.tandem_engine.client.dead_error)

    @property
    def tandem_engine(self) -> TandemVLLMEngine:
        """The engine under its own type."""
        engine: TandemVLLMEngine = self.engine
        return engine

    async def status(self) -> ReplicaStatus:
        """What this replica knows of itself."""
        config = self.tandem_engine.client.vllm_config
        ledger = self.tandem_engine.ledger
        assert ledger is not None
        replica = serve.get_replica_context()
        return ReplicaStatus(
            phase=self.phase,
            replica=replica.replica_id.unique_id,
            node_ip=_node_ip(),
            pid=os.getpid(),
            engine_pids=[child.pid for child in psutil.Process().children(recursive=True) if _is_engine(child)],
            cores=os.environ.get("VLLM_CPU_OMP_THREADS_BIND", ""),
            started=self._started,
            kv_cache_tokens=(config.cache_config.num_gpu_blocks or 0) * config.cache_config.block_size,
            kv_cache_usage=ledger.kv_cache_usage,
            running=ledger.running,
            waiting=ledger.waiting,
            transfer_bytes=ledger.transfer_bytes,
            transfers=ledger.transfers,
            failed_transfers=ledger.failed_transfers,
            expired_transfers=ledger.expired_transfers,
            warm=self.warm,
        )


class PrefillServer(EngineServer):
    """Reads prompts. Answers one call: the KV cache of these tokens."""

    phase = "prefill"

    async def __init__(self, llm_config: Any) -> None:  # type: ignore[misc]  # Ray Serve awaits it
        await super().__init__(llm_config)
        self.warm = True

    async def prefill(self, call: PrefillCall) -> PrefillAnswer:
        """Computes the prompt and keeps its blocks until decode has pulled them or the lease ends."""
        return await run_prefill(self.tandem_engine.client, call)


class DecodeServer(EngineServer):
    """Writes answers, and owns the request: vLLM's HTTP application runs here, with routing below it."""

    phase = "decode"

    async def __init__(  # type: ignore[misc]  # Ray Serve awaits it
        self, llm_config: Any, options: TandemOptions, prefill_server: DeploymentHandle | None = None
    ) -> None:
        await super().__init__(llm_config)
        self._app = await self.tandem_engine.build_asgi_app()
        client = self.tandem_engine.client
        client.policy = options.policy()
        if prefill_server is not None:
            client.prefill = HandlePrefillClient(prefill_server)
        self._warm_up = asyncio.create_task(self._warm())

    async def http_stream(self, call: HttpCall) -> AsyncGenerator[HttpHead | HttpPart | Account, None]:
        """The answer to an HTTP request in parts: head, body, and last the account of how it was served."""
        account = _open_account(call)
        course = Course()
        current_course.set(course)
        resumed_course.set(call.resume)
        async for part in run_asgi(self._app, call):
            self.end_if_dead()
            yield _with_timing(part, account) if isinstance(part, HttpHead) else HttpPart(part, course.take())
        yield account

    async def http(self, call: HttpCall) -> HttpAnswer:
        """The whole answer to an HTTP request."""
        account = _open_account(call)
        head = HttpHead(500, [])
        body = bytearray()
        async for part in run_asgi(self._app, call):
            if isinstance(part, HttpHead):
                head = part
            else:
                body += part
        self.end_if_dead()
        return HttpAnswer(_with_timing(head, account), bytes(body), account)

    async def _warm(self) -> None:
        """Runs one prompt by each route, so that no client pays for the handshake and first-use compilation."""
        client = self.tandem_engine.client
        if "generate" in await client.get_supported_tasks():  # a pool of an embedding model has no routes to warm
            for route in [Route.LOCAL] if client.prefill is None else [Route.LOCAL, Route.REMOTE]:
                await self._warm_route(route)
        self.warm = True

    async def _warm_route(self, route: Route) -> None:
        from vllm.sampling_params import SamplingParams

        client = self.tandem_engine.client
        length = min(64, client.model_config.max_model_len // 2)
        while True:
            account = Account()
            current_account.set(account)
            forced_route.set(route)
            # A prompt of one repeated token: its blocks are never a prefix of a real prompt's.
            prompt = {"type": "token", "prompt_token_ids": [0] * length, "cache_salt": f"warm-{time.monotonic_ns()}"}
            params = SamplingParams(max_tokens=4, temperature=0.0, ignore_eos=True)
            async for _ in client.generate(prompt, params, f"warm-{route}-{time.monotonic_ns()}"):
                pass
            if account.route == route:
                return
            await asyncio.sleep(1.0)  # the other phase is not up yet


class PoolServer(DecodeServer):
    """The same engine without disaggregation."""

    phase = "pool"


def _open_account(call: HttpCall) -> Account:
    """Starts the account of this request; Serve runs each request in a context of its own."""
    account = Account()
    current_account.set(account)
    forced_route.set(Route(call.route) if call.route else None)
    return account


def _is_engine(process: psutil.Process) -> bool:
    """vLLM titles its processes VLLM::EngineCore and VLLM::Worker; Python's own helpers are not engines."""
    try:
        return bool(process.cmdline()[0].startswith("VLLM::"))
    except (psutil.Error, IndexError):
        return False


def _take_cores(cores: str | None, rank: int) -> None:
    """Binds this replica's engine to its share of the phase's cores, such as `0-1|2-3` for two replicas."""
    if cores:
        shares = cores.split("|")
        os.environ["VLLM_CPU_OMP_THREADS_BIND"] = shares[rank % len(shares)]


def _with_timing(head: HttpHead, account: Account) -> HttpHead:
    return HttpHead(head.status, [*head.headers, (b"server-timing", server_timing(account).encode())])


def _node_ip() -> str:
    import ray

    ip: str = ray.util.get_node_ip_address()
    return ip
