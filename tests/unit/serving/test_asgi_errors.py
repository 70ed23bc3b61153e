"""An application that answers 500 and then raises, as Starlette's does, has answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tandem.serving.asgi import run_asgi
from tandem.serving.wire import HttpCall, HttpHead

_CALL = HttpCall(method="POST", path="/v1/completions", query=b"", headers=[], body=b'{"prompt": "secret"}')


def test_what_was_answered_before_the_error_is_passed_on(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})
        raise AttributeError("secret")

    async def parts() -> list[HttpHead | bytes]:
        return [part async for part in run_asgi(app, _CALL)]

    with caplog.at_level(logging.ERROR, logger="ray.serve"):
        assert asyncio.run(parts()) == [HttpHead(500, []), b"{}"]
    assert "AttributeError" in caplog.text
    assert "secret" not in caplog.text


def test_an_error_within_an_answer_is_not_hidden() -> None:
    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"half", "more_body": True})
        raise ValueError("broken")

    async def parts() -> list[HttpHead | bytes]:
        return [part async for part in run_asgi(app, _CALL)]

    with pytest.raises(ValueError, match="broken"):
        asyncio.run(parts())
