"""Kills the prefill replica of a service, found among the processes of the service's own session."""

import asyncio
import time
from dataclasses import dataclass

import psutil

from tandem.apply.local.processes import session_processes


@dataclass(frozen=True)
class Kill:
    """Seconds from the start of the load, and the replicas killed then; none when none was there."""

    at: float
    pids: tuple[int, ...]


def replicas(session: int, phase: str) -> list[psutil.Process]:
    """The Serve replicas of `phase` (`Prefill`, `Decode`), running or starting.

    Ray titles them `ray::ServeReplica:APP:Prefill:MODEL`, with the running method after it.
    """
    return [process for process in session_processes(session) if _is_replica(process, phase)]


async def kill_prefill(session: int, every: float, seconds: float) -> list[Kill]:
    """Kills it each `every` seconds until `seconds` are over."""
    began = time.monotonic()
    kills: list[Kill] = []
    for turn in range(1, int((seconds - 1) // every) + 1):
        await asyncio.sleep(max(0.0, began + turn * every - time.monotonic()))
        found = replicas(session, "Prefill")
        for process in found:
            process.kill()
        kills.append(Kill(time.monotonic() - began, tuple(process.pid for process in found)))
    return kills


def _is_replica(process: psutil.Process, phase: str) -> bool:
    try:
        title = " ".join(process.cmdline())
    except psutil.Error:
        return False
    return title.startswith("ray::ServeReplica:") and f":{phase}:" in title
