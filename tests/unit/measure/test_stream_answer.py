"""Streams are compared by what they add up to, however they were cut."""

import json
from typing import Any

from tandem.measure.stream_answer import DONE, folded, read_events

ROLE = {"id": "c-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}


def test_events_are_read_from_the_wire() -> None:
    body = 'data: {"a": 1}\n\n: keep alive\n\nevent: x\ndata:{"b": 2}\n\ndata: [DONE]\n\n'
    assert read_events(body) == [{"a": 1}, {"b": 2}, DONE]


def test_the_same_answer_cut_in_two_ways_is_one_answer() -> None:
    fine = [ROLE, _said("th"), _said("e "), _said("lamp", "stop"), DONE]
    coarse = [ROLE, _said("the lamp", "stop"), DONE]
    assert folded(fine) == folded(coarse)
    assert folded(coarse)["choices"][0]["delta"] == {"role": "assistant", "content": "the lamp"}
    assert folded(coarse)["choices"][0]["finish_reason"] == "stop"


def test_a_lost_a_doubled_and_a_swapped_part_are_seen() -> None:
    whole = folded([ROLE, _said("the "), _said("lamp", "stop"), DONE])
    assert folded([ROLE, _said("the "), _said("", "stop"), DONE]) != whole
    assert folded([ROLE, _said("the "), _said("the "), _said("lamp", "stop"), DONE]) != whole
    assert folded([ROLE, _said("lamp"), _said("the ", "stop"), DONE]) != whole


def test_choices_are_told_apart_by_their_index() -> None:
    mixed = [_said("a", index=1), _said("x", index=0), _said("b", index=1), _said("y", index=0), DONE]
    assert [choice["delta"]["content"] for choice in folded(mixed)["choices"]] == ["xy", "ab"]


def test_tool_calls_are_joined_and_their_names_are_not() -> None:
    first = _called({"index": 0, "id": "call-1", "function": {"name": "tide", "arguments": '{"ho'}})
    second = _called({"index": 0, "function": {"arguments": 'ur": 3}'}})
    other = _called({"index": 1, "id": "call-2", "function": {"name": "weather", "arguments": "{}"}})
    calls = folded([first, second, other, DONE])["choices"][0]["delta"]["tool_calls"]
    assert [call["function"] for call in calls] == [
        {"name": "tide", "arguments": '{"hour": 3}'},
        {"name": "weather", "arguments": "{}"},
    ]


def test_two_parts_of_a_tool_call_may_come_in_one_chunk() -> None:
    name: dict[str, Any] = {"index": 0, "id": "call-1", "function": {"name": "tide"}}
    arguments: dict[str, Any] = {"index": 0, "function": {"arguments": '{"hour": 3}'}}
    together = {"choices": [{"index": 0, "delta": {"tool_calls": [name, arguments]}}]}
    assert folded([together, DONE]) == folded([_called(name), _called(arguments), DONE])


def test_text_may_hold_what_python_takes_for_line_ends() -> None:
    assert read_events('data: {"text": "a\u2028b\u0085c"}\n\n') == [{"text": "a\u2028b\u0085c"}]


def test_log_probabilities_and_token_ids_are_strung_together() -> None:
    def part(token: int) -> dict[str, Any]:
        logprobs = {"content": [{"token": str(token), "logprob": -1.0}]}
        return {"choices": [{"index": 0, "delta": {}, "token_ids": [token], "logprobs": logprobs}]}

    choice = folded([part(300), part(301), DONE])["choices"][0]
    assert choice["token_ids"] == [300, 301]
    assert [one["token"] for one in choice["logprobs"]["content"]] == ["300", "301"]


def test_a_broken_stream_is_told_from_a_whole_one() -> None:
    assert folded([ROLE, DONE])["ended"] is True
    assert folded([ROLE])["ended"] is False
    assert folded([]) == {"ended": False}


def test_an_error_inside_the_stream_is_kept() -> None:
    error = {"error": {"message": "out of vocabulary", "type": "BadRequestError", "code": 400}}
    assert folded([error, DONE])["error"]["type"] == "BadRequestError"


def test_responses_streams_keep_the_order_of_their_events() -> None:
    def events(*deltas: str) -> list[Any]:
        begun = {"type": "response.created", "response": {"status": "in_progress"}}
        done = {"type": "response.completed", "response": {"status": "completed"}}
        return [begun, *({"type": "response.output_text.delta", "delta": delta} for delta in deltas), done]

    assert folded(events("th", "e")) == folded(events("the"))
    assert folded(events("the")) != folded(events("that"))
    assert folded(events("the"))["kinds"] == ["response.created", "response.output_text.delta", "response.completed"]
    assert folded(events("the")[:1]) != folded(events("the"))


def test_read_and_folded_together() -> None:
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in (ROLE, _said("é", "stop"))) + "data: [DONE]\n\n"
    assert folded(read_events(body))["choices"][0]["delta"]["content"] == "é"


def _said(text: str, finish: str | None = None, *, index: int = 0) -> dict[str, Any]:
    return {"id": "c-1", "choices": [{"index": index, "delta": {"content": text}, "finish_reason": finish}]}


def _called(call: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
