"""Requests without a body, and bodies that are none."""

from typing import Any

from tandem.bench.conform.case import CHAT, COMPLETION_BASE, COMPLETIONS, DETOKENIZE, RESPONSES, TOKENIZE, Agree, Case

_DEEP = "[" * 100_000
_TEXT: dict[str, Any] = {"Content-Type": "text/plain"}

_READS: list[Case] = [
    Case(endpoint=path, method="GET")
    for path in ("/v1/models", "/v1/models/<model>", "/v1/models/no-such-model", "/health", "/version")
]

_WRONG: list[Case] = [
    *(
        Case(endpoint=path, method="GET", agree=Agree.STATUS)
        for path in (CHAT, COMPLETIONS, TOKENIZE, "/v1/no-such-path", "/no-such-path")
    ),
    *(Case(endpoint=path, method="DELETE", agree=Agree.STATUS) for path in ("/v1/models", CHAT)),
    *(Case(endpoint=path, agree=Agree.STATUS) for path in ("/v1/models", "/v1/no-such-path")),
]

_BODIES: list[Case] = [
    *(
        Case(endpoint=path, raw=raw)
        for path in (CHAT, COMPLETIONS, RESPONSES, TOKENIZE, DETOKENIZE)
        for raw in ("", "{", "[]", '"text"', "null", "{}")
    ),
    *(Case(endpoint=path, raw=_DEEP) for path in (CHAT, COMPLETIONS)),
    *(Case(endpoint=path, raw="{}", headers=_TEXT) for path in (CHAT, COMPLETIONS)),
    # Numbers that JSON does not have but Python's reader takes: https://docs.python.org/3/library/json.html.
    *(
        Case(endpoint=COMPLETIONS, raw=f'{{"prompt": "The sea", "max_tokens": 2, "{field}": {value}}}')
        for field in ("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
        for value in ("NaN", "Infinity", "-Infinity")
    ),
    *(
        Case(
            endpoint=COMPLETIONS,
            raw=f'{{"prompt": "The sea", "max_tokens": 2, "seed": 1, "logit_bias": {{"300": {n}}}}}',
        )
        for n in ("NaN", "Infinity", "-Infinity", "1e308")
    ),
    Case(endpoint=COMPLETIONS, raw='{"prompt": "The sea", "max_tokens": 1, "max_tokens": 2, "temperature": 0}'),
    Case(endpoint=COMPLETIONS, raw='{"prompt": "The \\ud800 sea", "max_tokens": 2, "temperature": 0}'),
    Case(endpoint=COMPLETIONS, raw='{"prompt": "The \\u0000 sea", "max_tokens": 2, "temperature": 0}'),
    Case(endpoint=COMPLETIONS, sent={"prompt": [1] * 100_000}, base={**COMPLETION_BASE}),
]

ENDPOINTS = [*_READS, *_WRONG, *_BODIES]
