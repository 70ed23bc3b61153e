"""The load: clients that ask one question after another, and a record of each."""

import asyncio
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import httpx

from benchmarks.faults.client import PATIENCE_SECONDS, Failure, answer
from benchmarks.faults.workload import Ask

_PAUSE_AFTER_FAILURE_SECONDS = 0.5  # else an endpoint that refuses at once would be counted thousands of times


@dataclass(frozen=True)
class Record:
    """One request: seconds from the start of the load, and how it failed, if it did."""

    sent: float
    ended: float
    failure: str | None


async def references(endpoint: str, asks: Sequence[Ask]) -> dict[str, str]:
    """The answer to each prompt, asked one by one while nothing fails; streamed and whole must be equal.

    Raises:
        Failure: an answer is not whole, or differs from the same prompt's other one.
    """
    texts: dict[str, str] = {}
    async with _client(endpoint) as client:
        for ask in asks:
            text = await answer(client, ask, uuid.uuid4().hex)
            if texts.setdefault(ask.prompt, text) != text:
                raise Failure("two answers to one prompt before any fault")
    return texts


async def run_load(
    endpoint: str, asks: Sequence[Ask], expected: Mapping[str, str], clients: int, seconds: float
) -> list[Record]:
    """Asks for `seconds`; what is under way then is waited for. Records in the order in which they ended."""
    began = time.monotonic()
    records: list[Record] = []
    async with _client(endpoint) as client, asyncio.TaskGroup() as group:
        for number in range(clients):
            # Each client begins elsewhere in the list, so that at any time all kinds of question are under way.
            mine = [*asks[number % len(asks) :], *asks[: number % len(asks)]]
            group.create_task(_ask_on(client, mine, expected, began, seconds, records))
    return records


async def _ask_on(
    client: httpx.AsyncClient,
    asks: Sequence[Ask],
    expected: Mapping[str, str],
    began: float,
    seconds: float,
    records: list[Record],
) -> None:
    turn = 0
    while (sent := time.monotonic() - began) < seconds:
        failure = await _judged(client, asks[turn % len(asks)], expected)
        records.append(Record(sent, time.monotonic() - began, failure))
        if failure:
            await asyncio.sleep(_PAUSE_AFTER_FAILURE_SECONDS)
        turn += 1


async def _judged(client: httpx.AsyncClient, ask: Ask, expected: Mapping[str, str]) -> str | None:
    try:
        text = await answer(client, ask, uuid.uuid4().hex)
    except Failure as failure:
        return str(failure)
    return None if text == expected[ask.prompt] else "wrong text"


def _client(endpoint: str) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(base_url=f"{endpoint}/", timeout=PATIENCE_SECONDS, limits=limits, trust_env=False)
