"""Real processes are killed and stopped under load: no request fails, and each answer is the one it would have been."""

import json
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tandem.apply.local.paths import Home
from tandem.apply.local.processes import run_processes
from tandem.apply.local.run import current_run
from tests.real.service import Service, running, tiny_spec

pytestmark = pytest.mark.real

LONG = "The sea is wide and the ships are many. " * 30
TOKENS = 600
# Each must end as it would have on one engine: greedy, seeded, penalised, with logprobs, and several choices at once.
REQUESTS: list[dict[str, Any]] = [
    {"prompt": LONG + "One"},
    {"prompt": "Short", "temperature": 0.8, "seed": 7},
    {"prompt": LONG + "Two", "temperature": 0.9, "seed": 3, "presence_penalty": 0.5, "frequency_penalty": 0.5},
    {"prompt": "Three", "logprobs": 2, "stop": ["\x00never"]},
    {"prompt": "Four", "n": 2, "temperature": 0.8, "seed": 11},
    {"prompt": ["Five", "Six"]},
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Iterator[Service]:
    spec = tiny_spec(tiny_folder, decode={"replicas": 2})
    spec["routing"]["prefill_timeout_seconds"] = 4
    with running(tmp_path_factory.mktemp("faults"), spec) as up:
        yield up


@pytest.fixture(scope="module")
def answers(service: Service) -> list[Any]:
    """What each request is answered while nothing fails."""
    return [_stream(service, request) for request in REQUESTS]


@pytest.mark.parametrize("victim", ["ray::ServeReplica:tandem:Decode", "VLLM::EngineCore"])
def test_streams_go_on_when_the_decode_that_writes_them_is_killed(
    service: Service, answers: list[Any], victim: str
) -> None:
    _until_ready(service)
    with ThreadPoolExecutor(len(REQUESTS)) as pool:
        under_way = threading.Event()
        running_streams = [pool.submit(_stream, service, request, under_way) for request in REQUESTS]
        assert under_way.wait(60)
        _kill(service, victim, of_phase="decode")
        assert [stream.result(timeout=180) for stream in running_streams] == answers


def test_whole_answers_are_given_when_a_decode_is_killed(service: Service, answers: list[Any]) -> None:
    _until_ready(service)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(service.complete, LONG + "One", max_tokens=TOKENS) for _ in range(4)]
        time.sleep(0.5)
        _kill(service, "ray::ServeReplica:tandem:Decode", of_phase="decode")
        texts = [answer.result(timeout=180) for answer in asked]
    assert {answer.status_code for answer in texts} == {200}
    assert {answer.json()["choices"][0]["text"] for answer in texts} == {answers[0][0]}


@pytest.mark.parametrize("fault", ["replica", "engine", "stopped"])
def test_a_failing_prefill_costs_time_and_nothing_else(service: Service, answers: list[Any], fault: str) -> None:
    _until_ready(service)
    victim = "ray::ServeReplica:tandem:Prefill" if fault == "replica" else "VLLM::EngineCore"
    how = signal.SIGSTOP if fault == "stopped" else signal.SIGKILL
    process = _kill(service, victim, of_phase="prefill", how=how)
    try:
        for _ in range(6):
            answer = service.complete(LONG + "One", max_tokens=TOKENS, cache_salt=str(time.monotonic_ns()))
            assert answer.status_code == 200, answer.text
            assert answer.json()["choices"][0]["text"] == answers[0][0]
    finally:
        if fault == "stopped":
            process.send_signal(signal.SIGCONT)
    assert _status(service)["requests"]["fallbacks"]
    _until_ready(service)
    back = service.complete(LONG + "One", "remote", cache_salt="back again")
    assert back.status_code == 200


def _stream(service: Service, request: dict[str, Any], under_way: threading.Event | None = None) -> list[str]:
    """The text of each choice. `under_way` is set when some tokens have come."""
    body = {"model": "tiny", "max_tokens": TOKENS, "temperature": 0, "stream": True, "ignore_eos": True, **request}
    texts: dict[int, str] = {}
    events = 0
    with httpx.stream("POST", f"{service.endpoint}/completions", json=body, timeout=180, trust_env=False) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            assert "choices" in event, event
            for choice in event["choices"]:
                texts[choice["index"]] = texts.get(choice["index"], "") + choice["text"]
            events += 1
            if under_way is not None and events == 20:
                under_way.set()
    return [texts[index] for index in sorted(texts)]


def _kill(service: Service, title: str, *, of_phase: str, how: signal.Signals = signal.SIGKILL) -> psutil.Process:
    run = current_run(Home(service.home))
    assert run is not None
    replicas = _status(service)["phases"][of_phase]["replicas"]
    busiest = max(replicas, key=lambda replica: int(replica["running"]))
    pids = {busiest["pid"], *busiest["engine_pids"]}
    [process] = [p for p in run_processes(run.state) if p.pid in pids and title in " ".join(p.cmdline())]
    process.send_signal(how)
    return process


def _status(service: Service) -> dict[str, Any]:
    base = service.endpoint.removesuffix("/v1")
    status: dict[str, Any] = httpx.get(f"{base}/tandem/status", timeout=30, trust_env=False).json()
    return status


def _until_ready(service: Service) -> None:
    """Waits until every replica is back, as Serve restarts them."""
    wanted = {"prefill": 1, "decode": 2}
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        status = _status(service)
        ready = {name: len(phase["replicas"]) for name, phase in status["phases"].items()}
        if status["ready"] and ready == wanted:
            return
        time.sleep(1)
    raise AssertionError(f"not back: {status}")
