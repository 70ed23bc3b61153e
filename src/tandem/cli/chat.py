"""`tandem chat [QUESTION]`."""

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import click
import httpx

from tandem.apply.local.paths import home
from tandem.apply.local.run import current_run
from tandem.core.errors import InputError, TandemError
from tandem.measure.token_times import TokenTimes, summary

_SECONDS = 600.0


@click.command("chat")
@click.argument("question", required=False)
@click.option("--url", help="OpenAI base URL. Left out: the service on this machine.")
@click.option("--model", help="Model name. Left out: the first that the endpoint lists.")
@click.option("--route", type=click.Choice(["remote", "local"]), help="Force where the prompt is prefilled.")
@click.option("--max-tokens", default=256, show_default=True)
def chat_command(question: str | None, url: str | None, model: str | None, route: str | None, max_tokens: int) -> None:
    """Ask one QUESTION, or talk without one. Under each answer: its route, TTFT and ITL."""
    endpoint = (url or _local_endpoint()).rstrip("/")
    headers = {"X-Tandem-Route": route} if route else {}
    with httpx.Client(timeout=_SECONDS, trust_env=False, headers=headers) as client:
        name = model or _first_model(client, endpoint)
        messages: list[dict[str, str]] = []
        for text in [question] if question else _typed():
            messages.append({"role": "user", "content": text})
            body = {"model": name, "messages": messages, "stream": True, "max_tokens": max_tokens}
            messages.append({"role": "assistant", "content": _answer(client, endpoint, body)})


def _local_endpoint() -> str:
    run = current_run(home())
    if run is None:
        raise InputError("nothing is up", fix="`tandem up` starts a service, or give --url.")
    return run.state.endpoint


def _first_model(client: httpx.Client, endpoint: str) -> str:
    try:
        answer = client.get(f"{endpoint}/models")
        answer.raise_for_status()
    except httpx.HTTPError as error:
        raise TandemError(f"{endpoint} does not answer: {error}", fix="`tandem status` tells more.") from error
    return str(answer.json()["data"][0]["id"])


def _typed() -> Iterator[str]:
    while True:
        try:
            text = click.prompt(click.style("you", bold=True), prompt_suffix="> ")
        except click.Abort:
            click.echo()
            return
        yield text


def _answer(client: httpx.Client, endpoint: str, body: dict[str, Any]) -> str:
    times = TokenTimes(sent=time.perf_counter())
    parts: list[str] = []
    with client.stream("POST", f"{endpoint}/chat/completions", json=body) as response:
        if response.status_code != httpx.codes.OK:
            raise TandemError(_message(response.read()))
        for chunk in _chunks(response):
            text = chunk["choices"][0]["delta"].get("content") if chunk.get("choices") else None
            if text:
                times.arrived.append(time.perf_counter())
                parts.append(text)
                sys.stdout.write(text)
                sys.stdout.flush()
        timing = response.headers.get("server-timing", "")
    click.echo()
    click.secho(summary(times, timing), dim=True)
    return "".join(parts)


def _chunks(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data: ") and line != "data: [DONE]":
            yield json.loads(line.removeprefix("data: "))


def _message(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return body.decode(errors="replace")[:200]
