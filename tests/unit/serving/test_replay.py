"""An answer that is repeated comes in the pieces of the first time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.replay import Course, regrouped


@dataclass
class Completion:
    """The fields of vLLM's CompletionOutput that a replay touches."""

    text: str
    token_ids: list[int]
    logprobs: list[int] | None = None
    finish_reason: str | None = None
    stop_reason: str | None = None


@dataclass
class Output:
    """The fields of vLLM's RequestOutput that a replay touches."""

    outputs: list[Completion]
    finished: bool = False
    merged: int = field(default=1)

    def add(self, later: "Output", aggregate: bool) -> None:
        assert aggregate
        mine, other = self.outputs[0], later.outputs[0]
        mine.text += other.text
        mine.token_ids = [*mine.token_ids, *other.token_ids]
        if mine.logprobs is not None and other.logprobs is not None:
            mine.logprobs = [*mine.logprobs, *other.logprobs]
        mine.finish_reason = other.finish_reason
        self.finished |= later.finished


@given(st.lists(st.text(max_size=4), min_size=1, max_size=20), st.data())
def test_pieces_of_the_first_time_whatever_the_second_time(words: list[str], data: st.DataObject) -> None:
    first, again = _cut(words, data), _cut(words, data)
    course = Course()
    course.begin(1)
    told = data.draw(st.integers(0, len(first)))
    for output in first[:told]:
        course.add(output)
    repeated = asyncio.run(_all(regrouped(_stream(again), course.groups)))
    assert [o.outputs[0].text for o in repeated[:told]] == [o.outputs[0].text for o in first[:told]]
    assert [o.outputs[0].token_ids for o in repeated[:told]] == [o.outputs[0].token_ids for o in first[:told]]
    assert "".join(o.outputs[0].text for o in repeated) == "".join(words)
    assert [t for o in repeated for t in o.outputs[0].token_ids] == list(range(len(words)))
    assert [t for o in repeated for t in o.outputs[0].logprobs or []] == list(range(len(words)))
    assert [o.finished for o in repeated] == [False] * (len(repeated) - 1) + [True]


def _cut(words: list[str], data: st.DataObject) -> list[Output]:
    """One token a word, in outputs of one to three tokens."""
    outputs: list[Output] = []
    at = 0
    while at < len(words):
        end = min(len(words), at + data.draw(st.integers(1, 3)))
        ids = list(range(at, end))
        last = end == len(words)
        completion = Completion("".join(words[at:end]), ids, list(ids), "length" if last else None)
        outputs.append(Output([completion], finished=last))
        at = end
    return outputs


async def _stream(outputs: list[Output]) -> AsyncIterator[Output]:
    for output in outputs:
        yield output


async def _all(outputs: AsyncIterator[Any]) -> list[Any]:
    return [output async for output in outputs]


def test_a_course_is_taken_piece_by_piece_and_put_together_again() -> None:
    course = Course()
    course.begin(1)
    course.add(Output([Completion("a", [1])]))
    taken = course.take()
    course.add(Output([Completion("bc", [2, 3])]))
    whole = Course()
    whole.extend(taken)
    whole.extend(course.take())
    assert whole.token_ids == [1, 2, 3]
    assert [tuple(group) for group in whole.groups] == [(1, 1), (2, 2)]
    assert whole.single
    assert course.take().token_ids == []
