"""Up, down, and everything that is killed in between: nothing is left, and the next start works."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tandem.apply.local.paths import Home
from tandem.apply.local.processes import run_processes
from tandem.apply.local.run import current_run
from tests.real.service import Service, new_service, running, tiny_spec

pytestmark = pytest.mark.real


@pytest.mark.parametrize("victim", ["engine", "gcs_server", "supervisor"])
def test_down_after_a_kill_leaves_nothing(victim: str, killed_service: Callable[[str], Service]) -> None:
    service = killed_service(victim)
    before = _shared_memory()
    proof = service.down()
    assert proof["was_up"]
    assert not any(proof["left"].values()), proof
    _nothing_left(service)
    assert _shared_memory() <= before


@pytest.fixture
def killed_service(tmp_path: Path, tiny_folder: Path) -> Callable[[str], Service]:
    """A service one of whose processes was killed with SIGKILL."""

    def start_and_kill(victim: str) -> Service:
        service = new_service(tmp_path, tiny_spec(tiny_folder))
        service.up()
        _kill(service, victim)
        return service

    return start_and_kill


def _kill(service: Service, victim: str) -> None:
    titles = {
        "engine": "VLLM::EngineCore",
        "gcs_server": "gcs/gcs_server",
        "supervisor": "tandem.serving.supervise",
    }
    found = [p for p in _processes(service) if titles[victim] in " ".join(p.cmdline())]
    assert found, f"no {victim} among the service's processes"
    found[0].send_signal(signal.SIGKILL)


def _processes(service: Service) -> list[psutil.Process]:
    run = current_run(Home(service.home))
    assert run is not None
    return run_processes(run.state)


def _nothing_left(service: Service) -> None:
    assert current_run(Home(service.home)) is None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", service.port))
    assert not [
        p.pid for p in psutil.process_iter(["cmdline"]) if str(service.home) in " ".join(p.info["cmdline"] or [])
    ]


def _shared_memory() -> set[str]:
    return {entry.name for entry in Path("/dev/shm").iterdir()}


def test_a_killed_up_leaves_nothing_that_stops_the_next_one(tmp_path: Path, tiny_folder: Path) -> None:
    service = new_service(tmp_path, tiny_spec(tiny_folder))
    command = [sys.executable, "-m", "tandem", "up", str(service.spec)]
    with (tmp_path / "first.log").open("w") as log:
        first = subprocess.Popen(command, env=service.environment(), stdout=log, stderr=log)
    _until_ray_runs(service)
    first.kill()
    first.wait()
    status = service.up()
    assert status["ready"]
    assert service.status()["ready"]
    assert not any(service.down()["left"].values())
    _nothing_left(service)


def _until_ray_runs(service: Service) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        events = service.home / "current" / "events.jsonl"
        if events.exists() and '"ready"' in events.read_text():
            return
        time.sleep(0.2)
    raise AssertionError("Ray did not start")


def test_a_failing_engine_is_told_by_its_cause_and_leaves_nothing(tmp_path: Path, tiny_folder: Path) -> None:
    spec = tiny_spec(tiny_folder)
    spec["engine"]["max_num_batched_tokens"] = 1  # vLLM refuses this in the engine's process
    spec["engine"]["enable_chunked_prefill"] = False
    service = new_service(tmp_path, spec)
    done = service.tandem("up", str(service.spec))
    assert done.returncode == 1, done.stderr
    assert "max_num_batched_tokens" in done.stderr
    assert "taken more than" not in done.stderr
    _nothing_left(service)


def test_up_down_up_again_and_the_run_folder_keeps_logs_without_prompts(tmp_path: Path, tiny_folder: Path) -> None:
    secret = "a prompt that no log may hold"
    for _ in range(2):
        with running(tmp_path, tiny_spec(tiny_folder)) as service:
            assert service.complete(secret, "remote").status_code == 200
            folder = (service.home / "current").resolve()
            assert folder.stat().st_mode & 0o077 == 0
            assert (folder / "ray-token").stat().st_mode & 0o077 == 0
        kept = [path for path in (folder / "ray-logs").rglob("*") if path.is_file()]
        assert any(path.name.startswith("worker-") for path in kept)
        assert not [path for path in kept if secret.encode() in path.read_bytes()]
        assert json.loads((folder / "state.json").read_text())["ready_after"] > 0
