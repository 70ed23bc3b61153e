"""A repeated stream is cut so that the client gets every token once."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.delivered import DeliveredEvents, DeliveredText


def _event(index: int, text: str, finish: str | None = None) -> bytes:
    choice = {"index": index, "text": text, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "a", "choices": [choice]}, separators=(",", ":")).encode() + b"\n\n"


def _texts(events: list[bytes]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for event in events:
        for choice in json.loads(event.removeprefix(b"data: "))["choices"]:
            texts[choice["index"]] = texts.get(choice["index"], "") + choice["text"]
    return texts


@given(st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=12), st.data())
def test_events_repeated_after_any_number_come_once(parts: list[str], data: st.DataObject) -> None:
    events = [_event(0, part) for part in parts]
    broken_at = data.draw(st.integers(0, len(events)))
    delivered = DeliveredEvents()
    delivered.begin()
    got = [e for e in map(delivered.unseen, events[:broken_at]) if e is not None]
    delivered.begin()
    got += [e for e in map(delivered.unseen, events) if e is not None]
    assert got == events


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30), st.data())
def test_text_repeated_in_other_pieces_and_order_comes_once(one: str, two: str, data: st.DataObject) -> None:
    first, again = (_interleaved(data, one, two) for _ in range(2))
    broken_at = data.draw(st.integers(0, len(first)))
    delivered = DeliveredText()
    delivered.begin()
    got = [e for e in map(delivered.unseen, first[:broken_at]) if e is not None]
    delivered.begin()
    got += [e for e in map(delivered.unseen, again) if e is not None]
    assert _texts(got) == {0: one, 1: two}
    ends = [c["finish_reason"] for e in got for c in json.loads(e.removeprefix(b"data: "))["choices"]]
    assert sum(end is not None for end in ends) == 2


def _interleaved(data: st.DataObject, one: str, two: str) -> list[bytes]:
    """Events of two choices, cut and mixed at will, each choice ended by its last."""
    left = {0: one, 1: two}
    events = []
    while any(left.values()):
        index = data.draw(st.sampled_from([i for i in left if left[i]]))
        size = data.draw(st.integers(1, len(left[index])))
        text, left[index] = left[index][:size], left[index][size:]
        events.append(_event(index, text, None if left[index] else "length"))
    return events


def test_the_end_comes_once_though_it_is_repeated() -> None:
    delivered = DeliveredText()
    delivered.begin()
    assert delivered.unseen(b"data: [DONE]\n\n") is not None
    delivered.begin()
    assert delivered.unseen(b"data: [DONE]\n\n") is None
