"""Runs vLLM's own HTTP application inside the replica: the same routes, checks and shapes as one plain engine."""

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from tandem.serving.wire import HttpCall, HttpHead

logger = logging.getLogger("ray.serve")

Message = MutableMapping[str, Any]
AsgiApp = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]

_END = None


async def run_asgi(app: AsgiApp, call: HttpCall) -> AsyncGenerator[HttpHead | bytes, None]:
    """Yields the head, then the body as it is produced. Closing the generator disconnects the client.

    The head is held back until the first part of the body, so that headers can tell what happened until then.
    """
    messages: asyncio.Queue[Message | None] = asyncio.Queue()
    disconnected = asyncio.Event()
    task = asyncio.create_task(_serve(app, call, messages, disconnected))
    try:
        async for part in _parts(messages):
            yield part
        await task
    finally:
        disconnected.set()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _parts(messages: "asyncio.Queue[Message | None]") -> AsyncGenerator[HttpHead | bytes, None]:
    head: HttpHead | None = None
    while (message := await messages.get()) is not _END:
        if message["type"] == "http.response.start":
            head = HttpHead(message["status"], list(message.get("headers", [])))
            continue
        if head is not None:
            yield head
            head = None
        if message.get("body"):
            yield bytes(message["body"])


async def _serve(
    app: AsgiApp, call: HttpCall, messages: "asyncio.Queue[Message | None]", disconnected: asyncio.Event
) -> None:
    body: list[Message] = [{"type": "http.request", "body": call.body, "more_body": False}]

    async def receive() -> Message:
        if body:
            return body.pop()
        await disconnected.wait()
        return {"type": "http.disconnect"}

    answered = False

    async def send(message: Message) -> None:
        nonlocal answered
        answered = answered or (message["type"] == "http.response.body" and not message.get("more_body"))
        await messages.put(message)

    try:
        await app(_scope(call), receive, send)
    except Exception as error:
        if not answered:
            raise
        # Starlette raises on what it has answered with 500, for the HTTP server to log.
        logger.error("the HTTP application answered 500: %s at %s", type(error).__name__, _place(error))
    finally:
        messages.put_nowait(_END)


def _place(error: Exception) -> str:
    """File and line, without the message: it may quote the request."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}"


def _scope(call: HttpCall) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": call.method,
        "scheme": "http",
        "path": call.path,
        "raw_path": call.path.encode(),
        "query_string": call.query,
        "root_path": "",
        "headers": call.headers,
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 80),
    }
