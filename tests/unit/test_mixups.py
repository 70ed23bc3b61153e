"""The comparison that the test of mixed-up KV caches stands on can go red."""

import dataclasses

import pytest

from tests.real.mixups import ENDPOINT_FIELDS, PROBES, Answer, judged, read_answer

RIGHT = Answer(200, (("text", [1, 2], [3], "length", None),), (-1.0, -2.0))


def test_the_same_answer_is_right_and_its_last_bits_may_differ() -> None:
    assert judged(RIGHT, RIGHT) == "right"
    assert judged(dataclasses.replace(RIGHT, logprobs=(-1.0, -2.00001)), RIGHT) == "right"


@pytest.mark.parametrize(
    ("other", "seen"),
    [
        (Answer(0), "no answer"),
        (Answer(500), "status 500"),
        (dataclasses.replace(RIGHT, choices=(("text", [1, 9], [3], "length", None),)), "wrong answer"),
        (dataclasses.replace(RIGHT, choices=()), "wrong answer"),
        (dataclasses.replace(RIGHT, logprobs=(-1.0, -2.1)), "wrong answer"),
        (dataclasses.replace(RIGHT, logprobs=(-1.0,)), "wrong answer"),
    ],
)
def test_another_answer_is_told_by_what_it_is(other: Answer, seen: str) -> None:
    assert judged(other, RIGHT) == seen


def test_an_answer_is_read_with_its_choices_in_order() -> None:
    logprobs = {"tokens": ["a"], "token_logprobs": [-0.5]}
    prompt = [None, {"7": {"logprob": -3.0}, "8": {"logprob": -1.5}}]
    second = {"index": 1, "text": "b", "finish_reason": "stop", "token_ids": [2]}
    first = {"index": 0, "text": "a", "finish_reason": "length", "logprobs": logprobs, "prompt_logprobs": prompt}
    answer = read_answer({"choices": [second, first]})
    assert [choice[0] for choice in answer.choices] == ["a", "b"]
    assert answer.logprobs == (-0.5, -1.5)
    assert read_answer({"error": {"message": "no"}}).status == 500


def test_probes_name_completions_or_chats() -> None:
    assert all(len(ENDPOINT_FIELDS & set(fields)) == 1 for fields in PROBES.values())
