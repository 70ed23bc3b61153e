"""A real service for tests: brought up and taken down by the command line, as a user does it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

UP_SECONDS = 420


@dataclass(frozen=True)
class Service:
    """A home folder of its own, and the endpoint that its spec names."""

    home: Path
    port: int
    spec: Path

    @property
    def endpoint(self) -> str:
        """The OpenAI base URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def tandem(self, *arguments: str, seconds: float = UP_SECONDS) -> "subprocess.CompletedProcess[str]":
        """Runs the command in this home."""
        command = [sys.executable, "-m", "tandem", *arguments]
        return subprocess.run(
            command, env=self.environment(), capture_output=True, text=True, timeout=seconds, check=False
        )

    def environment(self) -> dict[str, str]:
        """The caller's environment with this home."""
        return {**os.environ, "TANDEM_HOME": str(self.home)}

    def up(self) -> dict[str, Any]:
        """Starts it; gives the status that the command prints."""
        done = self.tandem("up", str(self.spec), "--json")
        assert done.returncode == 0, done.stderr
        status: dict[str, Any] = json.loads(done.stdout)
        return status

    def down(self) -> dict[str, Any]:
        """Ends it; gives what the command says is left."""
        done = self.tandem("down", "--json", seconds=60)
        assert done.returncode == 0, done.stderr
        proof: dict[str, Any] = json.loads(done.stdout)
        return proof

    def status(self) -> dict[str, Any]:
        """What `tandem status --json` prints."""
        status: dict[str, Any] = json.loads(self.tandem("status", "--json", seconds=60).stdout)
        return status

    def complete(self, prompt: str, route: str | None = None, **fields: Any) -> httpx.Response:
        """One /completions request, greedy unless told otherwise."""
        body = {"model": "tiny", "prompt": prompt, "max_tokens": 16, "temperature": 0, **fields}
        headers = {"X-Tandem-Route": route} if route else {}
        return httpx.post(f"{self.endpoint}/completions", json=body, headers=headers, timeout=120, trust_env=False)


def new_service(folder: Path, spec: dict[str, Any]) -> Service:
    """A service on a free port; `spec` lacks only the port."""
    port = free_port()
    local = {"kv_cache": "1GiB", **spec.get("target", {}).get("local", {}), "port": port}
    file = folder / "spec.yaml"
    file.write_text(json.dumps({**spec, "target": {"local": local}}), encoding="utf-8")  # JSON is YAML
    return Service(folder / "home", port, file)


@contextmanager
def running(folder: Path, spec: dict[str, Any]) -> Iterator[Service]:
    """A service that is up for the length of the block."""
    service = new_service(folder, spec)
    try:
        service.up()
        yield service
    finally:
        proof = service.down()
        assert not any(proof["left"].values()), proof


def tiny_spec(model: Path, **more: Any) -> dict[str, Any]:
    """The tiny random model in float32, where equal computation gives equal tokens."""
    engine = {"dtype": "float32", "max_model_len": 4096}
    return {
        "model": {"source": str(model), "id": "tiny"},
        "engine": engine,
        "routing": {"remote_min_tokens": 64},
        **more,
    }


def server_timing(response: httpx.Response) -> dict[str, str]:
    """The Server-Timing header: description or duration by name."""
    parts = [part.strip().split(";") for part in response.headers["server-timing"].split(",")]
    return {name: value.partition("=")[2].strip('"') for name, value in parts}


def free_port() -> int:
    """A loopback port that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
