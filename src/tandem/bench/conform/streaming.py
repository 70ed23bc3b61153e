"""Streams and their options."""

from typing import Any

from tandem.bench.conform.case import Case, both, chat, completion, each

_USAGE: dict[str, Any] = {"include_usage": True}
_RUNNING: dict[str, Any] = {"include_usage": True, "continuous_usage_stats": True}

STREAMING: list[Case] = [
    *each("stream", [True, False, None]),
    *each("stream", ["true", 1, "perhaps", 5]),
    *each("stream_options", [_USAGE, _RUNNING, {"include_usage": False}, {}, None], stream=True),
    *each("stream_options", ["usage", {"include_usage": "perhaps"}], stream=True),
    *each("stream_options", [_USAGE, {}]),
    *each("stream_interval", [1, 4, 100, None], stream=True),
    *each("stream_interval", [0, -1, "slow"], stream=True),
    *each("stream_interval", [4]),
    *both("stream", "stop", stream=True, stop=["e", "a"]),
    *both("stream", "seed", stream=True, temperature=0.8, seed=51),
    *both("stream", "min_tokens", stream=True, min_tokens=10),
    # Refused before the stream begins: a plain JSON error.
    *both("stream", "temperature", stream=True, temperature=-1),
    # Refused by the engine: what vLLM tells then, it tells inside the stream.
    *both("stream", "logit_bias", stream=True, logit_bias={"99999999": 1}),
    *both("stream", "allowed_token_ids", stream=True, allowed_token_ids=[]),
    chat("stream", "logprobs", stream=True, logprobs=True, top_logprobs=2, stream_options=_USAGE),
    completion("stream", "logprobs", stream=True, logprobs=2, stream_options=_USAGE),
]
