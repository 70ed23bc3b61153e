"""This service, brought up as `tandem up` does it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.ports import free_port
from benchmarks.faults.side import Side
from benchmarks.faults.workload import MODEL
from tandem.apply.local.cache import Say
from tandem.apply.local.down import take_down
from tandem.apply.local.paths import Home
from tandem.cli.up import bring_up
from tandem.spec.models import Spec

_START_SECONDS = 300.0


@contextmanager
def tandem_service(model: Path, home: Home, cores: tuple[list[int], list[int]], say: Say) -> Iterator[Side]:
    """Up for the length of the block; `cores` are prefill's and decode's.

    Raises:
        TandemError: it did not come up, or something of it is left afterwards.
    """
    spec = Spec.model_validate(
        {
            "model": {"source": str(model), "id": MODEL},
            "engine": {"dtype": "float32", "max_model_len": 4096},
            "routing": {"remote_min_tokens": 64},
            "target": {"local": {"port": free_port(), "kv_cache": "1GiB", "cores": list(cores)}},
        }
    )
    run, _ = bring_up(spec, home, say, _START_SECONDS)
    try:
        assert run.state.supervisor is not None
        yield Side(run.state.endpoint, run.state.supervisor.pid)
    finally:
        take_down(home, run, say)
