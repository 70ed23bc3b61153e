"""NIXL alone: two processes, 8 MiB of host memory, by both backends that the local target offers."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tandem.apply.local.libfabric import libfabric_environment

pytestmark = pytest.mark.real

PROGRAM = Path(__file__).with_name("nixl_read.py")


@pytest.mark.parametrize("backend", ["LIBFABRIC", "UCX"])
def test_the_reader_gets_the_bytes_of_the_owner(backend: str, python: Path, cache: Path, tmp_path: Path) -> None:
    variables = libfabric_environment(cache, python.parent.parent, print) if backend == "LIBFABRIC" else {}
    owner = _start(python, backend, "owner", tmp_path, variables)
    reader = _start(python, backend, "reader", tmp_path, variables)
    try:
        answer, log = reader.communicate(timeout=60)
        assert reader.returncode == 0, log
        owner_log = owner.communicate(timeout=20)[1]
        assert owner.returncode == 0, owner_log
    finally:
        for process in (owner, reader):
            process.kill()
            process.communicate()
    told = json.loads(answer.splitlines()[-1])
    assert (told["equal"], told["bytes"]) == (True, 8 * 2**20)
    assert f"Backend {backend} was instantiated" in answer + log


def _start(python: Path, backend: str, role: str, folder: Path, variables: Mapping[str, str]) -> subprocess.Popen[str]:
    command = [str(python), str(PROGRAM), backend, role, str(folder)]
    environ = {**os.environ, **variables}
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
