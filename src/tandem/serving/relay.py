"""Carries one streamed answer to the client, over the deaths of the replicas that write it.

When a replica dies, the request goes to another with the course of the answer so far. That one repeats the same events;
the relay leaves out those that the client has, and goes on: never a token lost, never one twice.
"""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

from ray.exceptions import RayError
from ray.serve.exceptions import BackPressureError, RayServeException

from tandem.serving.delivered import DeliveredEvents, DeliveredText
from tandem.serving.replay import Course
from tandem.serving.wire import Account, HttpCall, HttpHead, HttpPart

FAILURES = (RayError, RayServeException, BackPressureError, StopAsyncIteration)
ATTEMPTS = 3
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
        self._events = DeliveredEvents()
        self._text = DeliveredText()
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
        """What this replica gives and the client has not yet."""
        course = Course()
        for delivered in (self._events, self._text):
            delivered.begin()
        async for part in self._parts:
            if isinstance(part, Account):
                self._done(part)
                continue
            assert isinstance(part, HttpPart)
            course.extend(part.course)
            event = self._unseen(part.body, several=course.sequences > 1 or self._course.sequences > 1)
            if event is not None:
                self._course = course
                yield self._as_begun(event)

    def _unseen(self, event: bytes, *, several: bool) -> bytes | None:
        # Both are kept: the first events of a list of prompts come before its second sequence has begun.
        by_number, by_text = self._events.unseen(event), self._text.unseen(event)
        return by_text if several else by_number

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
