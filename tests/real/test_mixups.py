"""No answer is computed from another prompt's, a freed or a foreign KV cache; and the application that Ray publishes
does so, or dies, by the same requests. Both are compared with one plain engine in float32.
"""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from benchmarks.faults.kills import replicas
from benchmarks.faults.published import published_app
from benchmarks.faults.side import Side
from tandem.apply.local.paths import Home
from tandem.apply.local.run import current_run
from tests.real.mixups import FOREIGN_TRANSFER, PLAIN, PROBES, A, Answer, C, asked, judged
from tests.real.plain_engine import plain_engine
from tests.real.service import Service, running, server_timing, tiny_spec

pytestmark = [pytest.mark.real, pytest.mark.long]

by_both_routes = pytest.mark.parametrize("route", ["remote", None], ids=["remote", "default"])
_BACK_SECONDS = 120.0

# What the published application was seen to do with each.
PUBLISHED = {
    "one prompt": "right",
    "list": "wrong answer",
    "min_tokens": "status 400",
}
# Prompts longer than one block; each of these ends the decode engine.
ENDS_DECODE = ["prompt_logprobs", "echo with logprobs"]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, python: Path, tiny_folder: Path) -> Mapping[str, Answer]:
    """What one plain engine answers; it has ended before anything else starts."""
    cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
    with plain_engine(python, tiny_folder, tmp_path_factory.mktemp("plain") / "log", cores) as endpoint:
        answers = {name: asked(endpoint, fields) for name, fields in PROBES.items()}
    assert {answer.status for answer in answers.values()} == {200}
    texts = [choice[0] for name in ("one prompt", "list of short and long") for choice in answers[name].choices]
    assert len(set(texts)) == 4  # else equal answers would prove nothing
    return answers


@pytest.fixture(scope="class")
def ours(tmp_path_factory: pytest.TempPathFactory, expected: Mapping[str, Answer], tiny_folder: Path) -> Iterator[Side]:
    with running(tmp_path_factory.mktemp("ours"), tiny_spec(tiny_folder)) as service:
        yield Side(service.endpoint, _session(service))


def _session(service: Service) -> int:
    run = current_run(Home(service.home))
    assert run is not None
    assert run.state.supervisor is not None
    return run.state.supervisor.pid


@pytest.fixture(scope="class")
def published(
    tmp_path_factory: pytest.TempPathFactory, expected: Mapping[str, Answer], python: Path, tiny_folder: Path
) -> Iterator[Side]:
    cores = sorted(os.sched_getaffinity(0))
    halves = (str(cores[0]), ",".join(str(core) for core in cores[1:] or cores))
    with published_app(python, tiny_folder, tmp_path_factory.mktemp("published"), halves, as_in_example=True) as side:
        yield side


class TestTandem:
    """Every request gives one plain engine's answer, by both routes."""

    @by_both_routes
    @pytest.mark.parametrize("name", PROBES)
    def test_the_answer_is_the_plain_engines(
        self, ours: Side, expected: Mapping[str, Answer], name: str, route: str | None
    ) -> None:
        answer = asked(ours.endpoint, PROBES[name], route)
        assert judged(answer, expected[name]) == "right", (answer, expected[name])

    @by_both_routes
    def test_a_client_cannot_name_a_kv_cache(
        self, ours: Side, expected: Mapping[str, Answer], route: str | None
    ) -> None:
        assert asked(ours.endpoint, FOREIGN_TRANSFER, route).status == 400
        assert judged(asked(ours.endpoint, PLAIN, route), expected["one prompt"]) == "right"

    @by_both_routes
    def test_clients_that_leave_do_not_spoil_what_follows(
        self, ours: Side, expected: Mapping[str, Answer], route: str | None
    ) -> None:
        for turn in range(6):
            _leave(ours.endpoint, {"prompt": [C, A], "cache_salt": f"left {turn}"}, route)
            answer = asked(ours.endpoint, PROBES["list"], route)
            assert judged(answer, expected["list"]) == "right", turn

    @by_both_routes
    def test_a_prefill_that_was_killed_and_is_back_gives_the_same(
        self, ours: Side, expected: Mapping[str, Answer], route: str | None
    ) -> None:
        [old] = replicas(ours.session, "Prefill")
        old.kill()
        names = ("one prompt", "list", "n")
        during = {name: judged(asked(ours.endpoint, PROBES[name], route), expected[name]) for name in names}
        assert during == dict.fromkeys(names, "right")
        _until_remote(ours.endpoint)
        after = {name: judged(asked(ours.endpoint, PROBES[name], route), expected[name]) for name in names}
        assert after == dict.fromkeys(names, "right")


def _leave(endpoint: str, fields: Mapping[str, Any], route: str | None) -> None:
    """Asks for a long stream and goes away after its first line."""
    body = {"model": "tiny", "max_tokens": 400, "temperature": 0, "stream": True, "ignore_eos": True, **fields}
    headers = {"X-Tandem-Route": route} if route else {}
    url = f"{endpoint}/completions"
    with httpx.stream("POST", url, json=body, headers=headers, timeout=60, trust_env=False) as stream:
        assert next(stream.iter_lines()).startswith("data: ")


def _until_remote(endpoint: str) -> None:
    """Waits until the route is remote again without being forced: prefill is back and its breaker closed."""
    deadline = time.monotonic() + _BACK_SECONDS
    while time.monotonic() < deadline:
        body = {"model": "tiny", "prompt": A, "max_tokens": 2, "cache_salt": str(time.monotonic_ns())}
        answer = httpx.post(f"{endpoint}/completions", json=body, timeout=60, trust_env=False)
        if server_timing(answer)["route"] == "remote":
            return
        time.sleep(1)
    raise AssertionError("prefill is not back")


class TestPublishedApp:
    """The same requests show there what they are for. In this order: each of the last ones breaks it."""

    @pytest.mark.parametrize(
        "name", [name for name in PROBES if name not in (*ENDS_DECODE, "prompt_logprobs of a list")]
    )
    def test_what_was_seen(self, published: Side, expected: Mapping[str, Answer], name: str) -> None:
        answer = asked(published.endpoint, PROBES[name])
        assert judged(answer, expected[name]) == PUBLISHED.get(name, "?"), (answer, expected[name])

    def test_a_clients_transfer_parameters_are_an_internal_error(self, published: Side) -> None:
        assert asked(published.endpoint, FOREIGN_TRANSFER).status == 500

    @pytest.mark.parametrize("name", ENDS_DECODE)
    def test_prompt_logprobs_end_the_decode_engine(
        self, published: Side, expected: Mapping[str, Answer], name: str
    ) -> None:
        engines = _decode_engines(published.session)
        assert len(engines) == 1
        assert judged(asked(published.endpoint, PROBES[name]), expected[name]) != "right"
        gone, _ = psutil.wait_procs(engines, timeout=20)
        assert gone == engines
        assert judged(asked(published.endpoint, PLAIN), expected["one prompt"]) != "right"
        _replace_decode(published, expected["one prompt"])

    def test_a_killed_prefill_is_not_recovered_from(self, published: Side, expected: Mapping[str, Answer]) -> None:
        [old] = replicas(published.session, "Prefill")
        old.kill()
        _until_replaced(published.session, old)
        seen = [judged(asked(published.endpoint, PLAIN), expected["one prompt"]) for _ in range(3)]
        assert "right" not in seen


def _replace_decode(published: Side, expected: Answer) -> None:
    """Serve keeps a replica whose engine is dead: it is killed, so that another is started."""
    for replica in replicas(published.session, "Decode"):
        replica.kill()
    deadline = time.monotonic() + _BACK_SECONDS
    while time.monotonic() < deadline:
        if _decode_engines(published.session) and judged(asked(published.endpoint, PLAIN), expected) == "right":
            return
        time.sleep(1)
    raise AssertionError("another decode replica does not answer")


def _until_replaced(session: int, old: psutil.Process) -> None:
    deadline = time.monotonic() + _BACK_SECONDS
    while time.monotonic() < deadline:
        if any(new.pid != old.pid and _engines(new) for new in replicas(session, "Prefill")):
            return
        time.sleep(1)
    raise AssertionError("Serve did not start another prefill replica")


def _decode_engines(session: int) -> list[psutil.Process]:
    return [engine for replica in replicas(session, "Decode") for engine in _engines(replica)]


def _engines(replica: psutil.Process) -> list[psutil.Process]:
    children = replica.children(recursive=True)
    return [child for child in children if " ".join(child.cmdline()).startswith("VLLM::EngineCore")]
