"""Real process sessions and run folders."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tandem.apply.local.run import ProcessId, RunState

Session = Callable[..., "subprocess.Popen[str]"]
State = Callable[..., RunState]


@pytest.fixture
def session() -> Iterator[Session]:
    """Starts `sh -c script` (or a whole command) as the leader of a session of its own; ends them all afterwards."""
    leaders: list[subprocess.Popen[str]] = []

    def start(*command: str) -> subprocess.Popen[str]:
        shell = ["sh", "-c", command[0]] if len(command) == 1 else list(command)
        leader = subprocess.Popen(
            shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        leaders.append(leader)
        return leader

    yield start
    for leader in leaders:
        with suppress(ProcessLookupError):
            os.killpg(leader.pid, signal.SIGKILL)
        leader.communicate()


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The state of a run whose supervisor is the given process."""

    def make(supervisor: ProcessId | None = None) -> RunState:
        return RunState(
            run_id="20300101-120000-1",
            started=1893499200.0,
            starter=ProcessId.of(os.getpid()),
            supervisor=supervisor,
            endpoint="http://127.0.0.1:8000/v1",
            model="smollm2-135m",
            backend="ucx",
            over="shm",
            ray_folder=str(tmp_path / "ray"),
        )

    return make


def until(happened: Callable[[], bool]) -> None:
    """Waits for another process, not for a time; fails after ten seconds."""
    deadline = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < deadline, "it did not happen within 10 s"
        time.sleep(0.01)
