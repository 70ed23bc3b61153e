"""The forms of a prompt, with lengths around the KV block sizes in use (16 and 128 tokens)."""

from typing import Any

from tandem.bench.conform.case import COMPLETION_BASE, COMPLETIONS, PROMPT, Case, both, completion, each, each_of

# Ids that every vocabulary has; rising, so that no two blocks are alike.
_IDS = list(range(300, 300 + 300))
_LENGTHS = (1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257)
_SEEDED: dict[str, Any] = {"temperature": 0.9, "seed": 31}
_SHORT = ["<mark> The first", "<mark> A second one", "<mark> And the third prompt"]
_LONG = [f"{word}: {PROMPT}" for word in ("one", "two", "three")]

_FORMS: list[Case] = [
    *(completion("prompt", prompt=_IDS[:length]) for length in _LENGTHS),
    *each_of(completion, "prompt", [_SHORT, _LONG, _LONG[:1], [*_SHORT, *_LONG]]),
    completion("prompt", prompt=[_IDS[:200], _IDS[100:300], _IDS[:5]]),
    completion("prompt", prompt=[PROMPT, PROMPT, PROMPT]),
    completion("prompt", "n", prompt=_LONG, n=2, **_SEEDED),
    completion("prompt", "seed", prompt=_LONG, **_SEEDED),
    completion("prompt", "stream", prompt=_LONG, stream=True, stream_options={"include_usage": True}),
    completion("prompt", "stream", "n", prompt=_LONG, stream=True, n=2, **_SEEDED),
    completion("prompt", "echo", prompt=_LONG, echo=True),
    completion("prompt", "logprobs", prompt=_LONG, logprobs=2),
    completion("prompt", "return_token_ids", prompt=_LONG, return_token_ids=True),
    completion("prompt", prompt=" "),
    completion("prompt", prompt="Grüße, 世界, 🌊 <|im_end|> e\u0301"),
    *each_of(completion, "echo", [True, False, None]),
    completion("echo", "n", echo=True, n=2, **_SEEDED),
    completion("echo", "stream", echo=True, stream=True),
    completion("echo", "prompt", echo=True, prompt=_IDS[:20]),
    completion("suffix", suffix=" and so it ended."),
    completion("suffix", suffix=None),
]

_REFUSED: list[Case] = [
    *each_of(completion, "prompt", ["", [], [[]], [""], None, 5, {"text": "a"}]),
    *each_of(completion, "prompt", [[-1], [99999999], [[5], [99999999]], ["a", [5]], [1.5], [[-1]]]),
    completion("prompt", prompt=["a"] * 1025),
    Case(endpoint=COMPLETIONS, fields=("prompt",), base=COMPLETION_BASE, absent=("prompt",)),
    completion("prompt", prompt="far too long " * 40_000),
    completion("prompt", "max_tokens", prompt="far too long " * 40_000, max_tokens=None),
    *each_of(completion, "prompt_embeds", ["AAAA", [], 5, None], prompt=None),
    completion("prompt_embeds", prompt_embeds="AAAA"),
]

_TOKENS: list[Case] = [
    *each("add_special_tokens", [True, False, "perhaps"]),
    *each("truncate_prompt_tokens", [1, 20, 128, -1, None]),
    *each("truncate_prompt_tokens", [0, -2, "few", 100_000_000]),
    *each("truncation_side", ["left", "right", None], truncate_prompt_tokens=40),
    *each("truncation_side", ["middle"]),
    *both("truncate_prompt_tokens", "prompt_logprobs", truncate_prompt_tokens=20, prompt_logprobs=1),
    completion("truncate_prompt_tokens", "echo", truncate_prompt_tokens=20, echo=True),
    completion("truncate_prompt_tokens", "prompt", truncate_prompt_tokens=150, prompt=_LONG),
    completion("truncate_prompt_tokens", truncate_prompt_tokens=30, prompt="far too long " * 4_000),
]

PROMPTS = [*_FORMS, *_REFUSED, *_TOKENS]
