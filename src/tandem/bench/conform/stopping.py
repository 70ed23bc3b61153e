"""When an answer ends."""

from typing import Any

from tandem.bench.conform.case import (
    CHAT,
    CHAT_BASE,
    COMPLETION_BASE,
    COMPLETIONS,
    Case,
    both,
    chat,
    completion,
    each,
    each_of,
)

# Greedy answers of the model differ from model to model, so stops are tried on answers of a chosen alphabet.
_TWO_TOKENS: dict[str, Any] = {"allowed_token_ids": [300, 301], "repetition_penalty": 1.2}
_ONE_TOKEN: dict[str, Any] = {"allowed_token_ids": [300]}
_COMMON_LETTERS = ["e", "a", "i", "o", "n", "t", " "]  # ends an answer of unlimited length soon, whatever the model

_STOP: list[Case] = [
    *each("stop", ["e", ["e", "a"], [], None, "\n", ["zzzzzz"]]),
    *each("stop", [[""], 5, [1, 2]]),
    *both("include_stop_str_in_output", "stop", stop=["e", "a"], include_stop_str_in_output=True),
    *each("include_stop_str_in_output", [False, "maybe"]),
    *both("stop_token_ids", stop_token_ids=[301], **_TWO_TOKENS),
    *both("stop_token_ids", stop_token_ids=[300], **_ONE_TOKEN),
    *each("stop_token_ids", [[], None, [301]]),
    *each("stop_token_ids", [[99999999], ["a"]]),
    *both("min_tokens", "stop_token_ids", min_tokens=5, stop_token_ids=[301], **_TWO_TOKENS),
    *both("min_tokens", min_tokens=8, stop=["e", "a"]),
    *each("min_tokens", [0, 1, 10]),
    *each("min_tokens", [11, -1]),
    *each("ignore_eos", [True, False]),
    *both("ignore_eos", ignore_eos=True, allowed_token_ids=[2]),
    *both("ignore_eos", ignore_eos=False, allowed_token_ids=[2]),
    *both(
        "repetition_detection",
        repetition_detection={"max_pattern_size": 2, "min_pattern_size": 1, "min_count": 3},
        **_ONE_TOKEN,
    ),
    *each("repetition_detection", [None, {"max_pattern_size": 0}, {"max_pattern_size": 2, "min_count": 1}]),
    *each("skip_special_tokens", [True, False], allowed_token_ids=[1, 2, 300], ignore_eos=True),
    *each("spaces_between_special_tokens", [True, False], allowed_token_ids=[1, 300], skip_special_tokens=False),
]

_LENGTH: list[Case] = [
    *each("max_tokens", [1, 2, 30]),
    *each("max_tokens", [0, -1, 1.5, "many", 100_000_000]),
    *both("max_tokens", max_tokens=None, stop=_COMMON_LETTERS),
    Case(
        endpoint=CHAT,
        fields=("max_tokens",),
        sent={"stop": _COMMON_LETTERS},
        base=CHAT_BASE,
        absent=("max_tokens",),
    ),
    Case(
        endpoint=COMPLETIONS,
        fields=("max_tokens",),
        sent={"ignore_eos": True},
        base=COMPLETION_BASE,
        absent=("max_tokens",),
    ),
    *(completion("max_tokens", "echo", max_tokens=n, echo=True) for n in (0, 1)),
    completion("max_tokens", "echo", "logprobs", max_tokens=0, echo=True, logprobs=1),
    *each_of(chat, "max_completion_tokens", [1, 5, 0, -1, None]),
    chat("max_completion_tokens", "max_tokens", max_tokens=7, max_completion_tokens=3),
    *both("stream", "max_tokens", stream=True, max_tokens=1),
]

STOPPING = [*_STOP, *_LENGTH]
