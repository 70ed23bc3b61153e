"""How a token is chosen from the logits."""

from typing import Any

from tandem.bench.conform.case import (
    CHAT,
    CHAT_BASE,
    COMPLETION_BASE,
    COMPLETIONS,
    Agree,
    Case,
    both,
    each,
)

_SEEDED: dict[str, Any] = {"temperature": 0.9, "seed": 11}

_PLAIN: list[Case] = [
    *each("temperature", [0, 0.0, 0.7, 1.3, 2, None], seed=5),
    *each("temperature", [-1, 2.5, "warm"]),
    *each("top_p", [0.3, 1], **_SEEDED),
    *each("top_p", [0, 1.5, -0.1]),
    *each("top_k", [1, 5, 0, -1, 1_000_000], **_SEEDED),
    *each("top_k", [-2, 1.5]),
    *each("min_p", [0.05, 0.9, None], **_SEEDED),
    *each("min_p", [1.5, -0.5]),
    *each("seed", [0, 42, 2**63 - 1, -(2**63)], temperature=1),
    *each("seed", [2**63, 1.5, "x"]),
    # Without a seed each engine draws its own numbers.
    Case(
        endpoint=CHAT,
        fields=("temperature",),
        sent={"ignore_eos": True},
        base=CHAT_BASE,
        absent=("temperature",),
        agree=Agree.SHAPE,
    ),
    Case(
        endpoint=COMPLETIONS,
        fields=("temperature",),
        sent={"ignore_eos": True},
        base=COMPLETION_BASE,
        absent=("temperature",),
        agree=Agree.SHAPE,
    ),
    *both("seed", agree=Agree.SHAPE, seed=-1, temperature=1, ignore_eos=True),  # vLLM: -1 is no seed
]

_WEIGHTED: list[Case] = [
    *each("repetition_penalty", [1.5, 0.8, None]),
    *each("repetition_penalty", [0, -1]),
    *each("presence_penalty", [1.5, -2, None]),
    *each("presence_penalty", [2.5]),
    *each("frequency_penalty", [1.5, -2, None]),
    *each("frequency_penalty", [-2.5]),
    *each("logit_bias", [{"300": 100}, {"300": 50.5, "301": 49}, {"300": -100}, {}, None]),
    *each("logit_bias", [{"99999999": 1}, {"word": 1}, {"300": "much"}, [300]]),
    *each("allowed_token_ids", [[300, 301, 302], [300], None]),
    *each("allowed_token_ids", [[], [99999999], [-1]]),
    *each("allowed_token_ids", [[300, 301, 302]], **_SEEDED),
    *each("bad_words", [["the", " sea", "e"], []]),
    *each("bad_words", [[""], "the", [1]]),
    *each("vllm_xargs", [{"note": "a", "numbers": [1, 2.5]}, {}, None]),
    *each("vllm_xargs", [{"deep": {"a": 1}}]),
]

SAMPLING = [*_PLAIN, *_WEIGHTED]
