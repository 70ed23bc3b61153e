"""Run states."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tandem.apply.local.run import ProcessId, RunState

State = Callable[..., RunState]


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
