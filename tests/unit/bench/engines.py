"""Little HTTP servers in the place of a service and of an engine, with faults to choose."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
Fault = Callable[["Asked", Body], Body | int | None]
"""Looks at a request and the right answer; gives another answer, a status, or None to let the right one pass."""


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    path: str
    body: Body
    route: str | None


@dataclass
class Engine:
    """What a server does. `phases` makes it a Tandem; `reasons` tells why the remote route was not taken."""

    fault: Fault = lambda asked, answer: None
    phases: dict[str, Any] | None = None
    reason: str | None = None
    missing: tuple[str, ...] = ("/v1/embeddings",)
    asked: list[Asked] = field(default_factory=list)

    def answer(self, asked: Asked) -> tuple[int, Body]:
        """Repeats the prompt backwards: every prompt has its own answer."""
        if asked.path in self.missing:
            return 404, {"detail": "Not Found"}
        if not asked.body:
            return 400, {"error": {"message": "empty", "type": "Bad Request", "param": None, "code": 400}}
        right = {"id": "cmpl-" + "0" * 32, "choices": [{"index": 0, "text": str(asked.body.get("prompt"))[::-1]}]}
        wrong = self.fault(asked, right)
        return (wrong, {"error": {"code": wrong}}) if isinstance(wrong, int) else (200, wrong or right)


@contextmanager
def serving(engine: Engine) -> Iterator[str]:
    """The base URL of a server that runs during the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/v1/models":
                self._send(200, {"data": [{"id": "tiny"}]})
            elif self.path == "/tandem/status" and engine.phases is not None:
                self._send(200, {"phases": engine.phases})
            else:
                self._send(404, {"detail": "Not Found"})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, body, self.headers.get("X-Tandem-Route"))
            engine.asked.append(asked)
            self._send(*engine.answer(asked), route=asked.route)

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: the test's output is the test's."""

        def _send(self, status: int, body: Body, route: str | None = None) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if route is not None:
                went = "local" if engine.reason else route
                reason = f', reason;desc="{engine.reason}"' if engine.reason else ""
                self.send_header("Server-Timing", f'route;desc="{went}"{reason}')
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
