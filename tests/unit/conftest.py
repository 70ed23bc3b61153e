"""What every unit test lives under."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hypothesis import settings

Session = Callable[..., "subprocess.Popen[str]"]

# No deadline per example: on a busy machine it would measure the neighbours. The same examples on every run.
settings.register_profile("unit", deadline=None, derandomize=True, max_examples=60, database=None)
settings.load_profile("unit")


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test sees or touches the state and the cache of whoever runs it."""
    for name in ("TANDEM_HOME", "TANDEM_CACHE", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path_factory.getbasetemp() / "home"))


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


def until(happened: Callable[[], bool]) -> None:
    """Waits for another process, not for a time; fails after ten seconds."""
    deadline = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < deadline, "it did not happen within 10 s"
        time.sleep(0.01)
