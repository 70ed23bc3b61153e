"""The pinned Ray reads what is rendered for Kubernetes, and places each phase where its nodes are."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.render.bundles import CASES, GOLDENS, bundle_of, serve_args

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "serve_loads.py"


@pytest.fixture(scope="module")
def interpreter(request: pytest.FixtureRequest) -> Path:
    """TANDEM_SERVING_PYTHON, else the serving environment in Tandem's cache."""
    named = os.environ.get("TANDEM_SERVING_PYTHON")
    return Path(named) if named else request.getfixturevalue("python")


@pytest.mark.parametrize("case", CASES)
def test_ray_reads_the_rendered_serve_config(case: str, interpreter: Path) -> None:
    file = GOLDENS / case / "bundle" / "kubernetes" / "40-rayservice.yaml"
    read = _read(interpreter, file)
    assert read["started"] is False
    for phase, bundles in read["bundles"].items():
        gpus = serve_args(bundle_of(case))[f"{phase}_config"]["engine_kwargs"]["tensor_parallel_size"]
        assert bundles == [{"GPU": 1, phase: 0.001}] * gpus
    assert read["bundles"]


def _read(interpreter: Path, file: Path) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [str(interpreter), str(SCRIPT), str(file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    read: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return read
