"""One plain vLLM engine of the same model and settings as a run's engines, to compare the service with."""

import ctypes
import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tandem.apply.local.environ import plain_environment
from tandem.apply.local.processes import end_session
from tandem.apply.local.run import Run
from tandem.core.errors import TandemError

_MODULE = "vllm.entrypoints.openai.api_server"
_PATIENCE_SECONDS = 15.0
_PR_SET_PDEATHSIG = 1  # linux/prctl.h: a killed `tandem` takes the engine with it
# Of the service's engine arguments, those that make it one half of a pair.
_NOT_PLAIN = frozenset({"kv_transfer_config"})


@dataclass(frozen=True)
class EngineSpec:
    """What the engines of a run were started with, as Serve got it."""

    model: str
    name: str
    tokenizer: str | None
    arguments: Mapping[str, Any]
    variables: Mapping[str, str]


@dataclass(frozen=True)
class PlainEngine:
    """A vLLM API server that is coming up or running."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def ready(self) -> bool:
        """True once it answers.

        Raises:
            TandemError: it has ended; the message is its last words.
        """
        if self.process.poll() is not None:
            raise TandemError(f"the plain engine ended: {self.last_words()}", log=self.log)
        try:
            return httpx.get(f"{self.url}/health", timeout=2.0, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def last_words(self) -> str:
        """The last line of its log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "no output"


def engine_spec(run: Run) -> EngineSpec:
    """The engine that answers in this run: its decode engine, or its pool's."""
    config = json.loads((run.folder / "serve.json").read_text(encoding="utf-8"))
    args = config["applications"][0]["args"]
    engine = args.get("decode_config") or args["pool_config"]
    loading = engine["model_loading_config"]
    return EngineSpec(
        model=loading["model_source"],
        name=loading["model_id"],
        tokenizer=loading.get("tokenizer_source"),
        arguments={name: value for name, value in engine["engine_kwargs"].items() if name not in _NOT_PLAIN},
        variables=engine.get("runtime_env", {}).get("env_vars", {}),
    )


@contextmanager
def plain_engine(spec: EngineSpec, python: Path, log: Path) -> Iterator[PlainEngine]:
    """Starts the engine on a free loopback port; the block waits until it is ready. Ended with the block, always."""
    port = _free_port()
    command = [str(python), "-m", _MODULE, *command_line(spec), "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=plain_environment(os.environ, spec.variables),
            cwd=log.parent,
            start_new_session=True,  # the engine's own processes are found by this session
            preexec_fn=_end_with_parent,
        )
    try:
        yield PlainEngine(f"http://127.0.0.1:{port}", process, log)
    finally:
        end_session(process.pid, _PATIENCE_SECONDS)
        process.wait()


def command_line(spec: EngineSpec) -> list[str]:
    """vLLM's flags for the arguments: https://docs.vllm.ai/en/stable/configuration/engine_args/."""
    flags = ["--model", spec.model, "--served-model-name", spec.name]
    if spec.tokenizer:
        flags += ["--tokenizer", spec.tokenizer]
    for name, value in spec.arguments.items():
        flags += _flag(name.replace("_", "-"), value)
    return flags


def _flag(name: str, value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no-{name}"]
    if isinstance(value, list):
        return [f"--{name}", *(str(item) for item in value)]
    return [f"--{name}", json.dumps(value) if isinstance(value, dict) else str(value)]


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
