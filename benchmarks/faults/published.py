"""The application that Ray publishes for prefill and decode, with the same engines, cores, environment and model."""

import json
import os
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.faults.ports import free_port
from benchmarks.faults.side import Side
from benchmarks.faults.workload import MODEL
from tandem.apply.local.environ import service_environment
from tandem.apply.local.processes import end_session, session_processes
from tandem.apply.local.shared_memory import files_of, mapped_by_any, mapped_inodes
from tandem.core.errors import TandemError
from tandem.observe.wait import wait_for
from tandem.spec.models import Transfer

_STARTER = Path(__file__).with_name("published_app.py")
_START_SECONDS = 300.0
_PATIENCE_SECONDS = 20.0
_NOTE_SECONDS = 2.0


@contextmanager
def published_app(
    python: Path, model: Path, folder: Path, cores: tuple[str, str], *, as_in_example: bool = False
) -> Iterator[Side]:
    """Up for the length of the block; its log and Ray's are in `folder` afterwards. `cores`: prefill's and decode's.

    `as_in_example` sets an `engine_id` as the example in Ray's documentation does. Without it the settings are the
    kindest that are known: a random id, which lets a restarted prefill be met as a new peer, and `recompute`.

    Raises:
        TandemError: it did not come up.
    """
    ray_folder = Path(tempfile.mkdtemp(prefix="published-", dir="/tmp"))  # short: sockets lie deep in it
    port = free_port()
    config = folder / "published.json"
    config.write_text(json.dumps(_config(model, port, ray_folder, cores, as_in_example)), encoding="utf-8")
    process = _start(python, config)
    ended = threading.Event()
    noted: set[int] = set()
    threading.Thread(target=_note_shared_memory, args=(process.pid, noted, ended), daemon=True).start()
    try:
        endpoint = f"http://127.0.0.1:{port}/v1"
        wait_for("the published application", lambda: _answers(process, endpoint), seconds=_START_SECONDS, cause=str)
        yield Side(endpoint, process.pid)
    finally:
        ended.set()
        end_session(process.pid, _PATIENCE_SECONDS)
        process.wait()
        for file in files_of(noted - mapped_by_any()):
            file.unlink(missing_ok=True)
        _keep_logs(ray_folder, folder)


def _config(model: Path, port: int, ray_folder: Path, cores: tuple[str, str], as_in_example: bool) -> dict[str, Any]:
    prefill, decode = (
        _engine(model, phase, role, own, as_in_example)
        for phase, role, own in zip(("prefill", "decode"), ("kv_producer", "kv_consumer"), cores, strict=True)
    )
    ingress = {"autoscaling_config": {"min_replicas": 1, "max_replicas": 1}, "ray_actor_options": {"num_cpus": 0}}
    args = {"prefill_config": prefill, "decode_config": decode, "ingress_deployment_config": ingress}
    return {"args": args, "port": port, "num_cpus": 8, "temp_dir": str(ray_folder)}


def _engine(model: Path, phase: str, role: str, cores: str, as_in_example: bool) -> dict[str, Any]:
    transfer = {"kv_connector": "NixlConnector", "kv_role": role, "kv_buffer_device": "cpu"}
    transfer |= {"engine_id": phase} if as_in_example else {"kv_load_failure_policy": "recompute"}
    return {
        "model_loading_config": {"model_id": MODEL, "model_source": str(model)},
        "engine_kwargs": {
            "dtype": "float32",
            "max_model_len": 4096,
            "enforce_eager": True,
            "kv_transfer_config": transfer,
        },
        "accelerator_config": {"kind": "cpu"},
        "placement_group_config": {"bundles": [{"CPU": 1}]},
        "deployment_config": {
            "num_replicas": 1,
            "max_ongoing_requests": 1000,
            "ray_actor_options": {"num_cpus": 0},
        },
        "log_engine_metrics": False,
        "runtime_env": {"env_vars": {"VLLM_CPU_OMP_THREADS_BIND": cores, "VLLM_CPU_KVCACHE_SPACE": "1"}},
    }


def _start(python: Path, config: Path) -> "subprocess.Popen[bytes]":
    folder = config.parent
    token = folder / "ray-token"
    token.touch(mode=0o600)
    token.write_text(secrets.token_hex(32), encoding="utf-8")
    environment = service_environment(os.environ, Transfer(backend="ucx"), folder)
    with (folder / "published.log").open("ab") as log:
        return subprocess.Popen(
            [str(python), str(_STARTER), str(config)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment,
            cwd=folder,
            start_new_session=True,  # the session is how its processes are found, whoever their parents are by then
        )


def _answers(process: "subprocess.Popen[bytes]", endpoint: str) -> bool | None:
    """True once a prompt of several blocks has gone through both engines."""
    if process.poll() is not None:
        raise TandemError(f"the published application ended with {process.returncode}")
    body = {"model": MODEL, "prompt": "warm " * 300, "max_tokens": 4, "temperature": 0}
    try:
        done = httpx.post(f"{endpoint}/completions", json=body, timeout=60.0, trust_env=False)
    except httpx.TransportError:
        return None
    return done.is_success or None


def _note_shared_memory(session: int, noted: set[int], ended: threading.Event) -> None:
    """A killed process cannot be asked any more what it has mapped."""
    while not ended.wait(_NOTE_SECONDS):
        noted |= {inode for process in session_processes(session) for inode in mapped_inodes(process.pid)}


def _keep_logs(ray_folder: Path, folder: Path) -> None:
    logs = ray_folder / "session_latest" / "logs"
    if logs.exists():
        shutil.move(logs.resolve(), folder / "ray-logs")
    shutil.rmtree(ray_folder, ignore_errors=True)
