"""One question to an endpoint, and whether the answer is whole."""

import asyncio
from typing import Any

import httpx

from benchmarks.faults.workload import Ask, body
from tandem.measure.stream_answer import folded, read_events

PATIENCE_SECONDS = 60.0


class Failure(Exception):
    """The client did not get what it asked for; the message is the kind of failure, for counting."""


async def answer(client: httpx.AsyncClient, ask: Ask, salt: str) -> str:
    """The text of the whole answer.

    Raises:
        Failure: no answer in time, an error, or an answer that is cut.
    """
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            response = await client.post("completions", json=body(ask, salt))
    except TimeoutError as error:
        raise Failure(f"no answer in {PATIENCE_SECONDS:.0f} s") from error
    except httpx.TransportError as error:
        raise Failure(f"connection: {type(error).__name__}") from error
    if response.status_code != httpx.codes.OK:
        raise Failure(f"HTTP {response.status_code}")
    return _text(_parsed(response, ask))


def _parsed(response: httpx.Response, ask: Ask) -> dict[str, Any]:
    try:
        if not ask.stream:
            whole: dict[str, Any] = response.json()
            return whole
        streamed = folded(read_events(response.text))
    except ValueError as error:
        raise Failure("not JSON") from error
    if "choices" not in streamed:
        raise Failure("error in the stream")
    if not streamed["ended"]:
        raise Failure("stream cut")
    return streamed


def _text(answered: dict[str, Any]) -> str:
    try:
        [choice] = answered["choices"]
        text, reason = str(choice["text"]), choice["finish_reason"]
    except (KeyError, ValueError) as error:
        raise Failure("no single choice") from error
    if reason not in ("stop", "length"):
        raise Failure(f"finish_reason {reason}")
    return text
