"""Tools in every form of tool_choice. What `auto` does depends on the parser that the engine was started with."""

from typing import Any

from tandem.bench.conform.case import Case, chat, each_of

WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather at a harbour.",
        "parameters": {
            "type": "object",
            "properties": {"harbour": {"enum": ["north", "south"]}},
            "required": ["harbour"],
            "additionalProperties": False,
        },
    },
}
TIDE: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "tide",
        "parameters": {
            "type": "object",
            "properties": {"hour": {"type": "integer", "minimum": 0, "maximum": 9}},
            "required": ["hour"],
            "additionalProperties": False,
        },
    },
}
_BOTH = [WEATHER, TIDE]
_NAMED = {"type": "function", "function": {"name": "tide"}}
_TALK: list[dict[str, Any]] = [
    {"role": "user", "content": "<mark> How is the weather in the north?"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "call-1", "type": "function", "function": {"name": "weather", "arguments": '{"harbour": "north"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "call-1", "content": "Wind from the west."},
]
_ROOM: dict[str, Any] = {"max_tokens": 48}

_CHOICES: list[Case] = [
    chat("tools", tools=_BOTH),
    *(
        chat("tools", "tool_choice", tools=_BOTH, tool_choice=choice, **_ROOM)
        for choice in ("none", "auto", "required", _NAMED, None)
    ),
    *(
        chat("tools", "tool_choice", tools=_BOTH, tool_choice=choice, stream=True, **_ROOM)
        for choice in ("none", "auto", "required", _NAMED)
    ),
    *(
        chat("tools", "tool_choice", "n", tools=_BOTH, tool_choice=choice, n=2, temperature=1, seed=4, **_ROOM)
        for choice in ("required", _NAMED)
    ),
    *(
        chat("parallel_tool_calls", tools=_BOTH, tool_choice="required", parallel_tool_calls=value, **_ROOM)
        for value in (True, False, None)
    ),
    chat("tools", "messages", tools=_BOTH, messages=_TALK),
    chat("tools", "logprobs", tools=_BOTH, tool_choice=_NAMED, logprobs=True, top_logprobs=1, **_ROOM),
]

_REFUSED: list[Case] = [
    chat("tools", tools=[]),
    chat("tools", tools=[{"type": "function"}]),
    chat("tools", tools="weather"),
    chat("tools", tools=[{"type": "function", "function": {"name": "x", "parameters": {"type": "no-type"}}}]),
    *each_of(chat, "tool_choice", ["none", "auto", "required", _NAMED]),
    *(chat("tool_choice", tools=_BOTH, tool_choice=choice) for choice in ("all", {"type": "function"}, 5)),
    chat("tool_choice", tools=_BOTH, tool_choice={"type": "function", "function": {"name": "moon"}}),
    chat("parallel_tool_calls", parallel_tool_calls="both"),
    chat("tools", "structured_outputs", tools=_BOTH, tool_choice=_NAMED, structured_outputs={"regex": "a"}),
]

TOOLS = [*_CHOICES, *_REFUSED]
