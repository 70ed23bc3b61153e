"""Reading a service's status from a real HTTP server on loopback."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tandem.observe import service
from tandem.observe.service import base_url, read_status

_STATUS: dict[str, Any] = {"ready": True, "phases": {"prefill": {"ready_replicas": 1, "replicas": []}}, "transfer": {}}


class _Handler(BaseHTTPRequestHandler):
    answer: Callable[["_Handler"], None]

    def do_GET(self) -> None:
        type(self).answer(self)

    def send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Writes nothing."""


Serve = Callable[[Callable[[_Handler], None]], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server that answers as it is told; gives its OpenAI base URL."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Callable[[_Handler], None]) -> str:
        handler = type("Handler", (_Handler,), {"answer": staticmethod(answer)})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_status_is_read_from_the_services_root(serve: Serve) -> None:
    asked: list[str] = []

    def answer(handler: _Handler) -> None:
        asked.append(handler.path)
        handler.send(200, json.dumps(_STATUS).encode())

    endpoint = serve(answer)
    assert read_status(endpoint) == _STATUS
    assert asked == ["/tandem/status"]


def test_a_proxy_of_the_environment_is_not_asked(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert read_status(serve(lambda handler: handler.send(200, json.dumps(_STATUS).encode()))) == _STATUS


@pytest.mark.parametrize(
    ("status", "body"),
    [(404, b"{}"), (500, b"{}"), (503, b""), (200, b"<html>"), (200, b"[1]"), (200, b"null"), (204, b""), (302, b"{}")],
)
def test_something_else_that_answers_is_no_status(serve: Serve, status: int, body: bytes) -> None:
    assert read_status(serve(lambda handler: handler.send(status, body))) is None


def test_nothing_that_listens_is_no_status() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert read_status(f"http://127.0.0.1:{port}/v1") is None


def test_a_service_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert read_status(f"http://127.0.0.1:{silent.getsockname()[1]}/v1") is None


def test_a_service_that_hangs_up_is_no_status(serve: Serve) -> None:
    assert read_status(serve(lambda handler: handler.wfile.close())) is None


@pytest.mark.parametrize(
    ("endpoint", "base"),
    [
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000"),
        ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000"),
        ("https://llm.example.com/chat/v1", "https://llm.example.com/chat"),
        ("https://llm.example.com", "https://llm.example.com"),
    ],
)
def test_the_root_of_a_base_url(endpoint: str, base: str) -> None:
    assert base_url(endpoint) == base
