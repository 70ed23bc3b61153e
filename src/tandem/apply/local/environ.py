"""The environment variables of a local service. Pure: the caller's environment comes in."""

from collections.abc import Mapping
from pathlib import Path

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.spec.models import Transfer

_DROPPED = ("RAY_ADDRESS", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "RAY_AUTH_TOKEN", "PYTHONDONTWRITEBYTECODE")

_ALWAYS = {
    "PYTHONUNBUFFERED": "1",
    # No telemetry of Ray, vLLM or Hugging Face.
    "RAY_USAGE_STATS_ENABLED": "0",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # The model is a folder: nothing may be fetched behind the user's back.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    # Ray listens on loopback only when it believes itself on a machine that cannot form a cluster.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    # First use of sampling or logprobs compiles helper functions for half a minute on a core otherwise.
    "TORCHDYNAMO_DISABLE": "1",
    # Idle cost: Serve's control loop runs 10 times a second by default.
    "RAY_SERVE_CONTROL_LOOP_INTERVAL_S": "0.2",
    "RAY_metrics_report_interval_ms": "60000",
    # Ray starts workers at nice 15: an engine would starve beside anything else that runs.
    "RAY_worker_niceness": "0",
}

_UCX_TLS = {"shm": "sm,self,tcp", "tcp": "tcp,self"}


def service_environment(given: Mapping[str, str], transfer: Transfer, run_folder: Path) -> dict[str, str]:
    """What every process of the service gets, before the libfabric additions."""
    kept = {name: value for name, value in given.items() if name not in _DROPPED}
    own = {
        **_ALWAYS,
        "PYTHONPATH": str(run_folder / "python"),
        "RAY_AUTH_TOKEN_PATH": str(run_folder / "ray-token"),
    }
    if transfer.backend == "ucx":
        # Loopback alone: UCX listens on every network interface otherwise.
        own |= {"UCX_TLS": _UCX_TLS[carrier(transfer)], "UCX_NET_DEVICES": "lo"}
    return {**kept, **own}


def plain_environment(given: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """What one engine outside Ray gets: as an engine of the service, with every core, and without Ray's part.

    `variables` are those of the service's engine; with two engines on the machine it has a share of the cores only.
    """
    kept = {name: value for name, value in given.items() if name not in _DROPPED}
    return {**kept, **_ALWAYS, **{name: value for name, value in variables.items() if name.startswith("VLLM_")}}


def carrier(transfer: Transfer) -> str:
    """What carries the KV cache on this machine: shm or tcp.

    Raises:
        InputError: the spec asks for a carrier that this target cannot give.
    """
    possible = {"ucx": ("shm", "tcp"), "libfabric": ("tcp",)}[transfer.backend]
    wanted = transfer.over or possible[0]
    if wanted in possible:
        return wanted
    problem = Problem(
        path="transfer.over",
        found=f"{wanted!r} with backend {transfer.backend!r} on the local target",
        allowed=", ".join(possible),
        fix="Choose one of these, or leave it out.",
    )
    raise InputError("the transfer cannot run on this machine", problems=[problem])
