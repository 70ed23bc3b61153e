"""The measurement counts what it says: whole, cut, wrong and failing answers, only prefill is killed."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from benchmarks.faults.client import Failure, answer
from benchmarks.faults.kills import Kill, kill_prefill, replicas
from benchmarks.faults.load import Record, references, run_load
from benchmarks.faults.tally import tally
from benchmarks.faults.text import last_line, side_text
from benchmarks.faults.workload import Ask, asks

Answerer = Callable[[dict[str, object]], tuple[int, str]]
ASK = Ask("Hello", 4, stream=False)
STREAMED = Ask("Hello", 4, stream=True)


def _whole(text: str, reason: str | None = "length") -> str:
    return json.dumps({"choices": [{"index": 0, "text": text, "finish_reason": reason}]})


def _stream(*texts: str, reason: str | None = "length", done: bool = True) -> str:
    choices = [{"index": 0, "text": text, "finish_reason": None} for text in texts]
    choices[-1]["finish_reason"] = reason
    events = [json.dumps({"choices": [choice]}) for choice in choices] + ["[DONE]"] * done
    return "".join(f"data: {event}\n\n" for event in events)


@asynccontextmanager
async def _endpoint(answerer: Answerer) -> AsyncIterator[str]:
    """A loopback server that answers each POST by `answerer`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(
            next(line.split(":")[1] for line in head.splitlines() if line.lower().startswith("content-length"))
        )
        status, text = answerer(json.loads(await reader.readexactly(length)))
        body = text.encode()
        writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def _asked(ask: Ask, answerer: Answerer) -> str:
    async def run() -> str:
        async with _endpoint(answerer) as url, httpx.AsyncClient(base_url=f"{url}/", trust_env=False) as client:
            return await answer(client, ask, "salt")

    return asyncio.run(run())


def test_whole_and_streamed_answers_give_their_text() -> None:
    assert _asked(ASK, lambda _: (200, _whole("ab"))) == "ab"
    assert _asked(STREAMED, lambda _: (200, _stream("a", "b", "c"))) == "abc"


@pytest.mark.parametrize(
    ("ask", "status", "text", "kind"),
    [
        (ASK, 500, "", "HTTP 500"),
        (ASK, 200, "oops", "not JSON"),
        (ASK, 200, _whole("a", None), "finish_reason None"),
        (ASK, 200, _whole("a", "error"), "finish_reason error"),
        (ASK, 200, '{"error": {}}', "no single choice"),
        (STREAMED, 200, _stream("a", "b", done=False), "stream cut"),
        (STREAMED, 200, _stream("a", "b", reason=None), "finish_reason None"),
        (STREAMED, 200, 'data: {"error": {"message": "x"}}\n\ndata: [DONE]\n\n', "error in the stream"),
    ],
)
def test_an_answer_that_is_not_whole_is_a_failure_of_its_kind(ask: Ask, status: int, text: str, kind: str) -> None:
    with pytest.raises(Failure, match=kind):
        _asked(ask, lambda _: (status, text))


def test_nobody_at_the_endpoint_is_a_failure() -> None:
    async def run() -> None:
        async with _endpoint(lambda _: (200, "")) as url:
            gone = url
        async with httpx.AsyncClient(base_url=f"{gone}/", trust_env=False) as client:
            await answer(client, ASK, "salt")

    with pytest.raises(Failure, match="connection: ConnectError"):
        asyncio.run(run())


def _echo(sent: dict[str, object]) -> tuple[int, str]:
    text = str(sent["prompt"])[:8]
    return (200, _stream(text) if sent["stream"] else _whole(text))


def test_the_load_compares_each_answer_with_the_one_before_the_faults() -> None:
    spoilt = asks()[0].prompt

    async def run() -> list[Record]:
        seen: set[object] = set()

        def answers(sent: dict[str, object]) -> tuple[int, str]:
            assert sent["cache_salt"] not in seen
            seen.add(sent["cache_salt"])
            status, text = _echo(sent)
            return (status, text.replace(spoilt[:8], "other") if spoil and sent["prompt"] == spoilt else text)

        spoil = False
        async with _endpoint(answers) as url:
            expected = await references(url, asks())
            spoil = True
            return await run_load(url, asks(), expected, clients=2, seconds=0.7)

    records = asyncio.run(run())
    assert {record.failure for record in records} == {None, "wrong text"}
    assert all(record.ended >= record.sent >= 0 for record in records)


def test_references_that_differ_are_refused() -> None:
    async def run() -> None:
        answers = lambda sent: (200, _stream("a") if sent["stream"] else _whole("b"))  # noqa: E731
        async with _endpoint(answers) as url:
            await references(url, asks())

    with pytest.raises(Failure, match="two answers"):
        asyncio.run(run())


def test_the_workload_mixes_lengths_and_forms() -> None:
    assert {(len(ask.prompt) > 500, ask.stream) for ask in asks()} == {(a, b) for a in (0, 1) for b in (0, 1)}
    assert len({ask.prompt for ask in asks()}) * 2 == len(asks())


@pytest.fixture
def processes() -> "Iterator[list[subprocess.Popen[bytes]]]":
    started = [_titled(f"ray::ServeReplica:app:{phase}:tiny") for phase in ("Prefill", "Decode")]
    yield started
    for process in started:
        process.kill()
        process.wait()


def _titled(title: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [title, "-c", "import time; print(flush=True); time.sleep(60)"],
        executable=sys.executable,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout as out:
        out.readline()
    return process


def test_only_the_prefill_replica_of_the_session_is_killed(processes: "list[subprocess.Popen[bytes]]") -> None:
    prefill, decode = processes
    assert [process.pid for process in replicas(decode.pid, "Decode")] == [decode.pid]
    assert asyncio.run(kill_prefill(decode.pid, 0.2, 1.3))[0].pids == ()
    kills = asyncio.run(kill_prefill(prefill.pid, 0.2, 1.5))
    assert [kill.pids for kill in kills] == [(prefill.pid,), ()]
    assert prefill.wait(5) == -9
    assert decode.poll() is None


def test_a_tally_counts_every_request_once_and_windows_by_when_it_ended() -> None:
    records = [Record(0, 1, None), Record(1, 19, None), Record(5, 21, "HTTP 500"), Record(70, 79, None)]
    late = Record(79, 95, "no answer in 60 s")
    result = tally([*records, late], [Kill(15, (7,)), Kill(30, ()), Kill(45, (8, 9))], 80)
    assert (result.failed, result.total, result.killed) == (2, 5, 3)
    assert [(w.answered, w.failed, w.killed) for w in result.windows] == [(2, 0, 1), (0, 1, 0), (0, 0, 2), (1, 0, 0)]
    assert (result.first_minute, result.last_minute, result.slowest) == (2 / 60, 1 / 60, 18)
    assert "failed: HTTP 500: 1" in side_text("ours", result)
    assert last_line({"ours": result, "theirs": result}) == "failed requests: ours 2 of 5, theirs 2 of 5"


def test_the_starter_of_the_published_app_imports_nothing_of_ours() -> None:
    starter = Path(__file__).parents[3] / "benchmarks" / "faults" / "published_app.py"
    assert not [line for line in starter.read_text().splitlines() if "import" in line and "tandem" in line]
