"""The whole service with the tiny model: routes, tokens, bytes, endpoints, over shared memory."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from openai import OpenAI

from tests.real.plain_engine import plain_engine
from tests.real.service import Service, running, server_timing, tiny_spec

pytestmark = pytest.mark.real

SHORT = "Hello"
LONG = "The sea is wide and the ships are many. " * 30  # over the threshold, several blocks
PROMPTS = [SHORT, LONG, LONG + "What did the captain say?", "One two three. " * 60]
KV_BYTES_PER_TOKEN = 2 * 2 * 2 * 32 * 4  # layers, K and V, KV heads, head size, float32


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service"), tiny_spec(tiny_folder)) as up:
        yield up


@pytest.fixture(scope="module")
def reference(
    service: Service, tmp_path_factory: pytest.TempPathFactory, python: Path, tiny_folder: Path
) -> dict[str, str]:
    """What one plain vLLM engine answers, while the service stands idle."""
    with plain_engine(python, tiny_folder, tmp_path_factory.mktemp("plain") / "log") as url:
        return {prompt: _text(url, prompt) for prompt in PROMPTS}


def _text(url: str, prompt: str) -> str:
    body = {"model": "tiny", "prompt": prompt, "max_tokens": 16, "temperature": 0}
    answer = httpx.post(f"{url}/completions", json=body, timeout=120, trust_env=False)
    return str(answer.json()["choices"][0]["text"])


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("route", ["remote", "local"])
def test_both_routes_give_the_tokens_of_one_plain_engine(
    service: Service, reference: dict[str, str], route: str, stream: bool
) -> None:
    for prompt in PROMPTS:
        answer = service.complete(prompt, route, stream=stream)
        assert answer.status_code == 200, answer.text
        assert server_timing(answer)["route"] == route
        text = _streamed(answer) if stream else answer.json()["choices"][0]["text"]
        assert text == reference[prompt]
    assert len(set(reference.values())) == len(PROMPTS)  # else equal answers would prove nothing


def _streamed(answer: httpx.Response) -> str:
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    return "".join(json.loads(line)["choices"][0]["text"] for line in lines[:-1])


def test_a_remote_route_moves_the_prompts_kv_cache_and_a_local_one_moves_nothing(service: Service) -> None:
    before = _bytes_total(service)
    local = service.complete(LONG + "A", "local")
    assert _bytes_total(service) == before
    assert "bytes" not in server_timing(local)
    remote = service.complete(LONG + "B unlike all before" * 3, "remote", cache_salt="fresh")
    moved = _bytes_total(service) - before
    tokens = remote.json()["usage"]["prompt_tokens"]
    blocks = -(-tokens // 128)  # vLLM's block size on the CPU
    assert moved == int(server_timing(remote)["bytes"]) == blocks * 128 * KV_BYTES_PER_TOKEN


def _bytes_total(service: Service) -> int:
    return int(service.status()["transfer"]["bytes_total"])


def test_the_threshold_decides_where_the_header_does_not(service: Service) -> None:
    short = server_timing(service.complete(SHORT))
    assert (short["route"], short["reason"]) == ("local", "short")
    assert server_timing(service.complete(LONG + "and then"))["route"] == "remote"


def test_the_openai_client_streams_a_chat(service: Service) -> None:
    client = OpenAI(base_url=service.endpoint, api_key="none")
    assert [model.id for model in client.models.list()] == ["tiny"]
    chunks = client.chat.completions.create(
        model="tiny", messages=[{"role": "user", "content": LONG}], stream=True, max_tokens=8
    )
    assert sum(bool(chunk.choices[0].delta.content) for chunk in chunks if chunk.choices) > 1
    client.close()


def test_errors_have_openais_shape_and_tell_nothing_internal(service: Service) -> None:
    base = service.endpoint.removesuffix("/v1")
    foreign = {"do_remote_prefill": True}
    answers = [
        httpx.get(f"{base}/nowhere", trust_env=False),
        httpx.post(f"{base}/v1/completions", json={"model": "other", "prompt": "a"}, trust_env=False),
        httpx.post(f"{base}/v1/completions", json={"prompt": "a", "kv_transfer_params": foreign}, trust_env=False),
        httpx.post(f"{base}/v1/completions", content=b"{not json", trust_env=False),
        httpx.post(f"{base}/v1/chat/completions", json={"messages": "no"}, trust_env=False),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 400, 400, 400]
    for answer in answers:
        assert set(answer.json()["error"]) >= {"message", "type", "code"}, answer.text
        assert "Traceback" not in answer.text
        assert "/site-packages/" not in answer.text


def test_health_and_status_tell_the_phases(service: Service) -> None:
    base = service.endpoint.removesuffix("/v1")
    assert httpx.get(f"{base}/health", trust_env=False).status_code == 200
    status = service.status()
    assert status["ready"] is True
    assert status["endpoint"] == service.endpoint
    assert status["model"] == "tiny"
    assert {name: phase["ready_replicas"] for name, phase in status["phases"].items()} == {"prefill": 1, "decode": 1}
    assert (status["transfer"]["backend"], status["transfer"]["over"]) == ("ucx", "shm")
    assert status["transfer"]["bytes_total"] > 0


def test_nothing_listens_beyond_loopback(service: Service) -> None:
    state = json.loads((service.home / "current" / "state.json").read_text())
    session = state["supervisor"]["pid"]
    listening = [
        connection.laddr.ip
        for process in psutil.process_iter()
        if _session(process.pid) == session
        for connection in process.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert {ip.removeprefix("::ffff:") for ip in listening} == {"127.0.0.1"}


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def test_a_second_up_is_refused_and_leaves_the_first_alone(service: Service) -> None:
    second = service.tandem("up", str(service.spec), seconds=60)
    assert second.returncode == 2
    assert "already up" in second.stderr
    assert "tandem down" in second.stderr
    assert service.complete(SHORT).status_code == 200
