"""OpenAI's Responses API: https://platform.openai.com/docs/api-reference/responses."""

from typing import Any

from tandem.bench.conform.case import MODEL, PROMPT, RESPONSES, Agree, Case

_BASE: dict[str, Any] = {"model": MODEL, "input": PROMPT, "max_output_tokens": 10, "temperature": 0}
_TOOL: dict[str, Any] = {
    "type": "function",
    "name": "tide",
    "parameters": {
        "type": "object",
        "properties": {"hour": {"type": "integer", "minimum": 0, "maximum": 9}},
        "required": ["hour"],
        "additionalProperties": False,
    },
}
_SCHEMA = {"type": "json_schema", "name": "tide", "schema": _TOOL["parameters"]}
_NAMED = {"type": "function", "name": "tide"}
_LOGPROBS = ["message.output_text.logprobs"]
_TALK = [
    {"role": "user", "content": PROMPT},
    {"role": "assistant", "content": "The first is the lamp."},
    {"role": "user", "content": [{"type": "input_text", "text": "And then?"}]},
]
_CALLED = [
    {"role": "user", "content": PROMPT},
    {"type": "function_call", "call_id": "call-1", "name": "tide", "arguments": '{"hour": 3}'},
    {"type": "function_call_output", "call_id": "call-1", "output": "High."},
]


def _ask(*fields: str, agree: Agree = Agree.ANSWER, **sent: Any) -> Case:
    return Case(endpoint=RESPONSES, fields=fields, sent=sent, base=_BASE, agree=agree)


def _each(field: str, *values: Any, **also: Any) -> list[Case]:
    return [_ask(field, **{**also, field: value}) for value in values]


_INPUT: list[Case] = [
    _ask(),
    *_each("input", _TALK, _CALLED, "", [], 5, None, [{"role": "user"}], "far too long " * 40_000),
    Case(endpoint=RESPONSES, fields=("input",), base=_BASE, absent=("input",)),
    *_each("instructions", "Be brief.", "", None, 5),
    *_each("model", "no-such-model", None, 5),
    *_each("previous_response_id", "resp_unknown", "unknown", None),
    *_each("previous_input_messages", None, [{"role": "user", "content": "Hello"}], "hello"),
    *_each("prompt", None, {"id": "template-1"}, "template-1"),
    *_each("truncation", "disabled", "auto", None, "some"),
    _ask("truncation", input="far too long " * 4_000, truncation="auto"),
]

_SAMPLING: list[Case] = [
    *_each("max_output_tokens", 1, 5, 0, -1, "many"),
    _ask("max_output_tokens", max_output_tokens=None, stop=["e", "a", "i", "o", "n", "t", " "]),
    *_each("temperature", 0.9, 2, -1, 3, "warm", seed=71),
    _ask("temperature", agree=Agree.SHAPE, temperature=None, ignore_eos=True),
    *_each("top_p", 0.4, 1, 0, 1.5, temperature=0.9, seed=72),
    *_each("top_k", 1, 5, 0, -2, temperature=0.9, seed=73),
    *_each("seed", 1, None, 2**63, "x"),
    *_each("presence_penalty", 1.5, None, 2.5),
    *_each("frequency_penalty", 1.5, None, -2.5),
    *_each("repetition_penalty", 1.5, None, 0),
    *_each("logit_bias", {"300": 100}, {}, None, {"99999999": 1}, {"word": 1}),
    *_each("stop", "e", ["e", "a"], None, [""], 5),
    *_each("ignore_eos", True, False),
    _ask("include_stop_str_in_output", "stop", include_stop_str_in_output=True, stop=["e", "a"]),
    *_each("skip_special_tokens", True, False),
    *_each("include", _LOGPROBS, [], None, ["everything"]),
    *_each("top_logprobs", 0, 3, 21, -1, "2", include=_LOGPROBS),
    _ask("top_logprobs", top_logprobs=3),
]

_FORM: list[Case] = [
    *_each("text", {"format": {"type": "text"}}, {"format": {"type": "json_object"}}, None, {}, "json"),
    *_each("text", {"format": _SCHEMA}, {"format": {"type": "xml"}}, max_output_tokens=40),
    *_each("structured_outputs", {"choice": ["granite", "slate"]}, {"regex": "("}, {}, None),
    _ask("structured_outputs", "text", structured_outputs={"regex": "a"}, text={"format": _SCHEMA}),
    *_each("tools", [_TOOL], [], None, "tide", [{"type": "function"}]),
    *_each("tool_choice", "none", "auto", "required", _NAMED, "all", tools=[_TOOL], max_output_tokens=48),
    *_each("tool_choice", "required", _NAMED, "none"),
    _ask("tool_choice", "stream", tools=[_TOOL], tool_choice="required", max_output_tokens=48, stream=True),
    _ask("tool_choice", tools=[_TOOL], tool_choice={"type": "function", "name": "moon"}),
    *_each("parallel_tool_calls", True, False, "both", tools=[_TOOL], max_output_tokens=24),
    *_each("max_tool_calls", 1, None, "one", tools=[_TOOL], max_output_tokens=24),
    *_each("stream", True, False, None, "perhaps"),
    _ask("stream", "include", stream=True, include=_LOGPROBS, top_logprobs=2),
    _ask("stream", "temperature", stream=True, temperature=-1),
    *_each("background", True, False, None),
    _ask("background", "store", background=True, store=False),
    *_each("store", True, False, None, "perhaps"),
    *_each("reasoning", {"effort": "low"}, None, {"effort": "some"}, "low"),
    *_each("include_reasoning", True, False),
    *_each("enable_response_messages", True, False),
]

_WHO: list[Case] = [
    *_each("metadata", {"a": "b"}, None, {"a": 1}, "a"),
    *_each("service_tier", "auto", "default", "flex", "express"),
    *_each("user", "user-1", None, 5),
    *_each("prompt_cache_key", "key-1", None, 5),
    *_each("request_id", "resp_mine", "mine", 5),
    *_each("session_id", "session-1", None, 5),
    *_each("priority", 0, 5, 2**63),
    *_each("cache_salt", "keeper-10-c0de", None, ""),
    *_each("media_io_kwargs", {"video": {}}, None, "video"),
    *_each("mm_processor_kwargs", {"num_crops": 2}, None, "crops"),
    *_each("vllm_xargs", {"note": "a"}, None, {"deep": {}}),
    *_each("chat_template_kwargs", {"style": "dry"}, None, "dry"),
    *_each("kv_transfer_params", None, {}, "x"),
    *_each("ec_transfer_params", None, {}, "x"),
    _ask(nonsense={"a": [1]}),
]

RESPONSES_CASES = [*_INPUT, *_SAMPLING, *_FORM, *_WHO]
