"""Carries one streamed answer to the client, over the deaths of the replicas that write it.

When a replica dies, the request goes to another with the course of the answer so far. That one repeats the same events;
the relay leaves out those that the client has, and goes on: never a token lost, never one twice.
"""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

from ray.exceptions import RayError
from ray.serve.exceptions import BackPressureError, RayServeException

from tandem.serving.replay import Course
from tandem.serving.wire import Account, HttpCall, HttpHead, HttpPart

FAILURES = (RayError, RayServeException, BackPressureError, StopAsyncIteration)
ATTEMPTS = 3
# vLLM puts one choice in an event, its index first.
_INDEX = re.compile(rb'"choices":\s*\[\{"index":\s*(\d+)')
_CREATED = re.compile(rb'"created":(\d+)')


async def pause_before(attempt: int) -> None:
    """Waits a jittered moment, longer each time, so that retries do not come in a wave."""
    await asyncio.sleep(random.uniform(0.5, 1.5) * 0.2 * 2**attempt)


class Relay:
    """One streamed request. `send` starts it on some replica and gives the parts of its answer."""

    def __init__(self, send: Callable[[HttpCall], Any], call: HttpCall, done: Callable[[Account], None]) -> None:
        self._send = send
        self._call = call
        self._done = done
        self._course = Course()
        self._delivered: Counter[str] = Counter()
        self._created: bytes | None = None
        self._parts: Any = None
        self.resumptions = 0

    async def open(self) -> HttpHead:
        """Status and headers of the answer. Raises the last failure when every attempt has failed."""
        for attempt in range(ATTEMPTS):
            try:
                self._parts = self._send(replace(self._call, resume=self._course))
                head: HttpHead = await anext(self._parts)
            except FAILURES:
                if attempt == ATTEMPTS - 1:
                    raise
                await pause_before(attempt)
            else:
                return head
        raise AssertionError("unreachable")

    async def body(self) -> AsyncGenerator[bytes, None]:
        """The body, whole, whatever happens to the replicas; ends with an error event when all attempts have failed."""
        while True:
            try:
                async for event in self._rest():
                    yield event
            except FAILURES:
                if self.resumptions >= ATTEMPTS or not await self._reopened():
                    yield _BROKEN
                    return
            else:
                return

    async def _reopened(self) -> bool:
        self.resumptions += 1
        try:
            await self.open()
        except FAILURES:
            return False
        return True

    async def _rest(self) -> AsyncGenerator[bytes, None]:
        """What this replica gives and the client has not yet. Events are counted by choice: each comes in order."""
        skipped: Counter[str] = Counter()
        course = Course()
        async for part in self._parts:
            if isinstance(part, Account):
                self._done(part)
                continue
            assert isinstance(part, HttpPart)
            course.extend(part.course)
            key = _choice(part.body)
            skipped[key] += 1
            if skipped[key] <= self._delivered[key]:
                continue
            self._delivered[key] += 1
            self._course = course
            yield self._as_begun(part.body)

    def _as_begun(self, body: bytes) -> bytes:
        """The event with the creation time of the first replica's: for the client it is one answer."""
        if self._created is None:
            match = _CREATED.search(body)
            self._created = match[1] if match else None
            return body
        return _CREATED.sub(b'"created":' + self._created, body, count=1)


_BROKEN = (
    b'data: {"error": {"message": "The model stopped answering. Send the request again.", '
    b'"type": "unavailable", "param": null, "code": 503}}\n\ndata: [DONE]\n\n'
)


def _choice(body: bytes) -> str:
    """Which choice an event belongs to; events of no choice (usage, the end) have a name of their own."""
    match = _INDEX.search(body)
    if match is not None:
        return f"choice {int(match[1])}"
    return "no choice" if body.startswith(b"data: {") else "end"
