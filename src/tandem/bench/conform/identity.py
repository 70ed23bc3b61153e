"""Who asks, for which model, how urgently, under which names and caches."""

from tandem.bench.conform.case import (
    CHAT,
    CHAT_BASE,
    COMPLETION_BASE,
    COMPLETIONS,
    RESPONSES,
    Agree,
    Case,
    both,
    completion,
    each,
)

_MODEL: list[Case] = [
    *each("model", ["no-such-model", 5, None]),
    Case(endpoint=CHAT, fields=("model",), base=CHAT_BASE, absent=("model",)),
    Case(endpoint=COMPLETIONS, fields=("model",), base=COMPLETION_BASE, absent=("model",)),
    *each("model", [""]),
]

_REQUEST: list[Case] = [
    *each("priority", [0, 5, -3, 2**63 - 1]),
    *each("priority", [2**63, "high", 1.5]),
    *each("cache_salt", ["keeper-7-9f2c", None, "s" * 1024]),
    *both("cache_salt", "n", cache_salt="keeper-8-aa01", n=2, temperature=0.9, seed=61),
    *both("cache_salt", "stream", cache_salt="keeper-9-be12", stream=True),
    *each("cache_salt", ["", "s" * 1025, 5]),
    *each("request_id", ["my-request-1", "with spaces and ünïcode"]),
    *each("request_id", [5, None]),
    Case(
        endpoint=COMPLETIONS,
        fields=("request_id",),
        sent={"request_id": "in-the-body"},
        base=COMPLETION_BASE,
        headers={"X-Request-Id": "in-the-header"},
    ),
    *each("session_id", ["session-1", None, 5]),
    *each("user", ["user-1", None, 5]),
    *each("thinking_token_budget", [None, -1, 5, -2, "some"]),
    *each("routed_experts_prompt_start", [0, 3, -1]),
]

_INTERNAL: list[Case] = [
    *each("kv_transfer_params", [None, {}]),
    *each("kv_transfer_params", ["x"]),
    *each("ec_transfer_params", [None, {}]),
    *each("ec_transfer_params", ["x"]),
    *(
        Case(endpoint=path, fields=(name,), base=base, agree=Agree.REFUSED, sent={name: {"remote_host": "192.0.2.1"}})
        for path, base in ((CHAT, CHAT_BASE), (COMPLETIONS, COMPLETION_BASE), (RESPONSES, {"input": "Hello"}))
        for name in ("kv_transfer_params", "ec_transfer_params")
    ),
    *(
        completion("vllm_xargs", agree=Agree.REFUSED, vllm_xargs={name: "x"})
        for name in ("kv_transfer_params", "ec_transfer_params")
    ),
]

_UNKNOWN: list[Case] = [
    # OpenAI's fields that vLLM does not have, and fields that nobody has, are passed over.
    *both(store=True, service_tier="auto", metadata={"a": "b"}, guided_json={"type": "object"}, nonsense=[1, {}]),
]

IDENTITY = [*_MODEL, *_REQUEST, *_INTERNAL, *_UNKNOWN]
