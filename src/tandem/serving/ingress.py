"""The OpenAI endpoint: checks, hands the request to a decode replica as it came, and passes the answer on.

vLLM's own HTTP application, in the decode replica, does the rest, so that answers have one engine's shape (ADR 0004).
"""

import json
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

from ray import serve
from ray.serve.handle import DeploymentHandle
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tandem import __version__
from tandem.serving.errors import BadRequest, error_response
from tandem.serving.overview import Overview
from tandem.serving.ray_internals import bind_replica_server_to_node
from tandem.serving.relay import ATTEMPTS, FAILURES, Relay, pause_before
from tandem.serving.request_id import without_proxys_id
from tandem.serving.wire import HttpAnswer, HttpCall, HttpHead

# What clients may reach of vLLM's application. Everything else there (profiling, sleep, scaling, raw engine access)
# is for operators of one engine, not for clients of a service.
PASSED_ON = {
    "/v1/chat/completions": ["POST"],
    "/v1/completions": ["POST"],
    "/v1/embeddings": ["POST"],
    "/v1/responses": ["POST"],
    "/tokenize": ["POST"],
    "/detokenize": ["POST"],
    "/v1/models": ["GET"],
    "/version": ["GET"],
}
FORCED_ROUTE_HEADER = "x-tandem-route"
# They name an engine's memory and its host, or put tokens into an answer.
_INTERNAL_FIELDS = ("kv_transfer_params", "ec_transfer_params", "tandem_forced_tokens")
_HOP_HEADERS = {b"content-length", b"transfer-encoding", b"connection", b"date", b"server"}


@serve.ingress()
class Ingress:
    """One replica of the endpoint."""

    def __init__(self, model_id: str, phases: dict[str, DeploymentHandle]) -> None:
        bind_replica_server_to_node()
        front = phases.get("decode") or phases["pool"]
        self._stream = front.options(stream=True).http_stream
        self._whole = front.http
        self._overview = Overview(model_id, phases)

    async def __serve_build_asgi_app__(self) -> Starlette:
        """Serve asks for the application once the replica is made."""
        routes = [Route(path, self._pass_on, methods=methods) for path, methods in PASSED_ON.items()]
        routes += [Route("/v1/models/{model:path}", self._pass_on, methods=["GET"])]
        routes += [Route("/health", self._health), Route("/tandem/status", self._status)]
        handlers: dict[Any, Any] = {HTTPException: _http_error, BadRequest: _bad_request}
        return Starlette(routes=routes, exception_handlers=handlers)

    async def _pass_on(self, request: Request) -> Response:
        call = await _call(request)
        try:
            return await (self._streamed(call) if _streams(call) else self._answered(call))
        except FAILURES:
            return error_response(503, "The model cannot answer right now. Try again in a moment.", "unavailable")

    async def _answered(self, call: HttpCall) -> Response:
        """A whole answer: a replica that dies over it has told the client nothing, so another begins anew."""
        for attempt in range(ATTEMPTS):
            try:
                answer: HttpAnswer = await self._whole.remote(call)
            except FAILURES:
                if attempt == ATTEMPTS - 1:
                    raise
                self._overview.retried()
                await pause_before(attempt)
            else:
                self._overview.add(answer.account)
                return Response(answer.body, answer.head.status, _headers(answer.head))
        raise AssertionError("unreachable")

    async def _streamed(self, call: HttpCall) -> Response:
        relay = Relay(self._stream.remote, call, self._overview.add)
        head = await relay.open()
        return StreamingResponse(self._watched(relay), head.status, _headers(head))

    async def _watched(self, relay: Relay) -> AsyncGenerator[bytes, None]:
        async for part in relay.body():
            yield part
        for _ in range(relay.resumptions):
            self._overview.retried()

    async def _health(self, _: Request) -> Response:
        ready = await self._overview.ready()
        return Response(status_code=200 if ready else 503)

    async def _status(self, _: Request) -> Response:
        return JSONResponse({"version": __version__, **await self._overview.snapshot()})


async def _call(request: Request) -> HttpCall:
    body = await request.body()
    if request.method == "POST":
        _refuse_internal_fields(body)
    return HttpCall(
        method=request.method,
        path=request.url.path,
        query=request.scope.get("query_string", b""),
        headers=without_proxys_id(
            [(k, v) for k, v in request.headers.raw if k not in _HOP_HEADERS], _json_object(body)
        ),
        body=body,
        route=_forced_route(request),
    )


def _refuse_internal_fields(body: bytes) -> None:
    fields = _json_object(body)
    extra = fields.get("vllm_xargs")
    for name in _INTERNAL_FIELDS:
        # Anything but an object vLLM refuses itself, and an empty one it passes over.
        given = isinstance(fields.get(name), dict) and fields[name]
        if given or (isinstance(extra, dict) and extra.get(name)):
            raise BadRequest(f"'{name}' is set by the service and cannot be sent by a client.", param=name)


def _forced_route(request: Request) -> str | None:
    route = request.headers.get(FORCED_ROUTE_HEADER)
    if route is not None and route not in ("remote", "local"):
        raise BadRequest("X-Tandem-Route is 'remote' or 'local'.", param="X-Tandem-Route")
    return route


def _streams(call: HttpCall) -> bool:
    return call.method == "POST" and _json_object(call.body).get("stream") is True


def _json_object(body: bytes) -> dict[str, Any]:
    """The body as an object, or {}: what is not JSON is for vLLM to refuse, in vLLM's words."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _headers(head: HttpHead) -> dict[str, str]:
    return {k.decode("latin-1"): v.decode("latin-1") for k, v in head.headers if k.lower() not in _HOP_HEADERS}


async def _http_error(_: Request, error: Exception) -> Response:
    """No such path, or not by this method: in the words of vLLM's handler for the same."""
    assert isinstance(error, HTTPException)
    response = error_response(error.status_code, error.detail, HTTPStatus(error.status_code).phrase)
    response.headers.update(error.headers or {})
    return response


async def _bad_request(_: Request, error: Exception) -> Response:
    assert isinstance(error, BadRequest)
    return error_response(400, str(error), "invalid_request_error", param=error.param)
