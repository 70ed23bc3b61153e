"""Several answers to one prompt, and beam search: all from one transferred KV cache."""

from typing import Any

from tandem.bench.conform.case import Case, both, chat, completion, each

_SEEDED: dict[str, Any] = {"temperature": 0.9, "seed": 41}
_BEAM: dict[str, Any] = {"use_beam_search": True, "max_tokens": 4}

_N: list[Case] = [
    *each("n", [1, 2, 5], **_SEEDED),
    *each("n", [2], stream=True, stream_options={"include_usage": True}, **_SEEDED),
    *each("n", [2], stop=["e", "a"], **_SEEDED),
    *each("n", [0, -1, 2, "two", 1_000_000]),  # 2 without sampling is refused too
    *each("n", [1_000_000], **_SEEDED),
    chat("n", n=None),
    completion("n", n=None),
    chat("n", "logprobs", n=3, logprobs=True, top_logprobs=1, **_SEEDED),
    completion("n", "logprobs", n=3, logprobs=1, **_SEEDED),
    # No field of this release, but clients send it: https://platform.openai.com/docs/api-reference/completions.
    *both(best_of=2, **_SEEDED),
]

_BEAMS: list[Case] = [
    *both("use_beam_search", "n", n=2, **_BEAM),
    *both("use_beam_search", "n", n=1, **_BEAM),
    *both("use_beam_search", "n", n=3, return_token_ids=True, **_BEAM),
    *both("use_beam_search", use_beam_search=False),
    *both("use_beam_search", "stream", stream=True, **_BEAM),
    *both("length_penalty", n=2, length_penalty=0.2, **_BEAM),
    *both("length_penalty", n=2, length_penalty=3.0, **_BEAM),
    *each("length_penalty", [1.0, 2.0, "long"]),
    *both("use_beam_search", "ignore_eos", n=2, ignore_eos=True, **_BEAM),
    *both("use_beam_search", "include_stop_str_in_output", n=2, include_stop_str_in_output=True, **_BEAM),
    completion("use_beam_search", "prompt", n=2, prompt=["<mark> The first", "<mark> A second one"], **_BEAM),
    chat("use_beam_search", "logprobs", n=2, logprobs=True, top_logprobs=2, **_BEAM),
    completion("use_beam_search", "logprobs", n=2, logprobs=2, **_BEAM),
    chat("use_beam_search", "logprob_token_ids", n=2, logprobs=True, logprob_token_ids=[300], **_BEAM),
]

SAMPLES = [*_N, *_BEAMS]
