"""What the whole service looks like from the ingress: phases, replicas, and exact sums of what it passed on."""

import asyncio
from collections import Counter
from dataclasses import asdict
from typing import Any

from ray import serve
from ray.exceptions import RayError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle

from tandem.serving.wire import Account, ReplicaStatus

_ASK_SECONDS = 3.0


class Overview:
    """Keeps counts of the requests that went through this ingress replica, and asks the phases for the rest."""

    def __init__(self, model_id: str, phases: dict[str, DeploymentHandle]) -> None:
        self._model_id = model_id
        self._phases = phases
        self._requests: Counter[str] = Counter()
        self._fallbacks: Counter[str] = Counter()
        self._transfer_bytes = 0
        self._retries = 0

    def add(self, account: Account) -> None:
        """Counts one answered request."""
        self._requests[account.route] += 1
        self._transfer_bytes += account.transfer_bytes
        for sequence in account.sequences:
            self._fallbacks.update(sequence.fallbacks)

    def retried(self) -> None:
        """Counts a request that a replica died over and another took on."""
        self._retries += 1

    async def ready(self) -> bool:
        """True when every phase has a replica that runs."""
        return all(count > 0 for count in (await asyncio.to_thread(self._running)).values())

    async def snapshot(self) -> dict[str, Any]:
        """Everything, as plain data."""
        running = await asyncio.to_thread(self._running)
        replicas = await self._replicas()
        return {
            "model": self._model_id,
            "ready": all(count > 0 for count in running.values()) and all(r.warm for r in replicas),
            "phases": {phase: _phase(phase, count, replicas) for phase, count in running.items()},
            "transfer": {"bytes_total": sum(r.transfer_bytes for r in replicas if r.phase == "decode")},
            "requests": {
                "by_route": dict(self._requests),
                "fallbacks": dict(self._fallbacks),
                "transfer_bytes": self._transfer_bytes,
                "retries": self._retries,
            },
        }

    def _running(self) -> dict[str, int]:
        deployments = {
            name: deployment
            for app in serve.status().applications.values()
            for name, deployment in app.deployments.items()
        }
        return {
            phase: deployments[handle.deployment_name].replica_states.get("RUNNING", 0)
            for phase, handle in self._phases.items()
            if handle.deployment_name in deployments
        }

    async def _replicas(self) -> list[ReplicaStatus]:
        asked = [asyncio.to_thread(_ask, handle) for handle in self._phases.values()]
        return [status for statuses in await asyncio.gather(*asked) for status in statuses]


def _ask(handle: DeploymentHandle) -> list[ReplicaStatus]:
    """The status of each replica of a phase; a phase that does not answer in time has none to tell."""
    try:
        statuses: list[ReplicaStatus] = handle.broadcast("status").results(timeout_s=_ASK_SECONDS)
    except (TimeoutError, RayError, RayServeException):
        return []
    return statuses


def _phase(phase: str, ready: int, replicas: list[ReplicaStatus]) -> dict[str, Any]:
    own = [asdict(r) for r in replicas if r.phase == phase]
    return {"ready_replicas": ready, "replicas": own}
