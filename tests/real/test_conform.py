"""Every request field means on the real service, by both routes, what it means on one plain vLLM engine."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tandem.facts.request_fields import endpoints, shapes
from tests.real.service import Service, running, server_timing

pytestmark = pytest.mark.real

# All forms of tools need a parser; float32 because in the short types near-ties flip with the make-up of a batch.
ENGINE = {"dtype": "float32", "max_model_len": 1024, "enable_auto_tool_choice": True, "tool_call_parser": "hermes"}
CONFORM_SECONDS = 1800.0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Iterator[Service]:
    """One prefill and one decode engine."""
    spec = {"model": {"id": "tiny", "source": str(tiny_folder)}, "engine": ENGINE}
    with running(tmp_path_factory.mktemp("service"), spec) as up:
        yield up


def test_a_refused_request_costs_no_prefill(service: Service) -> None:
    answer = service.complete("The sea. " * 100, route="remote", logit_bias={"99999999": 1})
    assert answer.status_code == 400
    assert server_timing(answer)["reason"] == "refused"
    assert "prefill" not in server_timing(answer)
    status = service.status()
    assert [replica["kv_cache_usage"] for replica in status["phases"]["prefill"]["replicas"]] == [0.0]


def test_cached_tokens_are_those_that_no_engine_computed(service: Service) -> None:
    body = {"model": "tiny", "input": "Twice the same harbour. " * 60, "max_output_tokens": 2, "temperature": 0}
    cached = []
    for _ in range(2):
        answer = httpx.post(
            f"{service.endpoint}/responses", json=body, headers={"X-Tandem-Route": "remote"}, timeout=60
        )
        assert server_timing(answer)["route"] == "remote"
        cached.append(answer.json()["usage"]["input_tokens_details"]["cached_tokens"])
    assert cached[0] == 0
    assert cached[1] >= 128  # whole blocks, which hold 128 tokens on the CPU


@pytest.mark.long
def test_all_fields_agree_by_both_routes(service: Service) -> None:
    report = _conform(service)
    assert [field for field in report["fields"] if not field["agrees"]] == []
    named = {(field["endpoint"], field["field"]) for field in report["fields"]}
    generating = [path for path in endpoints() if path != "/v1/embeddings"]
    assert {(path, field) for path in generating for field in shapes(path)} <= named
    assert report["tokens_compared"] is True
    status = service.status()
    assert status["requests"]["fallbacks"] == {}
    assert status["requests"]["by_route"]["remote"] > 300  # the remote pass did not stay on decode unnoticed
    assert status["transfer"]["bytes_total"] > 0


@pytest.mark.long
def test_all_fields_of_embeddings_agree_in_a_pool(tmp_path: Path, tiny_folder: Path) -> None:
    engine = {"dtype": "float32", "max_model_len": 1024, "runner": "pooling", "convert": "embed"}
    spec = {"model": {"id": "tiny", "source": str(tiny_folder)}, "engine": engine, "pool": {}}
    with running(tmp_path, spec) as pool:
        report = _conform(pool)
    assert [field for field in report["fields"] if not field["agrees"]] == []
    named = {field["field"] for field in report["fields"] if field["endpoint"] == "/v1/embeddings"}
    assert set(shapes("/v1/embeddings")) <= named


def _conform(service: Service) -> dict[str, Any]:
    done = service.tandem("conform", "--json", seconds=CONFORM_SECONDS)
    assert done.stdout, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 0) == (report["agree"] == report["of"]), done.stderr
    return report
