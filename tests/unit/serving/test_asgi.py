"""Running an HTTP application inside the replica, with plain ASGI callables: https://asgi.readthedocs.io."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest

from tandem.serving.asgi import AsgiApp, run_asgi
from tandem.serving.wire import HttpCall, HttpHead

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

_CALL = HttpCall(
    method="POST", path="/v1/completions", query=b"a=1&b=%20", headers=[(b"x-a", b"1"), (b"x-a", b"2")], body=b"{}"
)
_START = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]}
_HEAD = HttpHead(200, [(b"content-type", b"text/plain")])


def _body(text: bytes, more: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": text, "more_body": more}


def _run(test: Coroutine[Any, Any, None]) -> None:
    """Fails a test that hangs; its time is looked at, since run_asgi may take the timeout for its own cancellation."""
    began = time.monotonic()
    asyncio.run(asyncio.wait_for(test, 5))
    assert time.monotonic() - began < 5


async def _all(app: AsgiApp, call: HttpCall = _CALL) -> list[HttpHead | bytes]:
    return [part async for part in run_asgi(app, call)]


def test_the_head_comes_first_and_the_body_as_it_is_produced() -> None:
    async def app(scope: Any, receive: Receive, send: Send) -> None:
        await send(_START)
        await send(_body(b"one ", more=True))
        await send(_body(b"", more=True))
        await send(_body(b"two"))

    assert asyncio.run(_all(app)) == [_HEAD, b"one ", b"two"]


def test_the_application_sees_the_clients_request() -> None:
    seen: dict[str, Any] = {}

    async def app(scope: Any, receive: Receive, send: Send) -> None:
        seen.update(scope, message=await receive())
        await send(_START)
        await send(_body(b""))

    asyncio.run(_all(app))
    assert seen["message"] == {"type": "http.request", "body": b"{}", "more_body": False}
    assert (seen["type"], seen["method"], seen["path"], seen["raw_path"]) == (
        "http",
        "POST",
        "/v1/completions",
        b"/v1/completions",
    )
    assert (seen["query_string"], seen["headers"]) == (b"a=1&b=%20", [(b"x-a", b"1"), (b"x-a", b"2")])


def test_an_answer_without_a_body_has_a_head() -> None:
    async def app(scope: Any, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204})
        await send(_body(b""))

    assert asyncio.run(_all(app)) == [HttpHead(204, [])]


def test_the_head_waits_for_the_first_part_of_the_body() -> None:
    async def test() -> None:
        first_token = asyncio.Event()

        async def app(scope: Any, receive: Receive, send: Send) -> None:
            await send(_START)
            await first_token.wait()
            await send(_body(b"token"))

        async with aclosing(run_asgi(app, _CALL)) as parts:
            head = asyncio.ensure_future(anext(parts))
            await asyncio.sleep(0.02)
            assert not head.done()
            first_token.set()
            assert await head == _HEAD

    _run(test())


def test_parts_are_not_held_back_until_the_end() -> None:
    async def test() -> None:
        go_on = asyncio.Event()

        async def app(scope: Any, receive: Receive, send: Send) -> None:
            await send(_START)
            await send(_body(b"first", more=True))
            await go_on.wait()
            await send(_body(b"last"))

        async with aclosing(run_asgi(app, _CALL)) as parts:
            assert [await anext(parts), await anext(parts)] == [_HEAD, b"first"]
            go_on.set()
            assert await anext(parts) == b"last"

    _run(test())


def test_a_client_that_leaves_ends_the_application() -> None:
    async def test() -> None:
        ended = asyncio.Event()

        async def app(scope: Any, receive: Receive, send: Send) -> None:
            try:
                await send(_START)
                await send(_body(b"first", more=True))
                await asyncio.Event().wait()  # an engine that goes on for ever
            finally:
                ended.set()

        parts = run_asgi(app, _CALL)
        await anext(parts)
        await parts.aclose()
        assert ended.is_set()

    _run(test())


def test_an_application_that_waits_for_the_disconnect_hears_of_it() -> None:
    async def test() -> None:
        heard: list[str] = []

        async def app(scope: Any, receive: Receive, send: Send) -> None:
            await receive()
            listening = asyncio.ensure_future(receive())
            try:
                await send(_START)
                await send(_body(b"first", more=True))
                await asyncio.Event().wait()
            finally:
                heard.append((await listening)["type"])

        parts = run_asgi(app, _CALL)
        await anext(parts)
        await parts.aclose()
        assert heard == ["http.disconnect"]

    _run(test())


def test_an_error_of_the_application_reaches_the_caller() -> None:
    async def app(scope: Any, receive: Receive, send: Send) -> None:
        await send(_START)
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(_all(app))


def test_an_error_after_the_first_part_reaches_the_caller_after_it() -> None:
    async def test() -> None:
        async def app(scope: Any, receive: Receive, send: Send) -> None:
            await send(_START)
            await send(_body(b"first", more=True))
            raise ValueError("broken")

        got: list[HttpHead | bytes] = []
        with pytest.raises(ValueError, match="broken"):
            async for part in run_asgi(app, _CALL):
                got.append(part)
        assert got == [_HEAD, b"first"]

    _run(test())


def test_two_calls_at_once_do_not_mix() -> None:
    async def app(scope: Any, receive: Receive, send: Send) -> None:
        await send(_START)
        for _ in range(3):
            await asyncio.sleep(0)
            await send(_body(scope["query_string"], more=True))
        await send(_body(b""))

    async def test() -> None:
        calls = [
            HttpCall(method="GET", path="/", query=name, headers=[], body=b"") for name in (b"one", b"two", b"three")
        ]
        answers = await asyncio.gather(*(_all(app, call) for call in calls))
        assert [answer[1:] for answer in answers] == [[call.query] * 3 for call in calls]

    _run(test())
