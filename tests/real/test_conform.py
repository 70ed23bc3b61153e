"""Every request field means on the real service, by both routes, what it means on one plain vLLM engine."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tandem.apply.local.down import leftovers, take_down
from tandem.apply.local.paths import Home
from tandem.cli.up import bring_up
from tandem.facts.request_fields import endpoints, shapes
from tandem.observe.service import read_status
from tandem.spec.models import Spec

pytestmark = pytest.mark.real

# All forms of tools need a parser; float32 because in the short types near-ties flip with the make-up of a batch.
ENGINE = {"dtype": "float32", "max_model_len": 1024, "enable_auto_tool_choice": True, "tool_call_parser": "hermes"}
REMOTE = {"X-Tandem-Route": "remote"}
TANDEM = Path(sys.executable).with_name("tandem")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Iterator[tuple[Home, str]]:
    """One prefill and one decode engine: their home and their endpoint."""
    home = Home(tmp_path_factory.mktemp("home"))
    with _up(_spec(tiny_folder, {"engine": ENGINE}), home) as endpoint:
        yield home, endpoint


def test_a_refused_request_costs_no_prefill(service: tuple[Home, str]) -> None:
    _, endpoint = service
    answer = _complete(endpoint, prompt="The sea. " * 100, logit_bias={"99999999": 1})
    assert answer.status_code == 400
    assert 'reason;desc="refused"' in answer.headers["server-timing"]
    assert "prefill;" not in answer.headers["server-timing"]
    status = read_status(endpoint)
    assert status is not None
    assert [replica["kv_cache_usage"] for replica in status["phases"]["prefill"]["replicas"]] == [0.0]


def test_cached_tokens_are_those_that_no_engine_computed(service: tuple[Home, str]) -> None:
    _, endpoint = service
    body = {"model": "tiny", "input": "Twice the same harbour. " * 60, "max_output_tokens": 2, "temperature": 0}
    cached = []
    for _ in range(2):
        answer = httpx.post(f"{endpoint}/responses", json=body, headers=REMOTE, timeout=60)
        assert 'route;desc="remote"' in answer.headers["server-timing"]
        cached.append(answer.json()["usage"]["input_tokens_details"]["cached_tokens"])
    assert cached[0] == 0
    assert cached[1] > 128


def test_all_fields_agree_by_both_routes(service: tuple[Home, str]) -> None:
    home, endpoint = service
    report = _conform(home)
    status = read_status(endpoint)
    assert [field for field in report["fields"] if not field["agrees"]] == []
    named = {(field["endpoint"], field["field"]) for field in report["fields"]}
    generating = [path for path in endpoints() if path != "/v1/embeddings"]
    assert {(path, field) for path in generating for field in shapes(path)} <= named
    assert report["tokens_compared"] is True
    assert status is not None
    assert status["requests"]["fallbacks"] == {}
    assert status["requests"]["by_route"]["remote"] > 300  # the remote pass did not stay on decode unnoticed
    assert status["transfer"]["bytes_total"] > 0


def test_all_fields_of_embeddings_agree_in_a_pool(tmp_path: Path, tiny_folder: Path) -> None:
    engine = {"dtype": "float32", "max_model_len": 1024, "runner": "pooling", "convert": "embed"}
    home = Home(tmp_path / "home")
    with _up(_spec(tiny_folder, {"engine": engine, "pool": {}}), home):
        report = _conform(home)
    assert [field for field in report["fields"] if not field["agrees"]] == []
    named = {field["field"] for field in report["fields"] if field["endpoint"] == "/v1/embeddings"}
    assert set(shapes("/v1/embeddings")) <= named


def _complete(endpoint: str, **body: Any) -> httpx.Response:
    sent = {"model": "tiny", "max_tokens": 2, "temperature": 0, **body}
    return httpx.post(f"{endpoint}/completions", json=sent, headers=REMOTE, timeout=60)


@contextmanager
def _up(spec: Spec, home: Home) -> Iterator[str]:
    run, _ = bring_up(spec, home, print, 600.0)
    try:
        yield run.state.endpoint
    finally:
        take_down(home, run, print)
        assert not leftovers(run)


def _conform(home: Home) -> dict[str, Any]:
    environ = {**os.environ, "TANDEM_HOME": str(home.root)}
    done = subprocess.run(
        [str(TANDEM), "conform", "--json"], env=environ, capture_output=True, text=True, check=False, timeout=1800
    )
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 0) == (report["agree"] == report["of"]), done.stderr
    return report


def _spec(folder: Path, more: dict[str, Any]) -> Spec:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    local = {"port": port, "kv_cache": "1GiB"}
    return Spec.model_validate({"model": {"id": "tiny", "source": str(folder)}, "target": {"local": local}, **more})
