"""Times of one streamed answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.measure.token_times import TokenTimes, summary


@pytest.mark.parametrize(
    ("arrived", "ttft", "itl"),
    [
        ([], None, None),
        ([10.25], 0.25, None),
        ([10.25, 10.75], 0.25, 0.5),
        ([10.25, 10.75, 11.75, 12.0], 0.25, 0.5),
        ([10.25, 10.75, 10.875, 13.0, 13.25], 0.25, 0.375),
    ],
)
def test_first_token_and_median_gap(arrived: list[float], ttft: float | None, itl: float | None) -> None:
    times = TokenTimes(sent=10.0, arrived=arrived)
    assert (times.ttft, times.itl) == (ttft, itl)


@given(st.lists(st.floats(0.0, 100.0), min_size=2, max_size=30))
def test_the_median_lies_between_the_gaps(gaps: list[float]) -> None:
    arrived = [sum(gaps[: index + 1]) for index in range(len(gaps))]
    itl = TokenTimes(sent=0.0, arrived=arrived).itl
    assert itl is not None
    assert min(gaps[1:]) - 1e-6 <= itl <= max(gaps[1:]) + 1e-6


@pytest.mark.parametrize(
    ("arrived", "header", "line"),
    [
        (
            [0.4, 0.43, 0.46],
            'route;desc="remote", prefill;dur=300.0',
            "route remote · TTFT 400 ms · ITL p50 30 ms · 3 tokens",
        ),
        ([0.05], 'route;desc="local", reason;desc="short"', "route local (short) · TTFT 50 ms · 1 tokens"),
        ([0.05], "", "TTFT 50 ms · 1 tokens"),
        ([], 'route;desc="local"', "route local · 0 tokens"),
        ([], "miss, db;dur=53", "0 tokens"),
    ],
)
def test_the_line_under_an_answer(arrived: list[float], header: str, line: str) -> None:
    assert summary(TokenTimes(sent=0.0, arrived=arrived), header) == line


def test_two_answers_do_not_share_their_times() -> None:
    TokenTimes(sent=0.0).arrived.append(1.0)
    assert TokenTimes(sent=0.0).arrived == []
