"""Requests by which one prompt's KV cache could be taken for another's, and what of an answer must be right."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from tandem.measure.stream_answer import folded, read_events

PATIENCE_SECONDS = 75.0

# Each of several KV blocks (128 tokens on the CPU), over the routing threshold, and no prefix of another.
A = "The sea is wide and the ships are many. " * 30
B = "One boat from the southern harbour stayed out for three nights. " * 24
C = "In the evening the keeper wrote down the wind and the water. " * 28
SHORT = "Hello"

PLAIN: Mapping[str, Any] = {"prompt": A}
PROBES: Mapping[str, Mapping[str, Any]] = {
    "one prompt": PLAIN,
    "list": {"prompt": [A, C]},
    "list, streamed": {"prompt": [A, C], "stream": True},
    "list of short and long": {"prompt": [SHORT, B, A, "Short"]},
    "list with one beginning": {"prompt": [A + "One", A + "Two", A]},
    "list of token ids": {"prompt": [list(range(1000, 1400)), list(range(2000, 2300))]},
    "list with n": {"prompt": [A, C], "n": 2, "temperature": 0.9, "seed": 5},
    "n": {"prompt": A, "n": 3, "temperature": 0.9, "seed": 3},
    "n, streamed": {"prompt": A, "n": 3, "temperature": 0.9, "seed": 3, "stream": True},
    "n in a chat": {"messages": [{"role": "user", "content": B}], "n": 2, "temperature": 0.9, "seed": 4},
    "best_of": {"prompt": A, "best_of": 3, "temperature": 0.9, "seed": 3},
    "beam search": {"prompt": A, "use_beam_search": True, "n": 2, "max_tokens": 6},
    "logprobs": {"prompt": [A, C], "logprobs": 2},
    "echo with logprobs": {"prompt": A, "echo": True, "logprobs": 2},
    "prompt_logprobs": {"prompt": A, "prompt_logprobs": 2},
    "prompt_logprobs of a list": {"prompt": [A, C], "prompt_logprobs": 1},
    "min_tokens": {"prompt": A, "min_tokens": 10},
    "max_tokens 0 with echo": {"prompt": A, "max_tokens": 0, "echo": True, "logprobs": 1},
}
"""Fields over those of `asked`, by name."""

ENDPOINT_FIELDS = frozenset({"prompt", "messages"})
"""One of them is in each request, and tells to which endpoint it goes."""

FOREIGN_TRANSFER: Mapping[str, Any] = {
    "prompt": A,
    "kv_transfer_params": {"do_remote_prefill": True, "remote_engine_id": "another", "remote_block_ids": [1, 2, 3]},
}
"""A client that names the KV cache to take."""


@dataclass(frozen=True)
class Answer:
    """Status and what must be right of it: of each choice the text, tokens, why it ended and log-probabilities."""

    status: int
    choices: tuple[Any, ...] = ()
    logprobs: tuple[float, ...] = ()


def asked(endpoint: str, fields: Mapping[str, Any], route: str | None = None) -> Answer:
    """Asks greedily unless `fields` say otherwise, with a salt that keeps the prompts out of every prefix cache.

    No answer within `PATIENCE_SECONDS`, or a connection that breaks, is status 0.
    """
    path = "chat/completions" if "messages" in fields else "completions"
    salt = f"{time.monotonic_ns()}"
    own = {"model": "tiny", "max_tokens": 16, "temperature": 0, "return_token_ids": True, "cache_salt": salt}
    headers = {"X-Tandem-Route": route} if route else {}
    try:
        response = httpx.post(
            f"{endpoint}/{path}", json={**own, **fields}, headers=headers, timeout=PATIENCE_SECONDS, trust_env=False
        )
    except httpx.TransportError:
        return Answer(0)
    if response.status_code != httpx.codes.OK:
        return Answer(response.status_code)
    return read_answer(folded(read_events(response.text)) if fields.get("stream") else response.json())


def judged(answer: Answer, expected: Answer) -> str:
    """`right`, `wrong answer` for one that says 200 and something else, or the status in words."""
    if answer.status == 0:
        return "no answer"
    if answer.status != expected.status:
        return f"status {answer.status}"
    if answer.choices != expected.choices or len(answer.logprobs) != len(expected.logprobs):
        return "wrong answer"
    # The make-up of a batch changes the last bits; another prompt's KV cache changes the first digit.
    near = all(abs(a - b) < 1e-3 for a, b in zip(answer.logprobs, expected.logprobs, strict=True))
    return "right" if near else "wrong answer"


def read_answer(body: dict[str, Any]) -> Answer:
    """Of a whole body, or of a stream folded into one."""
    if "choices" not in body:  # a stream that begins with an error
        return Answer(500)
    choices = sorted(body["choices"], key=lambda choice: int(choice["index"]))
    numbers = [number for choice in choices for number in _logprobs(choice)]
    return Answer(200, tuple(_told(choice) for choice in choices), tuple(numbers))


def _told(choice: dict[str, Any]) -> tuple[Any, ...]:
    text = choice["message"]["content"] if "message" in choice else choice["text"]
    tokens = (choice.get("logprobs") or {}).get("tokens")
    return (text, choice.get("token_ids"), choice.get("prompt_token_ids"), choice["finish_reason"], tokens)


def _logprobs(choice: dict[str, Any]) -> list[float]:
    of_answer = (choice.get("logprobs") or {}).get("token_logprobs") or []
    of_prompt = [position for position in choice.get("prompt_logprobs") or [] if position]
    best = [max(entry["logprob"] for entry in position.values()) for position in of_prompt]
    return [number for number in of_answer if number is not None] + best
