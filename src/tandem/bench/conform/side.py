"""One of the two sides of the comparison: a base URL, asked over HTTP."""

import base64
import re
from dataclasses import dataclass
from typing import Any

import httpx

from tandem.bench.conform.case import MODEL, Case
from tandem.core.errors import TandemError
from tandem.measure.conformity import Answer
from tandem.measure.stream_answer import folded, read_events

_SECONDS = 120.0
"""First use of a grammar backend or of log probabilities takes up to a minute on one core."""

_ROUTE = re.compile(r'\broute;desc="(\w+)"')
_REASON = re.compile(r'\breason;desc="(\w+)"')


@dataclass(frozen=True)
class Exchange:
    """An answer, and by which route the service says it was made; None where nothing is said."""

    answer: Answer
    route: str | None = None
    reason: str | None = None


class Side:
    """A service or an engine. `url` is an OpenAI base URL, such as `http://127.0.0.1:8000/v1`.

    Raises:
        TandemError: nothing answers there, or no model is listed.
    """

    def __init__(self, url: str) -> None:
        self.root = url.rstrip("/").removesuffix("/v1")
        self._client = httpx.Client(base_url=self.root, timeout=_SECONDS, trust_env=False)
        self.model = self._first_model()

    def routes(self) -> tuple[str | None, ...]:
        """The routes that can be asked for: remote and local of a Tandem with a prefill phase, else no choice."""
        try:
            status = self._client.get("/tandem/status")
            phases = status.json()["phases"] if status.is_success else {}
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            phases = {}
        return ("remote", "local") if "prefill" in phases else (None,)

    def is_tandem(self) -> bool:
        """True when the service refuses internal fields, as every Tandem does."""
        return self._client.get("/tandem/status").is_success

    def serves(self, path: str) -> bool:
        """True when POST requests to the path are read at all."""
        return self._client.post(path, content=b"{}", headers=_JSON).status_code != httpx.codes.NOT_FOUND

    def ask(self, case: Case, mark: str, route: str | None = None) -> Exchange:
        """Sends a case; an answer with status 0 tells that there was none, and why."""
        headers = {**(_JSON if case.method == "POST" else {}), **case.headers}
        if route is not None:
            headers["X-Tandem-Route"] = route
        content = case.body(mark, self.model) if case.method == "POST" else None
        path = case.endpoint.replace(MODEL, self.model)
        try:
            response = self._client.request(case.method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            return Exchange(Answer(status=0, body=f"no answer: {type(error).__name__}: {error}"))
        timing = response.headers.get("server-timing", "")
        return Exchange(self._answer(response), _found(_ROUTE, timing), _found(_REASON, timing))

    def _answer(self, response: httpx.Response) -> Answer:
        kind = response.headers.get("content-type", "")
        body = _with_model_masked(_body(response, kind), self.model)
        return Answer(status=response.status_code, content_type=kind, body=body)

    def _first_model(self) -> str:
        try:
            answer = self._client.get("/v1/models").raise_for_status()
            return str(answer.json()["data"][0]["id"])
        except (httpx.HTTPError, ValueError, KeyError, IndexError) as error:
            raise TandemError(
                f"{self.root}/v1/models does not answer: {error}", fix="Is the base URL right?"
            ) from error


_JSON: dict[str, Any] = {"Content-Type": "application/json"}


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match[1] if match else None


def _body(response: httpx.Response, kind: str) -> Any:
    try:
        if kind.startswith("text/event-stream"):
            return folded(read_events(response.text))
        if kind.startswith("application/json"):
            return response.json()
    except (ValueError, KeyError, TypeError, AttributeError):
        return response.text  # not what the content type says: compared as it stands
    return response.text if kind.startswith("text/") else base64.b64encode(response.content).decode()


def _with_model_masked(value: Any, model: str) -> Any:
    if isinstance(value, dict):
        return {name: _with_model_masked(item, model) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_model_masked(item, model) for item in value]
    return MODEL if value == model else value
