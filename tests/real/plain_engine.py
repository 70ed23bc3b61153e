"""One plain vLLM engine with vLLM's own server: the reference that a disaggregated service must equal."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from tests.real.service import free_port

_START_SECONDS = 240


@contextmanager
def plain_engine(python: Path, model: Path, log: Path, cores: str = "1") -> Iterator[str]:
    """Yields the base URL of an engine with the settings of `tiny_spec`; ends it with its whole session."""
    port = free_port()
    command = [str(python), "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)]
    command += ["--served-model-name", "tiny", "--dtype", "float32", "--max-model-len", "4096", "--enforce-eager"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    own = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": cores, "HF_HUB_OFFLINE": "1"}
    quiet = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "TORCHDYNAMO_DISABLE": "1"}
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env={**os.environ, **own, **quiet}, stdout=out, stderr=out, start_new_session=True
        )
        try:
            _wait(process, f"http://127.0.0.1:{port}/health", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Asks first: an engine that is killed leaves its shared memory behind."""
    process.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(20)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            if httpx.get(url, trust_env=False).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise AssertionError(f"the plain engine is not up:\n{log.read_text()[-2000:]}")
