"""The comparison of two answers: what it lets through, and above all what it does not."""

import copy
from typing import Any

import pytest

from tandem.measure.conformity import TOLERANCE, Answer, differences

CHAT: dict[str, Any] = {
    "id": "chatcmpl-0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "object": "chat.completion",
    "created": 1_700_000_000,
    "model": "<model>",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "the lamp"},
            "logprobs": {
                "content": [
                    {
                        "token": "the",
                        "logprob": -0.5,
                        "bytes": [116],
                        "top_logprobs": [
                            {"token": "the", "logprob": -0.5, "bytes": [116]},
                            {"token": "a", "logprob": -2.0, "bytes": [97]},
                        ],
                    }
                ]
            },
            "finish_reason": "length",
            "stop_reason": None,
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
    "system_fingerprint": "vllm-0.29.0-7b0c8df1",
    "prompt_logprobs": [None, {"300": {"logprob": -1.0, "rank": 40_000, "decoded_token": "x"}}],
}


def test_an_answer_agrees_with_itself() -> None:
    assert _places(CHAT) == []


def test_what_is_made_anew_for_each_answer_is_masked() -> None:
    other = copy.deepcopy(CHAT)
    other |= {"id": "chatcmpl-ffffffffffffffffffffffffffffffff", "created": 5, "system_fingerprint": "vllm-x"}
    assert _places(other) == []


def test_what_a_cache_happened_to_hold_is_masked_but_must_be_told() -> None:
    expected = {"usage": {"input_tokens_details": {"cached_tokens": 0}}}
    assert _differ(expected, {"usage": {"input_tokens_details": {"cached_tokens": 128}}}) == []
    assert _differ(expected, {"usage": {"input_tokens_details": {}}}) == ["usage.input_tokens_details keys"]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["id"], "chatcmpl-mine", "id"),
        (["id"], "cmpl-ffffffffffffffffffffffffffffffff", "id"),
        (["created"], "now", "created"),
        (["choices", 0, "message", "content"], "the lamb", "choices[0].message.content"),
        (["choices", 0, "finish_reason"], "stop", "choices[0].finish_reason"),
        (["choices", 0, "stop_reason"], 300, "choices[0].stop_reason"),
        (["usage", "completion_tokens"], 3, "usage.completion_tokens"),
        (["usage", "completion_tokens"], 2.0, "usage.completion_tokens"),
        (["choices", 0, "index"], False, "choices[0].index"),
        (["choices", 0, "logprobs", "content", 0, "logprob"], -0.52, "choices[0].logprobs.content[0].logprob"),
        (["choices", 0, "logprobs", "content", 0, "bytes"], [117], "choices[0].logprobs.content[0].bytes[0]"),
        (["prompt_logprobs", 0], {}, "prompt_logprobs[0]"),
        (["prompt_logprobs", 1, "300", "logprob"], -1.1, "prompt_logprobs[1]['300']"),
        (["prompt_logprobs", 1, "300", "decoded_token"], "y", "prompt_logprobs[1]['300']"),
        (["choices"], [], "choices length"),
        (["extra"], None, "keys"),
        (["choices", 0, "message", "tool_calls"], [], "choices[0].message keys"),
    ],
)
def test_anything_else_that_differs_is_found(path: list[Any], value: Any, place: str) -> None:
    other = copy.deepcopy(CHAT)
    _set(other, path, value)
    assert _places(other) == [place]


def test_log_probabilities_may_differ_by_the_tolerance() -> None:
    other = copy.deepcopy(CHAT)
    content = other["choices"][0]["logprobs"]["content"][0]
    content["logprob"] -= TOLERANCE / 2
    content["top_logprobs"][1]["logprob"] += TOLERANCE / 2
    other["prompt_logprobs"][1]["300"] |= {"logprob": -1.0 + TOLERANCE / 2, "rank": 40_001}
    assert _places(other) == []


def test_equally_likely_candidates_may_stand_for_each_other_and_others_not() -> None:
    near, far = copy.deepcopy(CHAT), copy.deepcopy(CHAT)
    _candidates(near)[1] = {"token": "an", "logprob": -2.0 - TOLERANCE / 2, "bytes": [98]}
    _candidates(far)[1] = {"token": "an", "logprob": -2.1, "bytes": [98]}
    assert _places(near) == []
    assert _places(far) == [
        "choices[0].logprobs.content[0].top_logprobs['a']",
        "choices[0].logprobs.content[0].top_logprobs['an']",
    ]


def test_candidates_of_completions_are_compared_by_token() -> None:
    expected = {"top_logprobs": [{" the": -0.5, " a": -2.0}, None]}
    assert _differ(expected, {"top_logprobs": [{" a": -2.0, " the": -0.5}, None]}) == []
    assert _differ(expected, {"top_logprobs": [{" the": -0.5, " a": -2.5}, None]}) == ["top_logprobs[0][' a']"]


def test_status_and_content_type_come_first() -> None:
    expected = Answer(status=200, content_type="application/json", body=CHAT)
    refused = Answer(status=400, content_type="application/json", body={"error": {}})
    text = Answer(status=200, content_type="text/plain", body=CHAT)
    silent = Answer(status=0, body="no answer")
    assert [d.where for d in differences(expected, refused, exact=False)] == ["status"]
    assert [d.where for d in differences(expected, text, exact=False)] == ["content type"]
    assert [d.where for d in differences(expected, silent, exact=False)] == ["status"]


def test_errors_must_be_equal_even_where_answers_need_not() -> None:
    def refusal(kind: str) -> Answer:
        return Answer(status=400, body={"error": {"message": "no", "type": kind, "param": "n", "code": 400}})

    assert [d.where for d in differences(refusal("BadRequestError"), refusal("Bad Request"), exact=False)] == [
        "error.type"
    ]


def test_shape_lets_text_differ_but_not_keys_or_types() -> None:
    other = copy.deepcopy(CHAT)
    other["choices"][0] |= {"message": {"role": "assistant", "content": "elsewhere"}, "stop_reason": 300}
    assert _places(other, exact=False) == []
    other["choices"][0]["message"]["content"] = 5
    del other["usage"]["total_tokens"]
    other["new"] = 1
    assert _places(other, exact=False) == ["usage.total_tokens", "new", "choices[].message.content"]


def _places(other: dict[str, Any], *, exact: bool = True) -> list[str]:
    expected, got = (Answer(status=200, content_type="application/json", body=body) for body in (CHAT, other))
    return [difference.where for difference in differences(expected, got, exact=exact)]


def _differ(expected: Any, got: Any) -> list[str]:
    return [d.where for d in differences(Answer(status=200, body=expected), Answer(status=200, body=got), exact=True)]


def _set(target: Any, path: list[Any], value: Any) -> None:
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value


def _candidates(answer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    return found
