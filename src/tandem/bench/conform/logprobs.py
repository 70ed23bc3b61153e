"""Log probabilities of the answer and of the prompt, and token ids beside the text."""

from typing import Any

from tandem.bench.conform.case import Case, both, chat, completion, each, each_of

_SEEDED: dict[str, Any] = {"temperature": 0.9, "seed": 21}

_OF_THE_ANSWER: list[Case] = [
    *each_of(chat, "logprobs", [True, False, None, "some"]),
    *(chat("logprobs", "top_logprobs", logprobs=True, top_logprobs=n) for n in (0, 1, 5, 20)),
    *(chat("logprobs", "top_logprobs", logprobs=True, top_logprobs=n) for n in (21, -1, -2, "2")),
    chat("top_logprobs", top_logprobs=2),
    *each_of(completion, "logprobs", [0, 1, 5, 20, None]),
    *each_of(completion, "logprobs", [21, -1, -2, "2", True]),
    chat("logprobs", "top_logprobs", logprobs=True, top_logprobs=3, stream=True),
    completion("logprobs", logprobs=3, stream=True),
    chat("logprobs", "seed", logprobs=True, top_logprobs=2, **_SEEDED),
    completion("logprobs", "seed", logprobs=2, **_SEEDED),
    chat("logprob_token_ids", logprobs=True, logprob_token_ids=[300, 301, 302]),
    completion("logprob_token_ids", logprobs=3, logprob_token_ids=[300, 301, 302]),
    completion("logprob_token_ids", logprobs=0, logprob_token_ids=[300, 301, 302]),
    *each("logprob_token_ids", [[300], [], None]),
    *(chat("logprob_token_ids", logprobs=True, logprob_token_ids=ids) for ids in ([99999999], [-1], ["a"])),
    *(completion("logprob_token_ids", logprobs=1, logprob_token_ids=ids) for ids in ([99999999], [-1], ["a"])),
    chat("return_tokens_as_token_ids", logprobs=True, top_logprobs=2, return_tokens_as_token_ids=True),
    completion("return_tokens_as_token_ids", logprobs=2, return_tokens_as_token_ids=True),
    *each("return_tokens_as_token_ids", [False, None]),
]

_OF_THE_PROMPT: list[Case] = [
    *each("prompt_logprobs", [0, 1, 2, 5, None]),
    *each("prompt_logprobs", [21, -1, -2, "2"]),
    *both("prompt_logprobs", "seed", prompt_logprobs=2, **_SEEDED),
    *both("prompt_logprobs", prompt_logprobs=2, stream=True),
    *both("prompt_logprobs", prompt_logprobs=0, stream=True),
    chat("prompt_logprobs", "n", prompt_logprobs=2, logprobs=True, n=2, **_SEEDED),
    completion("prompt_logprobs", "n", prompt_logprobs=2, logprobs=1, n=2, **_SEEDED),
    completion("prompt_logprobs", "prompt", prompt_logprobs=2, prompt=["<mark> one by one", "<mark> all at once"]),
    completion("echo", "logprobs", echo=True, logprobs=2),
    completion("echo", "logprobs", echo=True, logprobs=2, max_tokens=1),
    completion("echo", "logprobs", echo=True, logprobs=0),
    completion("echo", "logprobs", echo=True, logprobs=2, stream=True),
    chat("echo", "logprobs", echo=True, logprobs=True, top_logprobs=2),
    # Twice the same prompt: the second is in the prefix cache, which prompt logits must not come from.
    *(completion("prompt_logprobs", prompt="Twice the same. " * 60, prompt_logprobs=n) for n in (1, 3)),
]

_TOKEN_IDS: list[Case] = [
    *each("return_token_ids", [True, False, None]),
    *both("return_token_ids", "stream", return_token_ids=True, stream=True),
    completion("return_token_ids", "echo", return_token_ids=True, echo=True),
    *each("return_token_offsets", [True, False]),
]

LOGPROBS = [*_OF_THE_ANSWER, *_OF_THE_PROMPT, *_TOKEN_IDS]
